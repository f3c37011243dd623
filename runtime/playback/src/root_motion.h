// SPDX-License-Identifier: Apache-2.0
#pragma once
// Root motion: how the ground under a character moves while it plays. Steps of any size end in the same place.

#include <span>

#include "playing.h"
#include "throng/character/character.h"
#include "throng/math/ground.h"

namespace throng::detail::playback {

// model_from_ground where the track is, counted from the clip's first frame over all cycles.
GroundMotion ground_at(const BakedClip& clip, const TrackRecord& track, Ticks now);

// The root motion between two moments. While a cross-fade lasts it is the weighted sum of both tracks' motions, the
// weight changing in kFadeSteps steps, each of a time that depends on the fade alone.
inline constexpr std::int64_t kFadeSteps = 64;
GroundMotion motion_between(std::span<const BakedClip> clips, const PlayRecord& play, Ticks from, Ticks to);

}  // namespace throng::detail::playback
