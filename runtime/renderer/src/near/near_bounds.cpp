// SPDX-License-Identifier: Apache-2.0
#include "near/near_bounds.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "throng/math/dual_quaternion.h"

namespace throng::detail::renderer {
namespace {

// How far single precision may be off, of the size of the numbers: products of a few matrices.
constexpr float kRounding = 1e-5f;

FloatBox with_morphs(FloatBox box, std::span<const MorphReach> reaches, std::span<const float> weights) {
  for (const MorphReach& reach : reaches) {
    const float weight = weights[reach.target];
    if (weight == 0.0f) continue;
    box.min += weight * (weight > 0.0f ? reach.offsets.min : reach.offsets.max);
    box.max += weight * (weight > 0.0f ? reach.offsets.max : reach.offsets.min);
  }
  return box;
}

FloatBox moved(const Affine& by, const FloatBox& box) {
  const glm::vec4 centre(0.5f * (box.min + box.max), 1.0f);
  const glm::vec3 half = 0.5f * (box.max - box.min);
  FloatBox result;
  for (glm::length_t i = 0; i < 3; ++i) {
    const glm::vec4& row = by.rows[static_cast<std::size_t>(i)];
    const float at = glm::dot(row, centre);
    const float reach = glm::dot(glm::abs(glm::vec3(row)), half);
    result.min[i] = at - reach;
    result.max[i] = at + reach;
  }
  return result;
}

// For what was rounded on the way, here and where vertices are skinned.
FloatBox widened(FloatBox box, float largest) {
  if (box.empty()) return box;
  const glm::vec3 rim(kRounding * (largest + glm::length(box.max - box.min)));
  return {box.min - rim, box.max + rim};
}

float largest_in(const FloatBox& box) {
  const glm::vec3 most = glm::max(glm::abs(box.min), glm::abs(box.max));
  return std::max({most.x, most.y, most.z});
}

glm::dmat4 to_double(const Affine& affine) {
  glm::dmat4 result(1.0);
  for (glm::length_t row = 0; row < 3; ++row)
    for (glm::length_t column = 0; column < 4; ++column)
      result[column][row] = static_cast<double>(affine.rows[static_cast<std::size_t>(row)][column]);
  return result;
}

// Products of large numbers with opposite signs round as the large numbers do.
float largest_summed(const Affine& by, float largest) {
  float most = 0.0f;
  for (const glm::vec4& row : by.rows) {
    const glm::vec4 a = glm::abs(row);
    most = std::max(most, (a.x + a.y + a.z) * largest + a.w);
  }
  return most;
}

// A dual quaternion as points are moved by it: scale, then turn, then shift.
struct Screw {
  glm::dquat turn;
  glm::dvec3 shift;
  glm::dvec3 scale;

  glm::dvec3 operator()(const glm::dvec3& scaled) const { return turn * scaled + shift; }
};

// The palette of a piece's model as screws, each made when it is first asked for.
class ScrewPalette {
 public:
  explicit ScrewPalette(const BoxMoves& moves) : moves_(moves), made_(moves.bindings.size()) {}

  const Screw& operator[](std::uint32_t binding) {
    std::optional<Screw>& screw = made_[binding];
    if (!screw) {
      const DualQuaternion dual = to_dual_quaternion(to_double(moves_.model_from_bones[moves_.bound_bones[binding]]) *
                                                     moves_.bindings[binding].bone_from_mesh);
      const glm::dquat shift = dual.dual * glm::conjugate(dual.real);
      screw = Screw{dual.real, 2.0 * glm::dvec3(shift.x, shift.y, shift.z), dual.scale};
    }
    return *screw;
  }

 private:
  const BoxMoves& moves_;
  std::vector<std::optional<Screw>> made_;
};

double largest_of(const glm::dvec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// As a ball: bones turn it without changing its size. What a vertex's mean of scales may differ by from the strongest
// bone's makes it larger.
FloatBox moved(const ScrewBox& screw, ScrewPalette& palette, std::span<const float> weights) {
  const FloatBox box = with_morphs(screw.box, screw.reaches, weights);
  const glm::dvec3 middle = 0.5 * (glm::dvec3(box.min) + glm::dvec3(box.max));
  const Screw& own = palette[screw.binding];
  const glm::dvec3 scaled = own.scale * middle;
  const glm::dvec3 centre = own(scaled);
  double reach = 0.0;
  double least_cosine = 1.0;
  double largest_scale = largest_of(own.scale);
  double other_scale = 0.0;
  for (const std::uint32_t binding : screw.others) {
    const Screw& other = palette[binding];
    reach = std::max(reach, glm::distance(centre, other(scaled)));
    least_cosine = std::min(least_cosine, std::abs(glm::dot(own.turn, other.turn)));
    largest_scale = std::max(largest_scale, largest_of(other.scale));
    other_scale = std::max(other_scale, largest_of(other.scale - own.scale));
  }
  const double half = 0.5 * glm::distance(glm::dvec3(box.min), glm::dvec3(box.max));
  // As in linear blending: the piece may lie far from its origin, and be shifted back.
  const double rounded =
      static_cast<double>(kRounding) * (largest_scale * glm::length(middle) + glm::length(own.shift));
  const double radius = reach + largest_scale * half + other_scale * glm::length(middle) + rounded;
  const double least = static_cast<double>(screw.least_weight);
  const double length = least + (1.0 - least) * least_cosine;
  FloatBox result;
  result.add_outwards(centre - radius / (length * length));
  result.add_outwards(centre + radius / (length * length));
  return result;
}

}  // namespace

FloatBox moved_bounds(const PieceBoxes& boxes, SkinMethod method, const BoxMoves& moves) {
  FloatBox all;
  float largest = 0.0f;
  if (method == SkinMethod::linear) {
    for (const BoneBox& bone : boxes.linear) {
      const Affine& model_from_bone = moves.model_from_bones[moves.bound_bones[bone.binding]];
      all.add(moved(model_from_bone, with_morphs(bone.box, bone.reaches, moves.weights)));
      largest = std::max(largest, largest_summed(model_from_bone, bone.largest));
    }
  } else {
    ScrewPalette palette(moves);
    for (const ScrewBox& screw : boxes.dual) all.add(moved(screw, palette, moves.weights));
  }
  if (!all.empty()) largest = std::max(largest, largest_in(all));
  return widened(all, largest);
}

}  // namespace throng::detail::renderer
