// SPDX-License-Identifier: Apache-2.0
#include "near/near_screws.h"

#include <map>

#include "throng/math/dual_quaternion.h"

namespace throng::detail::renderer {

using namespace simd;

// A dual quaternion as points are moved by it: scale, then turn, then shift. Rows of the turn, with the shift behind
// them; the scale, and behind it the largest number that was summed up to come to the shift.
struct ScrewBoxes::Screw {
  Float4 rows[3];
  Float4 scale;
};

namespace {

// Of matrices whose columns have lengths between these, are at least so large a part of what was summed up to them, and
// are so far across each other, floats give the turn to some of their last bits. All are squares.
constexpr float kLeastLength = 1e-8f;
constexpr float kMostLength = 1e12f;
constexpr float kLeastPart = 0.25f;
constexpr float kLeastAcross = 0.75f;
constexpr float kLeastVolume = 0.25f;
// By how much such a turn is off at most: its columns by 14, 23 and 39 roundings of 2⁻²⁴ each, together by 47; and half
// as much again for moving a point by it.
constexpr float kTurned = 4.2e-6f;

glm::dmat4 to_double(const Affine& affine) {
  glm::dmat4 result(1.0);
  for (glm::length_t row = 0; row < 3; ++row)
    for (glm::length_t column = 0; column < 4; ++column)
      result[column][row] = static_cast<double>(affine.rows[static_cast<std::size_t>(row)][column]);
  return result;
}

Vectors4 cross(const Vectors4& a, const Vectors4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Vectors4 absolute(const Vectors4& v) { return {simd::absolute(v.x), simd::absolute(v.y), simd::absolute(v.z)}; }
Float4 largest(const Vectors4& v) { return greatest(v.x, greatest(v.y, v.z)); }

}  // namespace

ScrewBoxes::ScrewBoxes(std::span<const ScrewBox> boxes, std::span<const MotionBinding> bindings) : boxes_(boxes) {
  std::map<std::uint32_t, std::uint32_t> numbers;  // among those of the piece
  const auto number_of = [&](std::uint32_t binding) {
    return numbers.try_emplace(binding, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  for (std::size_t first = 0; first < boxes.size(); first += 4) {
    Group& group = groups_.emplace_back();
    group.first_other = static_cast<std::uint32_t>(others_.size());
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const ScrewBox& from = boxes[std::min(first + lane, boxes.size() - 1)];
      group.strongest[lane] = number_of(from.binding);
      group.least_weight[lane] = from.least_weight;
    }
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const ScrewBox& from = boxes[std::min(first + lane, boxes.size() - 1)];
      for (std::size_t i = 0; i < from.others.size(); ++i) {
        if (group.first_other + i == others_.size()) others_.push_back(group.strongest);
        others_[group.first_other + i][lane] = number_of(from.others[i]);
      }
    }
    group.other_count = static_cast<std::uint32_t>(others_.size()) - group.first_other;
  }
  bindings_.resize((numbers.size() + 3) / 4);
  const auto put = [&](std::uint32_t binding, std::uint32_t number) {
    Bindings& group = bindings_[number / 4];
    const std::size_t lane = number % 4;
    group.numbers[lane] = binding;
    const glm::dmat4& exact = group.exact[lane] = bindings[binding].bone_from_mesh;
    for (glm::length_t column = 0; column < 4; ++column) {
      for (glm::length_t row = 0; row < 3; ++row)
        group.bone_from_mesh[row][column][lane] = static_cast<float>(exact[column][row]);
      if (column < 3) group.lengths[column][lane] = static_cast<float>(glm::dot(exact[column], exact[column]));
    }
  };
  for (const auto& [binding, number] : numbers) put(binding, number);
  for (std::size_t i = numbers.size(); i % 4 != 0; ++i) put(bindings_.back().numbers[0], static_cast<std::uint32_t>(i));
}

// As to_dual_quaternion() has them, four at a time in floats; those whose directions come out of what cancels, one by
// one in double.
std::vector<ScrewBoxes::Screw> ScrewBoxes::screws(const BoxMoves& moves) const {
  std::vector<Screw> all(4 * bindings_.size());
  for (std::size_t i = 0; i < bindings_.size(); ++i) {
    const Bindings& of = bindings_[i];
    Lanes bones{};
    for (std::size_t lane = 0; lane < 4; ++lane) bones[lane] = moves.bound_bones[of.numbers[lane]];
    const FourMatrices bone(moves.model_from_bones, bones);
    const auto product = [&](std::size_t column) {
      const Vectors4 m{load(of.bone_from_mesh[0][column]), load(of.bone_from_mesh[1][column]),
                       load(of.bone_from_mesh[2][column])};
      return bone.column(0) * m.x + bone.column(1) * m.y + bone.column(2) * m.z;
    };
    const Vectors4 c0 = product(0), c1 = product(1), c2 = product(2);
    const Vectors4 shift = product(3) + bone.column(3);
    const Vectors4 summed = absolute(bone.column(0)) * simd::absolute(load(of.bone_from_mesh[0][3])) +
                            absolute(bone.column(1)) * simd::absolute(load(of.bone_from_mesh[1][3])) +
                            absolute(bone.column(2)) * simd::absolute(load(of.bone_from_mesh[2][3])) +
                            absolute(bone.column(3));
    const Float4 l0 = dot(c0, c0), l1 = dot(c1, c1), l2 = dot(c2, c2);
    const Vectors4 normal = cross(c0, c1);
    const Float4 volume = dot(normal, c2);
    const Float4 side = volume < splat(0.0f) ? splat(-1.0f) : splat(1.0f);
    const Float4 inverse = inverse_square_root(l0);
    const Vectors4 x = c0 * (side * inverse);
    const Vectors4 across = c1 - x * dot(x, c1);
    const Float4 across_squared = dot(across, across);
    const Vectors4 y = across * inverse_square_root(across_squared);
    const Vectors4 z = cross(x, y);
    const Float4 summed_up =
        splat(kLeastPart / 3.0f) * (bone.dot_of_columns(0, 0) + bone.dot_of_columns(1, 1) + bone.dot_of_columns(2, 2));
    auto clear = (across_squared >= splat(kLeastAcross) * l1) & (volume * volume >= splat(kLeastVolume) * l0 * l1 * l2);
    for (const auto& [length, of_binding] : {std::pair{l0, 0}, {l1, 1}, {l2, 2}})
      clear = clear & (length > splat(kLeastLength)) & (length < splat(kMostLength)) &
              (length >= summed_up * load(of.lengths[of_binding]));
    Float4 rows[3][4] = {{x.x, y.x, z.x, shift.x}, {x.y, y.y, z.y, shift.y}, {x.z, y.z, z.z, shift.z}};
    Float4 scales[4] = {side * l0 * inverse, square_root(l1), square_root(l2), largest(summed)};
    for (auto& row : rows) transpose(row[0], row[1], row[2], row[3]);
    transpose(scales[0], scales[1], scales[2], scales[3]);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      Screw& screw = all[4 * i + lane];
      screw = {{rows[0][lane], rows[1][lane], rows[2][lane]}, scales[lane]};
      if (clear[lane] == 0) {
        const DualQuaternion exact =
            to_dual_quaternion(to_double(moves.model_from_bones[bones[lane]]) * of.exact[lane]);
        const glm::mat3 turn(glm::mat3_cast(exact.real));
        for (glm::length_t row = 0; row < 3; ++row) {
          Float4& to = screw.rows[static_cast<std::size_t>(row)];
          to = Float4{turn[0][row], turn[1][row], turn[2][row], to[3]};
        }
        screw.scale = four(glm::vec3(exact.scale), screw.scale[3]);
      }
    }
  }
  return all;
}

FloatBox ScrewBoxes::moved(const BoxMoves& moves) const {
  const std::vector<Screw> all = screws(moves);
  // Four screws, entry by entry.
  struct Gathered {
    Float4 rows[3][4];
    Float4 scale[4];

    Gathered(const std::vector<Screw>& of, const Lanes& which) {
      for (std::size_t i = 0; i < 4; ++i) {
        const Screw& screw = of[which[i]];
        for (std::size_t row = 0; row < 3; ++row) rows[row][i] = screw.rows[row];
        scale[i] = screw.scale;
      }
      for (auto& row : rows) transpose(row[0], row[1], row[2], row[3]);
      transpose(scale[0], scale[1], scale[2], scale[3]);
    }

    Float4 moved(std::size_t row, const Vectors4& scaled) const {
      const Float4(&m)[4] = rows[row];
      return m[0] * scaled.x + m[1] * scaled.y + (m[2] * scaled.z + m[3]);
    }
    Vectors4 operator()(const Vectors4& scaled) const { return {moved(0, scaled), moved(1, scaled), moved(2, scaled)}; }
    Vectors4 scales() const { return {scale[0], scale[1], scale[2]}; }
  };
  BoxOfLanes box;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    const BoxLanes::Corners corners = boxes_.corners(i, moves.weights);
    const Vectors4 middle = (corners.min + corners.max) * splat(0.5f);
    const Vectors4 half = (corners.max - corners.min) * splat(0.5f);
    const Gathered own(all, group.strongest);
    const Vectors4 scaled = own.scales() * middle;
    const Vectors4 centre = own(scaled);
    Float4 reach = splat(0.0f);  // squared
    Float4 trace = splat(3.0f);  // of the turn from the strongest to another: of all, the least
    Float4 scale = largest(absolute(own.scales()));
    Float4 other_scale = splat(0.0f);  // what a mean of scales may differ by from the strongest bone's
    Float4 summed = own.scale[3];
    for (const Lanes& which : std::span(others_).subspan(group.first_other, group.other_count)) {
      const Gathered other(all, which);
      const Vectors4 apart = other(scaled) - centre;
      reach = greatest(reach, dot(apart, apart));
      Float4 turned = splat(0.0f);
      for (std::size_t row = 0; row < 3; ++row)
        turned += own.rows[row][0] * other.rows[row][0] + own.rows[row][1] * other.rows[row][1] +
                  own.rows[row][2] * other.rows[row][2];
      trace = least(trace, turned);
      scale = greatest(scale, largest(absolute(other.scales())));
      other_scale = greatest(other_scale, largest(absolute(other.scales() - own.scales())));
      summed = greatest(summed, other.scale[3]);
    }
    const Float4 away = square_root(dot(middle, middle));
    const Float4 rounded = splat(kRounding) * (scale * away + summed) + splat(2.0f * kTurned) * scale * away;
    const Float4 radius = square_root(reach) + scale * square_root(dot(half, half)) + other_scale * away + rounded;
    // The cosine of half the angle of a turn is that of its two quaternions.
    const Float4 squared = splat(0.25f) * (splat(1.0f) + trace) - splat(kTurned);
    const Float4 cosine = square_root(greatest(squared, splat(0.0f)));
    const Float4 weight = load(group.least_weight);
    const Float4 length = weight + (splat(1.0f) - weight) * cosine;
    const Float4 around = radius / (length * length);
    box.add(0, centre.x, around);
    box.add(1, centre.y, around);
    box.add(2, centre.z, around);
  }
  const FloatBox all_boxes = box.all();
  return all_boxes.empty() ? all_boxes : widened(all_boxes, largest_in(all_boxes));
}

}  // namespace throng::detail::renderer
