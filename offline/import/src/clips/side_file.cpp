// SPDX-License-Identifier: Apache-2.0
// Events, loop flags and groups of parts from a JSON file beside a model. The file is written by hand, so everything
// unexpected in it is an error that says where.

#include "throng/import/side_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gltf/file/container.h"
#include "throng/base/file.h"
#include "throng/base/names.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng {
namespace {

using Json = nlohmann::json;

// "/clip/events/3/time", with '/' and '~' in names written as JSON pointers write them.
std::string pointer(const std::string& owner, const std::string& name) {
  std::string escaped;
  for (const char c : name) escaped += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
  return owner + "/" + escaped;
}

Result<void> check_fields(const Json& object, const std::string& where, const std::vector<std::string_view>& known) {
  if (!object.is_object()) return fail("{}: it is not an object", where);
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail("{}: no such field; there are: {}", pointer(where, name), fmt::join(known, ", "));
  }
  return {};
}

Result<double> number(const Json& object, const char* name, const std::string& where) {
  const auto found = object.find(name);
  if (found == object.end()) return fail("{}: it has no '{}'", where, name);
  if (!found->is_number() || !std::isfinite(found->get<double>()))
    return fail("{}: it is not a number", pointer(where, name));
  return found->get<double>();
}

// Seconds from the clip's start.
Result<double> event_time(const Json& event, const std::string& where) {
  const bool in_seconds = event.contains("time");
  if (in_seconds == event.contains("frame"))
    return fail("{}: an event has either a 'time' in seconds or a 'frame' with its 'fps'", where);
  if (in_seconds && event.contains("fps")) return fail("{}: 'fps' goes with 'frame'", pointer(where, "fps"));
  if (in_seconds) return number(event, "time", where);
  THRONG_TRY(auto frame, number(event, "frame", where));
  THRONG_TRY(auto rate, number(event, "fps", where));
  if (!(rate > 0.0)) return fail("{}: it is {}; frames a second are more than none", pointer(where, "fps"), rate);
  return frame / rate;
}

Result<Event> read_event(const Json& json, const std::string& where, const Clip& clip) {
  THRONG_CHECK(check_fields(json, where, {"time", "frame", "fps", "name"}));
  THRONG_TRY(auto time, event_time(json, where));
  const auto name = json.find("name");
  if (name == json.end()) return fail("{}: it has no 'name'", where);
  if (!name->is_string() || name->get_ref<const std::string&>().empty())
    return fail("{}: it is not a name", pointer(where, "name"));
  // Key times are floats and frames are fractions: the last frame of a clip may come out just past its end.
  constexpr double kRounding = 1e-4;
  if (time < -kRounding || time > clip.length() + kRounding) {
    return fail("{}: {} s is outside the clip, which is {} s long",
                pointer(where, json.contains("time") ? "time" : "frame"), time, clip.length());
  }
  return Event{std::clamp(clip.start + time, clip.start, clip.end), name->get<std::string>()};
}

Result<void> read_clip(const Json& json, const std::string& where, Clip& clip) {
  THRONG_CHECK(check_fields(json, where, {"loops", "events"}));
  if (const auto loops = json.find("loops"); loops != json.end()) {
    if (!loops->is_boolean()) return fail("{}: it is not true or false", pointer(where, "loops"));
    clip.loops = loops->get<bool>();
  }
  const auto events = json.find("events");
  if (events == json.end()) return {};
  if (!events->is_array()) return fail("{}: it is not a list", pointer(where, "events"));
  for (std::size_t i = 0; i < events->size(); ++i) {
    THRONG_TRY(auto event, read_event((*events)[i], pointer(pointer(where, "events"), std::to_string(i)), clip));
    clip.events.push_back(std::move(event));
  }
  std::stable_sort(clip.events.begin(), clip.events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  return {};
}

constexpr const char* kGroups = "$groups";  // a clip is hardly ever called so

// The group as BakeSettings::groups has it: "shield?=*_Shield*|Buckler".
Result<std::string> read_group(const std::string& name, const Json& json, const std::string& where) {
  THRONG_CHECK(check_fields(json, where, {"parts", "optional"}));
  const auto optional = json.find("optional");
  if (optional != json.end() && !optional->is_boolean())
    return fail("{}: it is not true or false", pointer(where, "optional"));
  const auto parts = json.find("parts");
  if (parts == json.end()) return fail("{}: it has no 'parts'", where);
  if (!parts->is_array() || parts->empty()) return fail("{}: it is not a list of names", pointer(where, "parts"));
  std::string text = name + (optional != json.end() && optional->get<bool>() ? "?=" : "=");
  for (std::size_t i = 0; i < parts->size(); ++i) {
    if (!(*parts)[i].is_string())
      return fail("{}: it is not a name", pointer(pointer(where, "parts"), std::to_string(i)));
    text += (i == 0 ? "" : "|") + (*parts)[i].get<std::string>();
  }
  return text;
}

Result<void> read_groups(const Json& json, std::vector<std::string>& groups) {
  const std::string where = pointer("", kGroups);
  if (!json.is_object()) return fail("{}: it is not an object", where);
  for (const auto& [name, value] : json.items()) {
    THRONG_TRY(std::string group, read_group(name, value, pointer(where, name)));
    groups.push_back(std::move(group));
  }
  return {};
}

// A name that several clips share means all of them, as does a pattern.
Result<void> read_clips(const Json& json, std::vector<Clip>& clips) {
  std::vector<std::string> names;
  for (const Clip& clip : clips) names.push_back(clip.name);
  for (const auto& [name, value] : json.items()) {
    if (name == kGroups) continue;
    const std::string where = pointer("", name);
    const auto meant = meant_by({name}, "clip", names);
    if (!meant) return fail("{}: {}", where, meant.error().message);
    for (std::size_t i = 0; i < clips.size(); ++i) {
      if ((*meant)[i]) THRONG_CHECK(read_clip(value, where, clips[i]));
    }
  }
  return {};
}

Result<Json> read_json(const std::filesystem::path& path) {
  auto text = read_text_file(path);
  if (!text) return fail(Error{one_line(text.error().message)});
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text->starts_with(kByteOrderMark)) text->erase(0, kByteOrderMark.size());
  auto json = detail::gltf::parse_json(*text);
  if (!json) return fail(Error{one_line(with_context(path.string(), json.error()).message)});
  return json;
}

}  // namespace

Result<Imported> add_side_file(Imported onto, const std::filesystem::path& path) {
  THRONG_TRY(auto json, read_json(path));
  ModelDraft draft = onto.model.draft();
  if (auto ok = read_clips(json, draft.clips); !ok)
    return fail(Error{one_line(with_context(path.string(), ok.error()).message)});
  if (const auto groups = json.find(kGroups); groups != json.end())
    if (auto ok = read_groups(*groups, onto.groups); !ok)
      return fail(Error{one_line(with_context(path.string(), ok.error()).message)});
  auto model = build_model(std::move(draft));
  if (!model) return fail(Error{one_line(with_context(path.string(), model.error()).message)});
  onto.model = *std::move(model);
  return onto;
}

}  // namespace throng
