// SPDX-License-Identifier: Apache-2.0
#include "preview/ground.h"

#include <algorithm>
#include <cmath>

namespace throng::studio {

GroundMotion ground_at(const BakedClip& clip, double seconds) {
  const auto& samples = clip.root_motion;
  if (samples.size() < 2) return samples.empty() ? GroundMotion{} : samples.front();
  const double at = std::clamp(seconds * clip.rate(), 0.0, static_cast<double>(samples.size() - 1));
  const double from = std::min(std::floor(at), static_cast<double>(samples.size() - 2));
  const auto first = static_cast<std::size_t>(from);
  return interpolate(samples[first], samples[first + 1], at - from);
}

}  // namespace throng::studio
