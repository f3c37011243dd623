#pragma once
// Root motion: how the ground under a character moves while it plays. Steps of any size end in the same place.

#include <span>

#include "playing.h"
#include "throng/character/character.h"

namespace throng {

// First `first`, then `then` as seen from there; the way back; the way done `times` times, backwards when below 0.
RootSample joined(const RootSample& first, const RootSample& then);
RootSample way_back(const RootSample& way);
RootSample repeated(const RootSample& way, std::int64_t times);

// model_from_ground where the track is, counted from the clip's first frame over all turns.
RootSample ground_at(const BakedClip& clip, const TrackRecord& track, Ticks now);

// The way over the ground between two moments. While a cross-fade lasts it is the weighted sum of both tracks' ways,
// the weight changing in kFadeSteps steps, each of a time that depends on the fade alone.
inline constexpr std::int64_t kFadeSteps = 64;
RootSample way_between(std::span<const BakedClip> clips, const PlayRecord& play, Ticks from, Ticks to);

}  // namespace throng
