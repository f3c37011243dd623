// SPDX-License-Identifier: Apache-2.0
#include "render/steady_time.h"

#include <algorithm>
#include <cstddef>

std::optional<double> steady_microseconds(std::vector<double> seconds) {
  constexpr std::size_t kWarmUp = 4;
  constexpr std::size_t kFewest = 8;
  if (seconds.size() < kWarmUp + kFewest) return std::nullopt;
  seconds.erase(seconds.begin(), seconds.begin() + kWarmUp);
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle * 1e6;
}
