// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clips in localv from plain values, for models that are made by hand.

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/character/character.h"

namespace throng::test {

inline SlotMotion rotation_motion(std::vector<glm::dquat> values, double step) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (glm::dot(values[i - 1], values[i]) < 0.0) values[i] = -values[i];
  }
  SlotMotion motion;
  motion.grid = rotation_grid(values);
  motion.grid.step = channel_step(SlotKind::rotation, step, 1.0);
  for (const glm::dquat& value : values)
    motion.frames.push_back(steps_of(motion.grid, components_of(motion.grid, value)));
  return motion;
}

inline SlotMotion vector_motion(SlotKind kind, const std::vector<glm::dvec3>& values, double step) {
  double most = 0.0;
  for (const glm::dvec3& value : values)
    most = std::max({most, std::abs(value.x), std::abs(value.y), std::abs(value.z)});
  SlotMotion motion;
  motion.grid.kind = kind;
  motion.grid.step = channel_step(kind, step, most);
  for (const glm::dvec3& value : values) motion.frames.push_back(steps_of(motion.grid, glm::dvec4(value, 0.0)));
  return motion;
}

// 0, 1, 2 … of a clip of which every frame is stored.
inline std::vector<std::uint32_t> every_frame(std::uint32_t count) {
  std::vector<std::uint32_t> frames(count);
  for (std::uint32_t i = 0; i < count; ++i) frames[i] = i;
  return frames;
}

// Puts the clip's words behind those that are there. Slots have as many frames as `stored` names.
inline void add_channels(std::span<const SlotMotion> slots, std::span<const std::uint32_t> stored, BakedClip& clip,
                         std::vector<std::uint32_t>& words) {
  if (!words.empty()) words.resize(words.size() - kChannelPadding);
  EncodedChannels encoded = encode_channels(slots, stored, clip.frame_count).value();
  clip.channels = encoded.clip;
  clip.channels.first_word = static_cast<std::uint32_t>(words.size());
  words.insert(words.end(), encoded.words.begin(), encoded.words.end());
  words.resize(words.size() + kChannelPadding, 0);
}

}  // namespace throng::test
