// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the clips in localv of a rig are sampled, four bones at a time: worked out once from what Motion::channels()
// says of single bones.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "jobs/channel_codec.h"
#include "throng/animator/rig.h"

namespace throng::detail::animator {

inline constexpr std::uint8_t kAllLanes = 0xF;

// The translations or scales of the four bones of a group.
struct ChannelRow {
  std::uint32_t group = 0;
  std::uint8_t lanes = kAllLanes;  // bits: lanes that are written; the keys say what the others are
};

inline constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;

// The rotations of two groups.
struct RotationRow {
  std::array<std::uint32_t, 2> groups{kNoGroup, kNoGroup};  // the second: kNoGroup where there is none
  std::array<std::uint8_t, 2> lanes{kAllLanes, kAllLanes};
  RotationLanes decoder = {};
};

// A row that no frame moves: its values are the next ones of ClipChannels::still_values, of its lanes alone.
struct StillRow {
  std::uint32_t group = 0;
  SlotKind kind = SlotKind::rotation;
  std::uint8_t lanes = kAllLanes;  // bits: those that a channel says
};

struct ClipChannels {
  std::span<const std::uint32_t> words;  // from the clip's first on
  ChannelClip clip;
  std::uint32_t frame_count = 0;  // none: the clip is all keys
  std::uint32_t intervals = 0;
  float rate = 0.0f;  // intervals a second
  bool loops = false;
  // Rows that move. A decoded frame holds them in this order: x of eight bones, then y, z, w; x of four bones, then y,
  // z.
  std::vector<RotationRow> rotations;
  std::vector<ChannelRow> translations, scales;
  std::vector<VectorLane> vectors;  // that are decoded into these
  std::vector<StillRow> still;
  std::vector<float> still_values;
  std::uint64_t stamp = 0;  // of what a decoded frame is: the same for the same words read alike; never 0

  bool empty() const { return frame_count == 0; }
  std::size_t frame_floats() const { return 32 * rotations.size() + 12 * (translations.size() + scales.size()); }
};

// Floats of a group's rotations, translations or scales.
inline constexpr std::size_t floats_of(SlotKind kind) { return kind == SlotKind::rotation ? 16 : 12; }

// The words that some bones are read from: those of far characters, or near characters' own.
struct WordsPlan {
  std::vector<std::uint32_t> roots;  // bones without a parent that the words cover: the ground moves them
  std::vector<ClipChannels> clips;   // one a clip, or none at all

  // Nothing: the clip is not in these words.
  const ClipChannels* find(ClipId clip) const {
    return clips.empty() || clips[clip.value].empty() ? nullptr : &clips[clip.value];
  }
};

struct RigChannels {
  std::vector<SoaTransform> still;  // every bone where no channel says otherwise; empty: no clip is in localv
  WordsPlan far, own;
};

RigChannels plan_channels(const Motion& motion);

}  // namespace throng::detail::animator
