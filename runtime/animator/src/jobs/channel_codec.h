// SPDX-License-Identifier: Apache-2.0
#pragma once
// What channels of localv are in one stored frame, in floats: one at a time, and eight rotations at once. The bits are
// described in throng/shaders/shared/channels.h; throng/character/channels.h reads them in double.

#include <cstdint>
#include <glm/glm.hpp>

#include "throng/character/channels.h"

namespace throng::detail::animator {

// A channel's first word, and a frame's. Both were checked (check_channels), and two words follow those of any frame.
using ChannelWords = const std::uint32_t*;
using FrameWords = const std::uint32_t*;

// Whether its values differ from frame to frame.
bool is_moving(ChannelWords channel, SlotKind kind);

// x y z w of a rotation; of unit length but for what its steps round.
glm::vec4 decode_rotation(ChannelWords channel, FrameWords frame);
// A translation or scale.
glm::vec3 decode_vector(ChannelWords channel, FrameWords frame);

// Eight rotations side by side, their channels turned so that they are read at once.
struct RotationLanes {
  // Words 0 to 2 of the channels; steps; means. A lane without a channel has a step of 0, and what it is as its mean.
  std::uint32_t components[3][8] = {};
  float step[8] = {};
  float mean[4][8] = {};
};

// Sets one of the lanes.
void set_lane(RotationLanes& lanes, std::size_t lane, ChannelWords channel);
void set_lane(RotationLanes& lanes, std::size_t lane, const glm::vec4& still);

// decode_rotation() of eight channels, to the bit, but for the w that some of them store: x of all, then y, z, w.
void decode_rotations_narrow(const RotationLanes& lanes, FrameWords frame, float* out);
void decode_rotations_wide(const RotationLanes& lanes, FrameWords frame, float* out);
bool has_wide_decoder();

}  // namespace throng::detail::animator
