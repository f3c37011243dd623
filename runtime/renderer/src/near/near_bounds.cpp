// SPDX-License-Identifier: Apache-2.0
#include "near/near_bounds.h"

#include <algorithm>

namespace throng::detail::renderer {

using namespace simd;

namespace {

// The even_scale() of each.
Float4 even_scales(const FourMatrices& of) {
  const Float4 x = of.dot_of_columns(0, 0);
  const Float4 lengths = greatest(absolute(x - of.dot_of_columns(1, 1)), absolute(x - of.dot_of_columns(2, 2)));
  const Float4 angles = greatest(absolute(of.dot_of_columns(0, 1)),
                                 greatest(absolute(of.dot_of_columns(0, 2)), absolute(of.dot_of_columns(1, 2))));
  return greatest(lengths, angles) <= splat(kEven) * x ? x : splat(std::numeric_limits<float>::infinity());
}

}  // namespace

LinearBoxes::LinearBoxes(std::span<const BoneBox> boxes) : boxes_(boxes) {
  for (std::size_t first = 0; first < boxes.size(); first += 4) {
    Group& group = groups_.emplace_back();
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const BoneBox& from = boxes[std::min(first + lane, boxes.size() - 1)];
      group.bindings[lane] = from.binding;
      group.largest[lane] = from.largest;
    }
  }
}

FloatBox LinearBoxes::moved(const BoxMoves& moves) const {
  BoxOfLanes box;
  Float4 largest = splat(0.0f);  // number that was summed: large ones of opposite signs round as they do
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    std::array<std::uint32_t, 4> bones{};
    for (std::size_t lane = 0; lane < 4; ++lane) bones[lane] = moves.bound_bones[group.bindings[lane]];
    const FourMatrices by(moves.model_from_bones, bones);
    const BoxLanes::Corners corners = boxes_.corners(i, moves.weights);
    const Float4 half = splat(0.5f);
    const Vectors4 centre = (corners.min + corners.max) * half, reach = (corners.max - corners.min) * half;
    const Float4 most = load(group.largest);
    for (std::size_t row = 0; row < 3; ++row) {
      const Float4(&m)[4] = by.rows[row];
      const Float4 x = absolute(m[0]), y = absolute(m[1]), z = absolute(m[2]);
      const Float4 at = m[0] * centre.x + m[1] * centre.y + (m[2] * centre.z + m[3]);
      box.add(row, at, x * reach.x + y * reach.y + z * reach.z);
      largest = greatest(largest, (x + y + z) * most + absolute(m[3]));
    }
  }
  const FloatBox all = box.all();
  return all.empty() ? all : widened(all, std::max(most_of(largest), largest_in(all)));
}

float even_scale(const Affine& matrix) { return even_scales(FourMatrices(std::span(&matrix, 1), {}))[0]; }

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
    const Float4 scale = even_scales(FourMatrices(moves.model_from_bones, bones)) * own;
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
