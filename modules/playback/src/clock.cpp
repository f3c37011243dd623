#include "throng/playback/clock.h"

#include <cmath>

namespace throng {

Ticks ticks_from_seconds(double seconds) {
  return static_cast<Ticks>(std::llround(seconds * static_cast<double>(kTicksPerSecond)));
}

double seconds_from_ticks(Ticks ticks) {
  return static_cast<double>(static_cast<std::int64_t>(ticks)) / static_cast<double>(kTicksPerSecond);
}

Ticks Clock::advance(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0.0) return 0;
  const double exact = seconds * static_cast<double>(kTicksPerSecond) + carry_;
  const double whole = std::floor(exact);
  carry_ = exact - whole;
  const auto elapsed = static_cast<Ticks>(whole);
  now_ += elapsed;
  return elapsed;
}

}  // namespace throng
