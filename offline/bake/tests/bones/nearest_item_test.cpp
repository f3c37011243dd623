// SPDX-License-Identifier: Apache-2.0
// What is stored of a column is chosen for its vertices.
#include "bone_frames/nearest_item.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace throng {
using namespace detail::bake;
namespace {

// A column in a two-metre box, turned anyhow, whose vertices lie within `radius` of a middle that is `arm` from the
// pivot.
struct Item {
  Rigid rigid;
  glm::dvec3 pivot{0.0};
  ItemShape shape;
};

constexpr double kBox = 2.0;
const ClipRange kRange{glm::dvec3(-kBox / 2), glm::dvec3(kBox), 1.0};

class Items {
 public:
  Item next(double arm, double radius) {
    Item item;
    item.rigid.rotation =
        glm::normalize(glm::dquat(normal_(random_), normal_(random_), normal_(random_), normal_(random_)));
    item.pivot = direction() * 0.2;
    item.shape = {item.pivot + arm * direction(), glm::dvec3(radius)};
    // So that the pivot comes to lie well inside of the box.
    item.rigid.translation = direction() * 0.4 - item.rigid.rotation * item.pivot;
    return item;
  }
  glm::dvec3 direction() { return glm::normalize(glm::dvec3(normal_(random_), normal_(random_), normal_(random_))); }

 private:
  std::mt19937 random_{20240607};
  std::normal_distribution<double> normal_;
};

BoneSample read_back(Encoding encoding, const BoneSample& sample) {
  std::array<std::uint32_t, 4> words{};
  const auto item = std::span(words).first(words_per_item(encoding, false));
  encode_bone(encoding, sample, kRange, item);
  return decode_bone(encoding, item, kRange);
}

double error_at(const Item& item, const BoneSample& sample, Encoding encoding, const glm::dvec3& point) {
  const BoneSample read = read_back(encoding, sample);
  const glm::dvec3 drawn = glm::normalize(read.rotation) * (read.scale * (point - item.pivot)) + read.position;
  return glm::distance(drawn, item.rigid.rotation * (item.rigid.scale * point) + item.rigid.translation);
}

// At the corners of what the vertices fill.
double worst_error(const Item& item, const BoneSample& sample, Encoding encoding) {
  double worst = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 side((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0,
                          (corner & 4) != 0 ? 1.0 : -1.0);
    worst = std::max(worst, error_at(item, sample, encoding, item.shape.middle + side * item.shape.reach));
  }
  return worst;
}

BoneSample plain(const Item& item) {
  return {item.rigid.rotation, item.rigid.rotation * (item.rigid.scale * item.pivot) + item.rigid.translation,
          item.rigid.scale};
}

// How far a position in the box is rounded by at most.
double half_steps(int bits) { return std::sqrt(3.0) * 0.5 * kBox / (std::exp2(bits) - 1.0); }

TEST(NearestItem, TheMiddleIsInItsPlaceHoweverFarThePivot) {
  Items items;
  for (int i = 0; i < 200; ++i) {
    const Item item = items.next(0.5, 0.1);
    EXPECT_LT(error_at(item, balanced(Encoding::q12, item.rigid, item.pivot, item.shape, kRange), Encoding::q12,
                       item.shape.middle),
              half_steps(16) * 1.0001);
    EXPECT_LT(error_at(item, balanced(Encoding::x16, item.rigid, item.pivot, item.shape, kRange), Encoding::x16,
                       item.shape.middle),
              half_steps(20) * 1.0001);
  }
}

// Twelve bits of scale are coarse: what they round off of the arm is taken back, too.
TEST(NearestItem, RoundedScalesAreTakenBackAsWell) {
  Items items;
  for (int i = 0; i < 200; ++i) {
    Item item = items.next(0.5, 0.1);
    item.rigid.scale = 0.30001 + 0.0007 * i;
    const BoneSample sample = balanced(Encoding::x16, item.rigid, item.pivot, item.shape, kRange);
    EXPECT_LT(error_at(item, sample, Encoding::x16, item.shape.middle), half_steps(20) * 1.0001);
  }
}

TEST(NearestItem, Q16IsSeveralTimesNearerThanPlainRounding) {
  Items items;
  double chosen = 0.0;
  double rounded = 0.0;
  for (int i = 0; i < 500; ++i) {
    const Item item = items.next(0.6, 0.15);
    chosen =
        std::max(chosen, worst_error(item, nearest_q16(item.rigid, item.pivot, item.shape, kRange), Encoding::q16));
    rounded = std::max(rounded, worst_error(item, plain(item), Encoding::q16));
  }
  EXPECT_LT(chosen, rounded / 2.0);
  EXPECT_LT(chosen, half_steps(16)) << "better than rounding the position alone";
}

TEST(NearestItem, Q16IsNeverWorseThanItsFirstTry) {
  Items items;
  for (int i = 0; i < 200; ++i) {
    Item item = items.next(0.05 * (i % 10), 0.02 * (i % 17));
    item.rigid.scale = i % 2 == 0 ? 1.0 : 0.7 + 0.001 * i;
    const BoneSample best = nearest_q16(item.rigid, item.pivot, item.shape, kRange);
    const BoneSample first = balanced(Encoding::q16, item.rigid, item.pivot, item.shape, kRange);
    // What the search leaves out is of second order: 1e-9.
    EXPECT_LE(worst_error(item, best, Encoding::q16), worst_error(item, first, Encoding::q16) + 1e-8) << i;
  }
}

// The tip of a blade, far from its middle, counts for as much as the hilt does.
TEST(NearestItem, LongThingsAreTurnedMoreExactly) {
  Items items;
  double chosen = 0.0;
  double first = 0.0;
  for (int i = 0; i < 300; ++i) {
    Item item = items.next(0.1, 0.0);
    item.shape.reach = {0.01, 0.9, 0.02};
    const auto nearest = nearest_q16(item.rigid, item.pivot, item.shape, kRange);
    chosen = std::max(chosen, worst_error(item, nearest, Encoding::q16));
    const auto once = balanced(Encoding::q16, item.rigid, item.pivot, item.shape, kRange);
    first = std::max(first, worst_error(item, once, Encoding::q16));
  }
  EXPECT_LT(chosen, 0.6 * first);
}

// Readers refuse quaternions that are off by a percent, and mixing takes their lengths for weights.
TEST(NearestItem, QuaternionsStayNearUnitLength) {
  Items items;
  for (int i = 0; i < 200; ++i) {
    const Item item = items.next(0.5, 0.3);
    const double length = glm::length(nearest_q16(item.rigid, item.pivot, item.shape, kRange).rotation);
    EXPECT_GT(length, 0.9949);
    EXPECT_LE(length, 1.0 + 1e-12);
  }
}

TEST(NearestItem, WhatIsScaledToNothingStaysWhereItIs) {
  Items items;
  Item item = items.next(0.5, 0.3);
  item.rigid.scale = 0.0;
  item.rigid.translation = {0.1, 0.2, 0.3};
  const BoneSample sample = nearest_q16(item.rigid, item.pivot, item.shape, kRange);
  EXPECT_LT(error_at(item, sample, Encoding::q16, item.shape.middle), half_steps(16) * 1.0001);
}

}  // namespace
}  // namespace throng
