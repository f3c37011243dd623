// SPDX-License-Identifier: Apache-2.0
#include "fbx/scene/axes.h"

#include <cmath>

namespace throng::detail::fbx {
namespace {

// Frames a second by TimeMode; 14 is the file's own number.
constexpr double kFrameRates[] = {30.0,
                                  120.0,
                                  100.0,
                                  60.0,
                                  50.0,
                                  48.0,
                                  30.0,
                                  30.0,
                                  30000.0 / 1001.0,
                                  30000.0 / 1001.0,
                                  25.0,
                                  24.0,
                                  1000.0,
                                  24000.0 / 1001.0,
                                  0.0,
                                  96.0,
                                  72.0,
                                  60000.0 / 1001.0};
constexpr std::int64_t kCustomRate = 14;
constexpr double kSlowest = 1.0;
constexpr double kFastest = 240.0;

Result<glm::dvec3> axis_of(const Document& document, const std::string& name, std::int64_t usual) {
  const std::int64_t axis = document.integer(document.settings(), name, usual);
  const std::int64_t sign = document.integer(document.settings(), name + "Sign", 1);
  if (axis < 0 || axis > 2) return fail("GlobalSettings has {} {}; axes are 0, 1 and 2", name, axis);
  glm::dvec3 direction(0.0);
  direction[static_cast<glm::length_t>(axis)] = sign < 0 ? -1.0 : 1.0;
  return direction;
}

}  // namespace

Result<glm::dmat3> read_axes(const Document& document) {
  const auto right = axis_of(document, "CoordAxis", 0);
  const auto up = axis_of(document, "UpAxis", 1);
  const auto front = axis_of(document, "FrontAxis", 2);
  for (const auto* axis : {&right, &up, &front}) {
    if (!*axis) return fail(Error{axis->error()});
  }
  const glm::dmat3 rows(*right, *up, *front);
  if (std::abs(glm::determinant(rows)) < 0.5) return fail("GlobalSettings names one axis twice");
  return glm::transpose(rows);
}

double read_frame_rate(const Document& document) {
  const std::int64_t mode = document.integer(document.settings(), "TimeMode", 0);
  double rate = kFrameRates[0];
  if (mode > 0 && mode < static_cast<std::int64_t>(std::size(kFrameRates))) rate = kFrameRates[mode];
  if (mode == kCustomRate) rate = document.real(document.settings(), "CustomFrameRate").value_or(kFrameRates[0]);
  if (!(rate >= kSlowest)) return kFrameRates[0];
  return rate > kFastest ? rate / std::ceil(rate / kFastest) : rate;
}

}  // namespace throng::detail::fbx
