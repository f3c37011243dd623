// SPDX-License-Identifier: Apache-2.0
#pragma once
// What channels of localv are in one stored frame, in floats: one at a time, and eight at once. The bits are
// described in throng/shaders/shared/channels.h; throng/character/channels.h reads them in double.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "throng/character/channels.h"

namespace throng::detail::animator {

// A channel's first word, and a frame's. Both were checked (check_channels), and two words follow those of any frame.
using ChannelWords = const std::uint32_t*;
using FrameWords = const std::uint32_t*;
// A clip's, from its first on: channels are counted from there.
using ClipWords = const std::uint32_t*;

// Whether its values differ from frame to frame.
bool is_moving(ChannelWords channel, SlotKind kind);

// x y z w of a rotation; of unit length but for what its steps round.
glm::vec4 decode_rotation(ChannelWords channel, FrameWords frame);
// A translation or scale.
glm::vec3 decode_vector(ChannelWords channel, FrameWords frame);

// Eight rotations side by side. A character has many clips, so only where their channels are is kept of them.
struct RotationLanes {
  std::array<std::uint16_t, 8> channels{};  // the first word of each; of a lane without one, that of another
  std::uint8_t present = 0;                 // bits: lanes that have a channel
  std::uint8_t fourths = 0;                 // bits: their w is stored
};

// Sets one of the lanes.
void set_lane(RotationLanes& lanes, std::size_t lane, ClipWords words, std::uint16_t channel);

// decode_rotation() of the lanes that have a channel, to the bit: x of all eight, then y, z, w. Others stay as they
// are. At least one has a channel.
void decode_rotations_narrow(ClipWords words, const RotationLanes& lanes, FrameWords frame, float* out);
void decode_rotations_wide(ClipWords words, const RotationLanes& lanes, FrameWords frame, float* out);
// Those of them whose w is stored, one by one, for the others.
void decode_fourths(ClipWords words, const RotationLanes& lanes, FrameWords frame, float* out);

// A translation or scale, and where in a decoded frame its x goes; y and z go four floats and eight behind it.
struct VectorLane {
  std::uint32_t to = 0;
  std::uint16_t channel = 0;
};

// decode_vector() of all, to the bit.
void decode_vectors_narrow(ClipWords words, std::span<const VectorLane> lanes, FrameWords frame, float* out);
void decode_vectors_wide(ClipWords words, std::span<const VectorLane> lanes, FrameWords frame, float* out);

bool has_wide_decoder();

}  // namespace throng::detail::animator
