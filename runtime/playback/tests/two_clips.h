// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model of which only the clips matter, for tests of time.

#include "built_character.h"
#include "throng/playback/clock.h"
#include "throng/playback/crowd.h"

namespace throng {

inline BakedClip make_clip(std::string name, double length, std::uint32_t frames, bool loops,
                           std::vector<ClipEvent> events = {}) {
  BakedClip clip;
  clip.name = std::move(name);
  clip.length = length;
  clip.frame_count = frames;
  clip.loops = loops;
  clip.events = std::move(events);
  return clip;
}

// 0: a walk of 1 s that loops, with a step at 0.25 and 0.75. 1: a death of 2 s that does not, with a cry at its start
// and another event at its end. 2: a run of 0.6 s that loops, with events at its start and in its middle.
inline CharacterDraft two_clips_draft() {
  CharacterDraft model;
  model.clips = {make_clip("walk", 1.0, 30, true, {{0.25, "left"}, {0.75, "right"}}),
                 make_clip("death", 2.0, 61, false, {{0.0, "cry"}, {2.0, "still"}}),
                 make_clip("run", 0.6, 18, true, {{0.0, "left"}, {0.3, "right"}})};
  model.clips[1].first_frame = 30;
  model.clips[2].first_frame = 91;
  return model;
}

inline Character two_clips() { return test::built_from_clips(two_clips_draft()); }

inline Ticks ticks(double seconds) { return ticks_from_seconds(seconds); }

}  // namespace throng
