// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/pack_rotation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {

gpu::uvec2 pack_rotation(const glm::dquat& rotation) {
  const glm::dquat unit = glm::normalize(rotation);
  const std::array<double, 4> components{unit.x, unit.y, unit.z, unit.w};
  std::size_t left_out = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(components[i]) > std::abs(components[left_out])) left_out = i;
  }
  constexpr double kMiddle = 524287.0;
  const double scale = std::copysign(kMiddle * std::sqrt(2.0), components[left_out]);
  std::array<std::uint32_t, 3> fields{};
  for (std::size_t i = 0, field = 0; i < 4; ++i) {
    if (i == left_out) continue;
    fields[field++] =
        static_cast<std::uint32_t>(std::clamp(std::round(components[i] * scale) + kMiddle, 0.0, 2.0 * kMiddle));
  }
  return {fields[0] | fields[1] << 20, fields[1] >> 12 | fields[2] << 8 | static_cast<std::uint32_t>(left_out) << 28};
}

}  // namespace throng
