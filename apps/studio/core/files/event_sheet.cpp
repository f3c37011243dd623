// SPDX-License-Identifier: Apache-2.0
#include "core/files/event_sheet.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "throng/base/try.h"

namespace throng::studio {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSameTime = 1e-6;         // seconds: what rounding of a frame's number or of a key's time comes to
constexpr double kTimeSteps = 1e4;         // a second, that times are written in: nobody sets an event closer
constexpr const char* kEvents = "events";  // of a clip in the file

Result<double> held_inside(const ClipEvents& clip, double time) {
  if (!std::isfinite(time)) return fail("an event's time is a number of seconds, not {}", time);
  return std::clamp(std::round(time * kTimeSteps) / kTimeSteps, 0.0, clip.length);
}

void sort_by_time(std::vector<SheetEvent>& events) { std::ranges::stable_sort(events, {}, &SheetEvent::time); }

std::optional<double> number_in(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found != event.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

// Seconds from the clip's start; nothing where the event has none.
std::optional<double> time_in(const Json& event) {
  if (const auto time = number_in(event, "time")) return time;
  const auto frame = number_in(event, "frame");
  const auto rate = number_in(event, "fps");
  return frame && rate && *rate > 0.0 ? std::optional(*frame / *rate) : std::nullopt;
}

// What the file says for exactly this name. add_side_file() has read the same file and tells better what is wrong with
// one, but it may have been written to since.
Result<std::vector<SheetEvent>> events_in(const Json& json, const ClipEvents& clip) {
  std::vector<SheetEvent> events;
  const auto entry = json.find(clip.clip);
  if (entry == json.end()) return events;
  if (!entry->is_object()) return fail("clip '{}' of the events' file is not an object", clip.clip);
  const auto list = entry->find(kEvents);
  if (list == entry->end()) return events;
  if (!list->is_array()) return fail("the events of clip '{}' are not a list", clip.clip);
  for (const Json& event : *list) {
    const auto time = time_in(event);
    const auto name = event.find("name");
    if (!time || !std::isfinite(*time) || name == event.end() || !name->is_string())
      return fail("an event of clip '{}' has no time or no name", clip.clip);
    events.push_back({std::clamp(*time, 0.0, clip.length), name->get<std::string>()});
  }
  sort_by_time(events);
  return events;
}

// The events of a clip that are not among those of the side file for its name.
std::vector<SheetEvent> fixed_events(const Clip& clip, const ClipEvents& of_its_name) {
  std::vector<SheetEvent> fixed;
  std::vector<SheetEvent> left = of_its_name.own;
  for (const Event& event : clip.events) {
    const SheetEvent one{event.time - clip.start, event.name};
    const auto same = std::ranges::find_if(left, [&](const SheetEvent& other) {
      return other.name == one.name && std::abs(other.time - one.time) <= kSameTime + clip.end * 1e-6;
    });
    if (same == left.end()) {
      fixed.push_back(one);
    } else {
      left.erase(same);
    }
  }
  return fixed;
}

void write_events(Json& json, const ClipEvents& clip) {
  if (clip.own.empty()) {
    if (!json.contains(clip.clip)) return;
    json[clip.clip].erase(kEvents);
    if (json[clip.clip].empty()) json.erase(clip.clip);
    return;
  }
  Json events = Json::array();
  for (const SheetEvent& event : clip.own) events.push_back({{"time", event.time}, {"name", event.name}});
  json[clip.clip][kEvents] = std::move(events);
}

}  // namespace

ClipEvents* EventSheet::find(const std::string& clip) {
  const auto found = std::ranges::find(clips, clip, &ClipEvents::clip);
  return found == clips.end() ? nullptr : &*found;
}

const ClipEvents* EventSheet::find(const std::string& clip) const {
  const auto found = std::ranges::find(clips, clip, &ClipEvents::clip);
  return found == clips.end() ? nullptr : &*found;
}

std::span<const SheetEvent> EventSheet::fixed_of(std::optional<std::uint32_t> clip) const {
  if (!clip || *clip >= fixed.size()) return {};
  return fixed[*clip];
}

Result<SideFile> read_sheet(const Model& model, const std::string& text) {
  SideFile file;
  if (!text.empty()) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    file.json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), nullptr, false);
    if (!file.json.is_object()) return fail("the events' file is not a JSON object");
  }
  for (const Clip& clip : model.clips()) {
    if (ClipEvents* known = file.sheet.find(clip.name)) {
      known->length = std::min(known->length, clip.length());
    } else {
      file.sheet.clips.push_back({.clip = clip.name, .length = clip.length(), .own = {}});
    }
  }
  for (ClipEvents& clip : file.sheet.clips) {
    THRONG_TRY(clip.own, events_in(file.json, clip));
  }
  for (const Clip& clip : model.clips()) file.sheet.fixed.push_back(fixed_events(clip, *file.sheet.find(clip.name)));
  return file;
}

Result<std::size_t> add_event(ClipEvents& clip, double time, const std::string& name) {
  THRONG_TRY(const double inside, held_inside(clip, time));
  const SheetEvent event{inside, name};
  const auto after = std::ranges::upper_bound(clip.own, event.time, {}, &SheetEvent::time);
  const auto index = static_cast<std::size_t>(after - clip.own.begin());
  clip.own.insert(after, event);
  return index;
}

Result<std::size_t> move_event(ClipEvents& clip, std::size_t event, double time) {
  THRONG_CHECK(held_inside(clip, time));
  const std::string name = clip.own[event].name;
  remove_event(clip, event);
  return add_event(clip, time, name);
}

void remove_event(ClipEvents& clip, std::size_t event) {
  clip.own.erase(clip.own.begin() + static_cast<std::ptrdiff_t>(event));
}

Result<Model> with_events(const Model& model, const EventSheet& sheet) {
  ModelDraft draft = model.draft();
  for (std::uint32_t i = 0; i < draft.clips.size(); ++i) {
    Clip& clip = draft.clips[i];
    const ClipEvents* events = sheet.find(clip.name);
    if (events == nullptr) continue;
    clip.events.clear();
    for (const std::span<const SheetEvent> list : {sheet.fixed_of(i), std::span<const SheetEvent>(events->own)})
      for (const SheetEvent& event : list)
        clip.events.push_back({std::clamp(clip.start + event.time, clip.start, clip.end), event.name});
    std::ranges::stable_sort(clip.events, {}, &Event::time);
  }
  return build_model(std::move(draft));
}

SideFile with_sheet(SideFile before, const EventSheet& sheet) {
  for (const ClipEvents& clip : sheet.clips) {
    const ClipEvents* was = before.sheet.find(clip.clip);
    if (was == nullptr || was->own != clip.own) write_events(before.json, clip);
  }
  before.sheet = sheet;
  return before;
}

std::string text_of(const SideFile& file) { return file.json.dump(2) + "\n"; }

std::string side_file_beside(const std::string& asset) {
  std::filesystem::path path(asset);
  for (int endings = 0; endings < 2 && path.has_extension(); ++endings) {
    const std::string ending = path.extension().string();
    if (ending != ".glb" && ending != ".throng") break;
    path.replace_extension();
  }
  path += ".events.json";
  return path.string();
}

}  // namespace throng::studio
