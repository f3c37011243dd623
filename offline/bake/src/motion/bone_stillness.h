// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones never move against their parent in any clip, and which only rotate.

#include "motion/columns.h"

namespace throng::detail::bake {

struct LinkSource;

// One entry a bone each.
struct ClipStillness {
  std::vector<std::optional<double>> uneven;  // the time at which it is scaled by more than one number, or mirrored
  std::vector<std::uint8_t> turns, shifts, grows;  // against the first pose of the first clip
};

struct Stillness {
  std::vector<std::uint8_t> needed;  // a column follows it or something below it
  double size = 0.0;                 // the model's
  std::vector<Transform> first;      // parent_from_bone in the first pose of the first clip
  std::vector<std::uint8_t> turns;   // in any clip
  std::vector<std::uint8_t> shifts;  // in any clip: its translation
  std::vector<std::uint8_t> grows;   // in any clip: its scale
  std::vector<ClipStillness> clips;
};

// Looked at are the frames of every clip and the times half-way between them. What exporters leave of constant curves
// is no movement: a millionth of `size` (the model's), of a radian, a hundred thousandth of a scale.
Stillness find_stillness(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Column>& columns,
                         double size, Executor& executor);

// What of a bone is elsewhere than it was: turned, shifted or scaled by more than such noise.
struct BoneMoves {
  bool turns = false, shifts = false, grows = false;

  BoneMoves& operator|=(const BoneMoves& other) {
    turns = turns || other.turns;
    shifts = shifts || other.shifts;
    grows = grows || other.grows;
    return *this;
  }
};
BoneMoves moves_of(const Transform& from, const Transform& to, double size);
// Whether any of it is.
bool has_moved(const Transform& from, const Transform& to, double size);

// parent_from_link when the link's bone is as in the pose.
BoneSample moved_link(const LinkSource& source, const Transform& bone);

}  // namespace throng::detail::bake
