// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all clips of a bone-mode bake share, and one clip of it made with any encoding at any rate.

#include "measure/compare_frame.h"
#include "motion/skeleton.h"

namespace throng::detail::bake {

struct BoneBakeInputs {
  const Model& source;
  const BakeSettings& settings;
  const Columns& columns;
  const ColumnShape& shape;
  const ComparedPoints& points;
  const Skeleton* skeleton = nullptr;  // null unless local8 or localv is to be considered
  double mm_per_unit = 1.0;
  double bound_share = 1.0;  // of the error bound that bones may take
};

// What keeps a clip from an encoding, for a message; empty when nothing does. `clip` counts in the plans that the bake
// began with.
std::string misfit_words(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples,
                         std::size_t clip, Encoding encoding);

// The refusal of an encoding that was asked for: what it cannot hold, and which can.
Error refusal_of(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples, std::size_t clip,
                 Encoding encoding);

// Any but localv.
EncodedClip encode(const BoneBakeInputs& bake, const ClipPlan& plan, const ColumnSamples& samples, Encoding encoding);

// A model with nothing in it but what decoding this clip takes.
CharacterDraft trial_model(const BoneBakeInputs& bake, const ClipPlan& plan, const EncodedClip& clip);

// Intervals a second.
double rate_of(const FramePlan& frames);

}  // namespace throng::detail::bake
