// SPDX-License-Identifier: Apache-2.0
#pragma once
// At which times of a clip frames are taken. Pure arithmetic.
//
// A frame between two keys of the source cuts the corner the source turns at the key, so the rate follows the keys
// where they are evenly spaced: always a whole multiple of their rate, or a whole fraction of it, whichever is nearest
// to what was asked for. Keys at 24 a second are baked at 24, 48, 72 …, or 12, 8 …, never at 30. Of the fractions, one
// that lands on keys all the way (the keys skipped divide the clip's number of intervals) is preferred where there is
// one near what was asked for; else the number of frames is rounded to a whole one and they drift from the keys.

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/clip_facts/key_rate.h"
#include "throng/model/model.h"

namespace throng {

struct FramePlan {
  bool loops = false;
  std::uint32_t frame_count = 1;
  double length = 0.0;  // seconds: one cycle when it loops, first to last frame when not

  // Seconds from the clip's start to a frame. The last frame of a clip that does not loop is at exactly `length`;
  // frame_count of a loop is its first frame again.
  double time_of(std::uint32_t frame) const;
};

// How many key intervals `length` seconds have.
std::uint32_t key_intervals(double length, double key_rate);

// Frames a second to aim for: `wanted`, or the multiple or fraction of `key_rate` nearest to it. `intervals` (0: not
// known) are the keys' between the clip's first frame and the end of its cycle.
double fitting_rate(double wanted, std::optional<double> key_rate, std::uint32_t intervals = 0);

// Rates worth trying for a clip whose frames span `length` seconds, ascending, from about 5 a second to `highest`:
// fractions and multiples of the key rate, or steps of a quarter around `wanted` where keys are uneven. No two give the
// same number of frames; `wanted`, as fitting_rate has it, is among them unless it is above `highest`.
std::vector<double> candidate_rates(std::optional<double> key_rate, double length, double wanted, double highest);
std::vector<double> candidate_rates(const Clip& clip, double wanted, double highest);

// A loop of `length` seconds: a whole number of frames, whose rate follows from it. No length: one frame.
FramePlan plan_loop(double length, double rate);

// First to last pose: both are frames. No length: one frame.
FramePlan plan_once(double length, double rate);

}  // namespace throng
