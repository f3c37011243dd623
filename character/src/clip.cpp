// SPDX-License-Identifier: Apache-2.0
#include "throng/character/clip.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

std::uint32_t interval_count(const BakedClip& clip) {
  return clip.loops ? clip.frame_count : std::max(clip.frame_count, 1u) - 1u;
}

}  // namespace

double BakedClip::rate() const { return length > 0.0 ? interval_count(*this) / length : 0.0; }

ExactCursor cursor_at_time(const BakedClip& clip, double seconds) {
  const std::uint32_t intervals = interval_count(clip);
  double cycles = clip.length > 0.0 ? seconds / clip.length : 0.0;
  cycles = clip.loops ? cycles - std::floor(cycles) : std::clamp(cycles, 0.0, 1.0);
  const double position = std::min(cycles * intervals, static_cast<double>(intervals));
  auto frame = static_cast<std::uint32_t>(position);
  double blend = position - frame;
  // A fraction of a cycle that rounds up to a whole one is the loop's start, or the stopped clip's end.
  if (frame >= intervals) {
    frame = clip.loops ? 0 : intervals;
    blend = 0.0;
  }
  std::uint32_t next = frame + 1;
  if (next >= clip.frame_count) next = clip.loops ? 0 : frame;
  ExactCursor out;
  out.cursor.frame = clip.first_frame + frame;
  out.cursor.next = clip.first_frame + next;
  out.cursor.blend = std::min(static_cast<float>(blend), std::nextafter(1.0f, 0.0f));
  out.blend = blend;
  return out;
}

}  // namespace throng
