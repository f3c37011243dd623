#pragma once
// At which times of a clip frames are taken. Pure arithmetic.
//
// A frame between two keys of the source cuts the corner the source turns at the key, so the rate follows the keys
// where they are evenly spaced: always a whole multiple of their rate, or a whole fraction of it, whichever is nearest
// to what was asked for. Keys at 24 a second are baked at 24, 48, 72 …, or 12, 8 …, never at 30. The number of frames
// is then rounded to a whole one, so frames fall on keys where the clip's number of intervals divides by the keys
// skipped.

#include <cstdint>
#include <optional>

#include "throng/model/model.h"

namespace throng {

struct FramePlan {
  bool loops = false;
  std::uint32_t frame_count = 1;
  double length = 0.0;  // seconds: one turn when it loops, first to last frame when not

  // Seconds from the clip's start to a frame. The last frame of a clip that does not loop is at exactly `length`;
  // frame_count of a loop is its first frame again.
  double time_of(std::uint32_t frame) const;
};

// Keys a second when all keys of the clip's bones lie on one even grid from its start to its end; nothing when they do
// not, or when there are fewer than two.
std::optional<double> key_rate_of(const Clip& clip);

// Frames a second to aim for: `wanted`, or the multiple or fraction of `key_rate` nearest to it.
double fitting_rate(double wanted, std::optional<double> key_rate);

// A loop of `length` seconds: a whole number of frames, whose rate follows from it. No length: one frame.
FramePlan plan_loop(double length, double rate);

// First to last pose: both are frames. No length: one frame.
FramePlan plan_once(double length, double rate);

}  // namespace throng
