// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/clock.h"

#include <algorithm>
#include <cmath>

namespace throng {

namespace {

// A quarter of what 64 bits hold: differences of two such times still have a sign.
constexpr double kMostTicks = 4.6e18;

}  // namespace

Ticks ticks_from_seconds(double seconds) {
  const double ticks = seconds * static_cast<double>(kTicksPerSecond);
  return std::isnan(ticks) ? 0 : static_cast<Ticks>(std::llround(std::clamp(ticks, -kMostTicks, kMostTicks)));
}

double seconds_from_ticks(Ticks ticks) {
  return static_cast<double>(static_cast<std::int64_t>(ticks)) / static_cast<double>(kTicksPerSecond);
}

Ticks Clock::advance(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0.0) return 0;
  const double exact = std::min(seconds * static_cast<double>(kTicksPerSecond) + carry_, kMostTicks);
  const double whole = std::floor(exact);
  carry_ = exact - whole;
  const auto elapsed = static_cast<Ticks>(whole);
  now_ += elapsed;
  return elapsed;
}

}  // namespace throng
