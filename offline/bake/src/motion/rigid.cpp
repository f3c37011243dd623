// SPDX-License-Identifier: Apache-2.0
#include "motion/rigid.h"

#include <algorithm>
#include <cmath>

#include "throng/math/directions.h"
#include "throng/math/singular_values.h"

namespace throng::detail::bake {
namespace {

constexpr double kMaxSingularRatio = 1.005;
constexpr double kNoScale = 5e-5;     // relative to the reference pose; UNORM16 rounds below this
constexpr double kScaleSlack = 1e-4;  // difference of scales that moves a vertex 1 m away by 0.1 mm
constexpr double kSmallestCondition = 1e-6;

// Newton's iteration for the orthogonal factor; converges quadratically from a matrix this near to a rotation.
glm::dmat3 nearest_rotation(const glm::dmat3& m) {
  glm::dmat3 x = m / std::cbrt(glm::determinant(m));
  for (int i = 0; i < 20; ++i) {
    const glm::dmat3 next = (x + glm::transpose(glm::inverse(x))) * 0.5;
    const glm::dmat3 step = next - x;
    x = next;
    if (glm::dot(step[0], step[0]) + glm::dot(step[1], step[1]) + glm::dot(step[2], step[2]) < 1e-28) break;
  }
  return x;
}

double trace_of_product(const glm::dmat3& a, const glm::dmat3& b) {
  return glm::dot(a[0], b[0]) + glm::dot(a[1], b[1]) + glm::dot(a[2], b[2]);
}

// A place whose square overflows is out of range too.
bool in_range(const glm::dvec3& singular, const glm::dvec3& translation) {
  return is_finite(singular) && is_finite(glm::dot(translation, translation));
}

bool vanishes(const glm::dvec3& singular) {
  return singular.x < kNoScale || (singular.x < kScaleSlack && singular.z < kSmallestCondition * singular.x);
}

bool uniform(const glm::dvec3& singular) {
  return singular.x <= kMaxSingularRatio * singular.z || singular.x - singular.z <= kScaleSlack;
}

}  // namespace

Result<Rigid> to_rigid(const glm::dmat4& m) {
  const glm::dmat3 linear(m);
  const glm::dvec3 s = singular_values(linear);
  const glm::dvec3 translation(m[3]);
  if (!in_range(s, translation)) return fail("moves out of all range");
  if (vanishes(s)) return Rigid{glm::dquat(1.0, 0.0, 0.0, 0.0), 0.0, translation};
  if (!uniform(s)) return fail("scales non-uniformly or shears ({:.4g} to {:.4g} of its size)", s.z, s.x);
  if (glm::determinant(linear) < 0.0) return fail("is mirrored");
  const glm::dmat3 rotation = nearest_rotation(linear);
  return Rigid{glm::normalize(glm::quat_cast(rotation)), trace_of_product(rotation, linear) / 3.0, translation};
}

bool is_rigid(const glm::dmat4& m) {
  const glm::dmat3 linear(m);
  const glm::dvec3 s = singular_values(linear);
  if (!in_range(s, glm::dvec3(m[3]))) return false;
  return vanishes(s) || (uniform(s) && glm::determinant(linear) >= 0.0);
}

}  // namespace throng::detail::bake
