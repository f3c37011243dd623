// SPDX-License-Identifier: Apache-2.0
#include "transparency.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::detail::scene {
namespace {

double linear_of(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }
double srgb_of(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

}  // namespace

void make_opaque(Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
}

void divide_by_alpha(Image& image) {
  std::array<double, 256> linear{};
  for (std::size_t i = 0; i < linear.size(); ++i) linear[i] = linear_of(static_cast<double>(i) / 255.0);
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    const std::uint8_t alpha = image.rgba[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t c = i; c < i + 3; ++c) {
      const double whole = std::min(linear[image.rgba[c]] * 255.0 / alpha, 1.0);
      image.rgba[c] = static_cast<std::uint8_t>(std::lround(255.0 * srgb_of(whole)));
    }
  }
}

}  // namespace throng::detail::scene
