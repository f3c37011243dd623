// SPDX-License-Identifier: Apache-2.0
#include "near/near_bounds.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "throng/math/dual_quaternion.h"
#include "throng/math/simd/float4.h"

namespace throng::detail::renderer {

using namespace simd;

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

// Bounds the box as a ball: bones turn it without changing its size. What a vertex's mean of scales may differ by from
// the strongest bone's makes it larger.
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
  // This is as in linear blending: the piece may lie far from its origin, and be shifted back.
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

// The matrices of four bones, entry by entry.
struct FourMatrices {
  Float4 rows[3][4];

  FourMatrices(std::span<const Affine> of, const std::array<std::uint32_t, 4>& which) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t i = 0; i < 4; ++i) rows[row][i] = load(&of[which[i]].rows[row].x);
      transpose(rows[row][0], rows[row][1], rows[row][2], rows[row][3]);
    }
  }

  Float4 dot_of_columns(std::size_t a, std::size_t b) const {
    return rows[0][a] * rows[0][b] + rows[1][a] * rows[1][b] + rows[2][a] * rows[2][b];
  }

  // The even_scale() of each.
  Float4 even_scales() const {
    const Float4 x = dot_of_columns(0, 0);
    const Float4 lengths = greatest(absolute(x - dot_of_columns(1, 1)), absolute(x - dot_of_columns(2, 2)));
    const Float4 angles = greatest(absolute(dot_of_columns(0, 1)),
                                   greatest(absolute(dot_of_columns(0, 2)), absolute(dot_of_columns(1, 2))));
    return greatest(lengths, angles) <= splat(kEven) * x ? x : splat(std::numeric_limits<float>::infinity());
  }
};

float least_of(Float4 v) { return std::min(std::min(v[0], v[1]), std::min(v[2], v[3])); }
float most_of(Float4 v) { return std::max(std::max(v[0], v[1]), std::max(v[2], v[3])); }

}  // namespace

LinearBoxes::LinearBoxes(std::span<const BoneBox> boxes) {
  for (std::size_t first = 0; first < boxes.size(); first += 4) {
    Group group;
    group.first_reach = static_cast<std::uint32_t>(reaches_.size());
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const BoneBox& from = boxes[std::min(first + lane, boxes.size() - 1)];
      group.bindings[lane] = from.binding;
      group.largest[lane] = from.largest;
      for (glm::length_t axis = 0; axis < 3; ++axis) {
        group.min[axis][lane] = from.box.min[axis];
        group.max[axis][lane] = from.box.max[axis];
      }
      for (const MorphReach& reach : from.reaches) reaches_.push_back({reach.target, lane, reach.offsets});
    }
    group.reach_count = static_cast<std::uint32_t>(reaches_.size()) - group.first_reach;
    groups_.push_back(group);
  }
}

// Grows by what bones make of the boxes they are given, four at a time.
struct BoxMover {
  const LinearBoxes& boxes;
  const BoxMoves& moves;
  Float4 low[3] = {splat(kFar), splat(kFar), splat(kFar)};
  Float4 high[3] = {splat(-kFar), splat(-kFar), splat(-kFar)};
  Float4 largest = splat(0.0f);  // number that was summed: large ones of opposite signs round as they do

  static constexpr float kFar = std::numeric_limits<float>::infinity();

  void add(const LinearBoxes::Group& group) {
    if (group.reach_count == 0) return add(group, group);
    LinearBoxes::Group widened = group;
    for (std::uint32_t i = 0; i < group.reach_count; ++i) {
      const LinearBoxes::Reach& reach = boxes.reaches_[group.first_reach + i];
      const float weight = moves.weights[reach.target];
      if (weight == 0.0f) continue;
      const glm::vec3& down = weight > 0.0f ? reach.offsets.min : reach.offsets.max;
      const glm::vec3& up = weight > 0.0f ? reach.offsets.max : reach.offsets.min;
      for (glm::length_t axis = 0; axis < 3; ++axis) {
        widened.min[axis][reach.lane] += weight * down[axis];
        widened.max[axis][reach.lane] += weight * up[axis];
      }
    }
    add(group, widened);
  }

