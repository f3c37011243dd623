// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a character of a crowd does, written down, to be compared.

#include <gtest/gtest.h>

#include <random>

#include "two_clips.h"

namespace throng {

using Fired = std::vector<FiredEvent>;

// Advances to `end` in steps that `step` gives, and tells all that fired.
template <class Step>
Fired advance_by(Crowd& crowd, Ticks from, Ticks end, const Step& step) {
  Fired fired;
  for (Ticks now = from; now < end;) {
    now = std::min<Ticks>(now + step(), end);
    crowd.advance(now, [&](const FiredEvent& event) { fired.push_back(event); });
  }
  return fired;
}

inline Fired advance_at_once(Crowd& crowd, Ticks from, Ticks end) {
  return advance_by(crowd, from, end, [&] { return end - from; });
}

// The events of one clip, in order.
inline std::vector<std::uint32_t> numbers(const Fired& fired, ClipId clip) {
  std::vector<std::uint32_t> out;
  for (const FiredEvent& event : fired) {
    if (event.clip == clip) out.push_back(event.event);
  }
  return out;
}

}  // namespace throng
