// SPDX-License-Identifier: Apache-2.0
#include "bone_frames/nearest_item.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace throng::detail::bake {
namespace {

constexpr int kLengths = 128;
// Mixed with a neighbour of full length, half-way is then off by an eighth of a percent of the way: less than rounding.
constexpr double kShortest = 0.995;
constexpr double kSteps = 32767.0;     // of a component
constexpr double kBoxSteps = 65535.0;  // of a position

// To the nearest whole number, for what is far below 2⁵¹; the library's own takes longer than all the rest.
double rounded(double value) {
  constexpr double kNoFraction = 6755399441055744.0;  // 1.5 · 2⁵²
  return (value + kNoFraction) - kNoFraction;
}

glm::dvec3 place_of(const Rigid& rigid, const glm::dvec3& point) {
  return rigid.rotation * (rigid.scale * point) + rigid.translation;
}

// What the loop over lengths needs of one item. To first order, as all is here, a rotation that is off by the small
// vector `off` (twice the vector part of a quaternion, in the bone's own axes) moves a point y by scale · R (off × y).
struct Search {
  glm::dquat rotation;
  glm::dmat3 turn;  // R
  double scale = 1.0;
  glm::dvec3 arm;       // from the pivot to the middle
  glm::dvec3 position;  // of the pivot, were the rotation exact
  glm::dvec3 box_min, step;
  glm::dvec3 reach;

  // How far a vertex is off at most, with the quaternion of this length; anything larger where that is above `enough`.
  double cost(double length, double enough) const {
    const double size = length * kSteps;
    const glm::dquat stored(rounded(rotation.w * size), rounded(rotation.x * size), rounded(rotation.y * size),
                            rounded(rotation.z * size));
    const glm::dquat difference = glm::conjugate(rotation) * stored;
    const glm::dvec3 off = glm::dvec3(difference.x, difference.y, difference.z) * (2.0 * scale / difference.w);
    const glm::dvec3 miss = missed(position - turn * glm::cross(off, arm));
    if (glm::dot(miss, miss) > enough * enough) return enough + 1.0;
    return at_corners(off, miss * turn);
  }

  // The largest of off × y + miss over the corners y of the box around the vertices.
  double at_corners(const glm::dvec3& off, const glm::dvec3& miss) const {
    const glm::dvec3 x = glm::cross(off, glm::dvec3(reach.x, 0.0, 0.0));
    const glm::dvec3 y = glm::cross(off, glm::dvec3(0.0, reach.y, 0.0));
    const glm::dvec3 z = glm::cross(off, glm::dvec3(0.0, 0.0, reach.z));
    double largest = 0.0;
    for (const glm::dvec3& e : {x + y + z, x + y - z, x - y + z, x - y - z}) {
      largest = std::max({largest, glm::dot(e + miss, e + miss), glm::dot(e - miss, e - miss)});
    }
    return std::sqrt(largest);
  }

  // What rounding in the box leaves of a position.
  glm::dvec3 missed(const glm::dvec3& wanted) const {
    glm::dvec3 miss(0.0);
    for (int axis = 0; axis < 3; ++axis) {
      const double offset = wanted[axis] - box_min[axis];
      const double place = step[axis] > 0.0 ? std::clamp(rounded(offset / step[axis]), 0.0, kBoxSteps) : 0.0;
      miss[axis] = offset - place * step[axis];
    }
    return miss;
  }
};

BoneSample read_back(Encoding encoding, const BoneSample& sample, const ClipRange& range) {
  std::array<std::uint32_t, 4> words{};
  const auto item = std::span(words).first(words_per_item(encoding, false));
  encode_bone(encoding, sample, range, item);
  return decode_bone(encoding, item, range);
}

// The sample whose quaternion has this length.
BoneSample balanced_at(Encoding encoding, const Rigid& rigid, double length, const glm::dvec3& pivot,
                       const ItemShape& shape, const ClipRange& range) {
  BoneSample sample{rigid.rotation * length, glm::dvec3(0.0), rigid.scale};
  const BoneSample read = read_back(encoding, sample, range);
  sample.position =
      place_of(rigid, shape.middle) - glm::normalize(read.rotation) * (read.scale * (shape.middle - pivot));
  return sample;
}

}  // namespace

BoneSample balanced(Encoding encoding, const Rigid& rigid, const glm::dvec3& pivot, const ItemShape& shape,
                    const ClipRange& range) {
  return balanced_at(encoding, rigid, 1.0, pivot, shape, range);
}

BoneSample nearest_q16(const Rigid& rigid, const glm::dvec3& pivot, const ItemShape& shape, const ClipRange& range) {
  const glm::dvec3 arm = shape.middle - pivot;
  const double scale = read_back(Encoding::q16, {rigid.rotation, glm::dvec3(0.0), rigid.scale}, range).scale;
  const Search search{.rotation = rigid.rotation,
                      .turn = glm::mat3_cast(rigid.rotation),
                      .scale = scale,
                      .arm = arm,
                      .position = place_of(rigid, shape.middle) - rigid.rotation * (scale * arm),
                      .box_min = range.pivot_min,
                      .step = range.pivot_size / kBoxSteps,
                      .reach = shape.reach};
  double best = std::numeric_limits<double>::infinity();
  double best_length = 1.0;
  for (int i = 0; i < kLengths; ++i) {
    const double length = 1.0 - (1.0 - kShortest) * i / kLengths;
    const double cost = search.cost(length, best);
    if (!(cost < best)) continue;
    best = cost;
    best_length = length;
  }
  return balanced_at(Encoding::q16, rigid, best_length, pivot, shape, range);
}

}  // namespace throng::detail::bake
