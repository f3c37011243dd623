// SPDX-License-Identifier: Apache-2.0
#include "encodings/bits_quaternion.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "encodings/bits.h"

namespace throng::detail::character::bits {
namespace {

using Components = std::array<double, 4>;  // x y z w

// A left-out component below this would be found again with too little precision in a shader's floats. The largest of a
// unit quaternion is 0.5 at least.
constexpr double kLeftOutMin = 0.45;

Components components_of(const SmallestThree& three, int count) {
  Components q{};
  double rest = 1.0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (i == three.left_out) continue;
    q[i] = from_snorm(three.fields[next++], count) / std::numbers::sqrt2;
    rest -= q[i] * q[i];
  }
  q[three.left_out] = std::sqrt(std::max(rest, 0.0));
  return q;
}

SmallestThree leave_out(const Components& q, std::size_t left_out, int count) {
  SmallestThree three;
  three.left_out = static_cast<std::uint32_t>(left_out);
  const double side = q[left_out] < 0.0 ? -1.0 : 1.0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (i != left_out) three.fields[next++] = snorm(side * q[i] * std::numbers::sqrt2, count);
  return three;
}

double squared_distance(const Components& a, const Components& b, double side) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (side * a[i] - b[i]) * (side * a[i] - b[i]);
  return sum;
}

std::size_t largest_of(const Components& q) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < q.size(); ++i)
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  return largest;
}

}  // namespace

SmallestThree encode_smallest_three(const glm::dquat& rotation, int count) {
  const Components q{rotation.x, rotation.y, rotation.z, rotation.w};
  const std::size_t largest = largest_of(q);
  SmallestThree best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (i != largest && std::abs(q[i]) < kLeftOutMin - 0.01) continue;
    const SmallestThree three = leave_out(q, i, count);
    const Components back = components_of(three, count);
    // Judged by what is found again, so that what was decoded once encodes to itself.
    if (i != largest && back[i] < kLeftOutMin) continue;
    const double distance = squared_distance(q, back, q[i] < 0.0 ? -1.0 : 1.0);
    if (distance >= least) continue;
    least = distance;
    best = three;
  }
  return best;
}

glm::dquat decode_smallest_three(const SmallestThree& three, int count) {
  const Components q = components_of(three, count);
  return {q[3], q[0], q[1], q[2]};
}

}  // namespace throng::detail::character::bits
