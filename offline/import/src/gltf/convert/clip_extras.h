// SPDX-License-Identifier: Apache-2.0
#pragma once
// What glTF has no word for, from an animation's extras: {"loops": true, "events": [{"time": seconds, "name": "…"}]}.
// Anything else in there is somebody else's.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

// What happened to animations.
struct ClipTally {
  std::size_t outside_scene = 0;  // channels
  std::size_t without_data = 0;   // channels
  std::size_t unknown_paths = 0;  // channels
  std::size_t rotations = 0;      // keys made unit length
  std::size_t events_outside = 0;
  std::size_t events_not_understood = 0;
  std::size_t loops_not_understood = 0;
};

void read_clip_extras(const nlohmann::json& animation, Clip& clip, ClipTally& tally);

}  // namespace throng::detail::gltf