  void add_all() {
    for (const LinearBoxes::Group& group : boxes.groups_) add(group);
  }

 private:
  void add(const LinearBoxes::Group& group, const LinearBoxes::Group& box) {
    std::array<std::uint32_t, 4> bones{};
    for (std::size_t i = 0; i < 4; ++i) bones[i] = moves.bound_bones[group.bindings[i]];
    const FourMatrices by(moves.model_from_bones, bones);
    const Vectors4 min = load_vectors(box.min), max = load_vectors(box.max);
    const Float4 half = splat(0.5f);
    const Vectors4 centre = (min + max) * half, reach = (max - min) * half;
    const Float4 most = load(group.largest);
    for (std::size_t row = 0; row < 3; ++row) {
      const Float4(&m)[4] = by.rows[row];
      const Float4 x = absolute(m[0]), y = absolute(m[1]), z = absolute(m[2]);
      const Float4 at = m[0] * centre.x + m[1] * centre.y + (m[2] * centre.z + m[3]);
      const Float4 around = x * reach.x + y * reach.y + z * reach.z;
      low[row] = least(low[row], at - around);
      high[row] = greatest(high[row], at + around);
      largest = greatest(largest, (x + y + z) * most + absolute(m[3]));
    }
  }
};

FloatBox moved_bounds(const LinearBoxes& boxes, const BoxMoves& moves) {
  BoxMover mover{.boxes = boxes, .moves = moves};
  mover.add_all();
  const FloatBox all{{least_of(mover.low[0]), least_of(mover.low[1]), least_of(mover.low[2])},
                     {most_of(mover.high[0]), most_of(mover.high[1]), most_of(mover.high[2])}};
  return all.empty() ? all : widened(all, std::max(most_of(mover.largest), largest_in(all)));
}

FloatBox moved_bounds(std::span<const ScrewBox> boxes, const BoxMoves& moves) {
  FloatBox all;
  ScrewPalette palette(moves);
  for (const ScrewBox& screw : boxes) all.add(moved(screw, palette, moves.weights));
  return all.empty() ? all : widened(all, largest_in(all));
}

float even_scale(const Affine& matrix) { return FourMatrices(std::span(&matrix, 1), {}).even_scales()[0]; }

ScaleRange scales_of(std::span<const std::uint32_t> bindings, const BoxMoves& moves,
                     std::span<const float> binding_scales) {
  constexpr float kFar = std::numeric_limits<float>::infinity();
  Float4 lowest = splat(kFar), highest = splat(0.0f);
  for (std::size_t first = 0; first < bindings.size(); first += 4) {
    std::array<std::uint32_t, 4> bones{};
    Float4 own{};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t binding = bindings[std::min(first + i, bindings.size() - 1)];
      bones[i] = moves.bound_bones[binding];
      own[i] = binding_scales[binding];
    }
    const Float4 scale = FourMatrices(moves.model_from_bones, bones).even_scales() * own;
    lowest = least(scale, lowest);
    // Where one is uneven (infinite) and the other 0, their product is NaN.
    highest = greatest(highest, scale < splat(kFar) ? scale : splat(kFar));
  }
  return {least_of(lowest), most_of(highest)};
}

// A number that is not finite makes every sum it is in none either, and 0 · x is 0 for all that are.
bool all_finite(std::span<const Affine> matrices) {
  Float4 sums[3] = {};
  for (const Affine& matrix : matrices)
    for (std::size_t row = 0; row < 3; ++row) sums[row] += load(&matrix.rows[row].x) * 0.0f;
  const Float4 sum = sums[0] + sums[1] + sums[2];
  return sum[0] == 0.0f && sum[1] == 0.0f && sum[2] == 0.0f && sum[3] == 0.0f;
}

}  // namespace throng::detail::renderer
