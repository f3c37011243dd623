#include "nearest_item.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace throng {
namespace {

constexpr int kLengths = 64;
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
// vector `off` (twice the vector part of a quaternion, in the bone's own axes) moves the arm by R (off × arm).
struct Search {
  glm::dquat rotation;
  glm::dmat3 scaled_turn;  // scale · R
  glm::dvec3 arm;          // from the pivot to the middle
  glm::dvec3 position;     // of the pivot, were the rotation exact
  glm::dvec3 box_min, step;
  double reach = 0.0;  // what a radian moves the farthest vertex by

  // How far the farthest vertex is off at most, with the quaternion of this length.
  double cost(double length) const {
    const double size = length * kSteps;
    const glm::dquat stored(rounded(rotation.w * size), rounded(rotation.x * size), rounded(rotation.y * size),
                            rounded(rotation.z * size));
    const glm::dquat difference = glm::conjugate(rotation) * stored;
    const glm::dvec3 off = glm::dvec3(difference.x, difference.y, difference.z) * (2.0 / difference.w);
    const glm::dvec3 wanted = position - scaled_turn * glm::cross(off, arm);
    return glm::length(off) * reach + glm::length(missed(wanted));
  }

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

// With a quaternion of this length.
BoneSample balanced_at(Encoding encoding, const Rigid& rigid, double length, const glm::dvec3& pivot,
                       const ItemShape& shape, const ClipRange& range) {
  std::array<std::uint32_t, 4> words{};
  const auto item = std::span(words).first(words_per_item(encoding, false));
  BoneSample sample{rigid.rotation * length, glm::dvec3(0.0), rigid.scale};
  encode_bone(encoding, sample, range, item);
  const BoneSample rounded = decode_bone(encoding, item, range);
  const glm::dvec3 arm = shape.middle - pivot;
  sample.position = place_of(rigid, shape.middle) - glm::normalize(rounded.rotation) * (rounded.scale * arm);
  return sample;
}

}  // namespace

BoneSample balanced(Encoding encoding, const Rigid& rigid, const glm::dvec3& pivot, const ItemShape& shape,
                    const ClipRange& range) {
  return balanced_at(encoding, rigid, 1.0, pivot, shape, range);
}

BoneSample nearest_q16(const Rigid& rigid, const glm::dvec3& pivot, const ItemShape& shape, const ClipRange& range) {
  const Search search{.rotation = rigid.rotation,
                      .scaled_turn = glm::mat3_cast(rigid.rotation) * rigid.scale,
                      .arm = shape.middle - pivot,
                      .position = place_of(rigid, pivot),
                      .box_min = range.pivot_min,
                      .step = range.pivot_size / kBoxSteps,
                      .reach = rigid.scale * shape.radius};
  double best = std::numeric_limits<double>::infinity();
  double best_length = 1.0;
  for (int i = 0; i < kLengths; ++i) {
    const double length = 1.0 - (1.0 - kShortest) * i / kLengths;
    const double cost = search.cost(length);
    if (!(cost < best)) continue;
    best = cost;
    best_length = length;
  }
  return balanced_at(Encoding::q16, rigid, best_length, pivot, shape, range);
}

}  // namespace throng
