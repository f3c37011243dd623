// SPDX-License-Identifier: Apache-2.0
#include "dual_quaternion.h"

#include "throng/math/directions.h"

namespace throng {

DualQuaternion detail::pose::blended_dual_quaternion(const Mesh& mesh, std::size_t vertex,
                                                     const std::vector<DualQuaternion>& palette) {
  const glm::dquat strongest = palette[mesh.influences[vertex].bindings[0]].real;
  DualQuaternion sum{.real = glm::dquat(0, 0, 0, 0), .dual = glm::dquat(0, 0, 0, 0), .scale = glm::dvec3(0.0)};
  for_each_influence(mesh, vertex, [&](std::uint16_t binding, float weight) {
    const DualQuaternion& bone = palette[binding];
    const double w = static_cast<double>(weight);
    const double signed_weight = glm::dot(strongest, bone.real) < 0.0 ? -w : w;
    sum.real += bone.real * signed_weight;
    sum.dual += bone.dual * signed_weight;
    sum.scale += bone.scale * w;
  });
  // Not zero: every term is on the strongest one's side, and that one weighs something.
  const double length = glm::length(sum.real);
  sum.real /= length;
  sum.dual /= length;
  return sum;
}

glm::dvec3 detail::pose::move_point(const DualQuaternion& move, const glm::dvec3& point) {
  const glm::dquat twice = move.dual * glm::conjugate(move.real);
  return move.real * (move.scale * point) + 2.0 * glm::dvec3(twice.x, twice.y, twice.z);
}

glm::dvec3 detail::pose::rotate_normal(const DualQuaternion& move, const glm::dvec3& normal) {
  const glm::dvec3& s = move.scale;
  const double side = s.x * s.y * s.z < 0.0 ? -1.0 : 1.0;
  const glm::dvec3 scaled = side * glm::dvec3(s.y * s.z, s.z * s.x, s.x * s.y) * normal;
  const glm::dvec3 rotated = move.real * unit_or(scaled, normal, kShortestColumn);
  return unit_or(rotated, normal, kShortestColumn);
}

}  // namespace throng
