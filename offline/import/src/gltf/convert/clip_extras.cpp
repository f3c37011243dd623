// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/clip_extras.h"

#include <algorithm>

#include "gltf/file/json.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

bool is_event(const Json& event) {
  return event.is_object() && event.contains("time") && event["time"].is_number() && event.contains("name") &&
         event["name"].is_string();
}

void read_events(const Json& events, Clip& clip, ClipTally& tally) {
  if (!events.is_array()) {
    ++tally.events_not_understood;
    return;
  }
  for (const Json& event : events) {
    if (!is_event(event)) {
      ++tally.events_not_understood;
      continue;
    }
    const auto time = event["time"].get<double>();
    if (time >= clip.start && time <= clip.end)
      clip.events.push_back({time, event["name"].get<std::string>()});
    else
      ++tally.events_outside;
  }
  std::stable_sort(clip.events.begin(), clip.events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
}

}  // namespace

void read_clip_extras(const Json& animation, Clip& clip, ClipTally& tally) {
  const auto extras = animation.find("extras");
  if (extras == animation.end() || !extras->is_object()) return;
  if (const auto events = extras->find("events"); events != extras->end()) read_events(*events, clip, tally);
  const auto loops = extras->find("loops");
  if (loops == extras->end()) return;
  if (loops->is_boolean())
    clip.loops = loops->get<bool>();
  else
    ++tally.loops_not_understood;
}

}  // namespace throng::detail::gltf
