// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "posed.h"

namespace throng {
namespace {

using test::all_finite;
using test::Posed;
using test::same_bits;

Posed tail(std::size_t bones, const glm::dvec3& step = {0.3, 0.05, 0.0}) {
  std::vector<glm::dvec3> steps(bones, step);
  for (std::size_t i = 1; i < bones; ++i) steps[i] += glm::dvec3(0, 0.01 * static_cast<double>(i), 0.02);
  return Posed(test::row_of_bones(steps));
}
Posed straight_tail(std::size_t bones) { return Posed(test::row_of_bones(std::vector<glm::dvec3>(bones, {1, 0, 0}))); }

std::vector<std::uint32_t> all_bones(const Posed& p) {
  std::vector<std::uint32_t> bones(p.rig->bone_count());
  std::iota(bones.begin(), bones.end(), 0u);
  return bones;
}
float length_of(const Posed& p) {
  float length = 0.0f;
  for (std::uint32_t b = 1; b < p.rig->bone_count(); ++b) length += glm::distance(p.at(b), p.at(b - 1));
  return length;
}
void expect_lengths(const Posed& a, const Posed& b) {
  for (std::uint32_t i = 1; i < a.rig->bone_count(); ++i) {
    EXPECT_NEAR(glm::distance(a.at(i), a.at(i - 1)), glm::distance(b.at(i), b.at(i - 1)), 2e-5f) << i;
  }
  EXPECT_EQ(a.at(0), b.at(0));
}

TEST(ChainIk, BringsTheLastBoneToTheTargetAndKeepsLengths) {
  for (const std::size_t count : {2u, 3u, 5u, 12u, 64u}) {
    const Posed rest = tail(count);
    const auto bones = all_bones(rest);
    const float length = length_of(rest);
    for (const glm::vec3 way :
         {glm::vec3(0.2f, 0.6f, 0.1f), glm::vec3(-0.5f, 0.1f, 0.3f), glm::vec3(0.1f, -0.2f, 0.0f)}) {
      Posed now = rest;
      const glm::vec3 to = count == 2 ? glm::normalize(way) : way;
      const IkReport report =
          solve_chain(now.edit(), {.bones = bones, .target = rest.at(0) + length * to, .iterations = 100});
      EXPECT_TRUE(report.reached) << count;
      EXPECT_LT(report.missed, 1.1e-3f * length) << count;
      EXPECT_NEAR(report.missed, glm::distance(now.at(bones.back()), rest.at(0) + length * to), 1e-4f);
      expect_lengths(now, rest);
    }
  }
}

TEST(ChainIk, AgreesWithTheTriangleForTwoBones) {
  Posed arm(test::arm_model());
  const auto bones = all_bones(arm);
  const glm::vec3 target = arm.at(0) + glm::vec3(1, -1, 1.5f);
  EXPECT_TRUE(
      solve_chain(arm.edit(), {.bones = bones, .target = target, .tolerance = 1e-5f, .iterations = 200}).reached);
  const float d = glm::length(glm::vec3(1, -1, 1.5f));
  EXPECT_NEAR(arm.angle(1, 0, 2), std::acos((4.0f + 2.25f - d * d) / 6.0f), 1e-3f);
}

TEST(ChainIk, StraightensTowardsWhatIsOutOfReach) {
  const Posed rest = tail(8);
  Posed now = rest;
  const auto bones = all_bones(rest);
  const glm::vec3 way = glm::normalize(glm::vec3(-1, 2, 0.5f));
  const IkReport report = solve_chain(now.edit(), {.bones = bones, .target = rest.at(0) + 100.0f * way});
  EXPECT_FALSE(report.reached);
  EXPECT_NEAR(report.missed, 100.0f - length_of(rest), 1e-3f);
  float along = 0.0f;
  for (std::uint32_t b = 1; b < 8; ++b) {
    along += glm::distance(rest.at(b), rest.at(b - 1));
    EXPECT_LT(glm::distance(now.at(b), rest.at(0) + along * way), 1e-4f);
  }
}

TEST(ChainIk, BendsAStraightChainWhoseTargetLiesAlongIt) {
  const Posed rest = straight_tail(6);
  const auto bones = all_bones(rest);
  for (const float d : {4.5f, 2.0f, 0.5f, 0.0f, -2.0f}) {
    Posed now = rest;
    const IkReport report =
        solve_chain(now.edit(), {.bones = bones, .target = rest.at(0) + glm::vec3(d, 0, 0), .iterations = 64});
    EXPECT_TRUE(report.reached) << d;
    EXPECT_TRUE(all_finite(now));
    expect_lengths(now, rest);
  }
}

TEST(ChainIk, KeepsTheLimitOfEachBone) {
  const Posed rest = tail(10);
  const auto bones = all_bones(rest);
  const std::vector<float> limits(9, 0.25f);
  // Somewhere it can get to within the limits.
  Posed there = rest;
  for (std::uint32_t b = 0; b + 1 < 10; ++b) {
    there.turn(b, glm::angleAxis(0.15f, glm::conjugate(rotation_of(there.models[b])) * glm::vec3(0, 0, 1)));
  }
  Posed now = rest;
  const IkReport report = solve_chain(
      now.edit(), {.bones = bones, .limits = limits, .target = there.at(9), .tolerance = 5e-3f, .iterations = 100});
  EXPECT_TRUE(report.reached) << report.missed;
  for (std::uint32_t b = 0; b + 1 < 10; ++b) {
    const float cosine = std::abs(glm::dot(local_of(now.locals, b).rotation, local_of(rest.locals, b).rotation));
    EXPECT_LT(2.0f * std::acos(std::min(cosine, 1.0f)), 0.2515f) << b;
  }
  expect_lengths(now, rest);
  Posed far = rest;
  EXPECT_FALSE(solve_chain(far.edit(), {.bones = bones, .limits = limits, .target = rest.at(0) - glm::vec3(2.0f, 0, 0)})
                   .reached);
  for (std::uint32_t b = 0; b + 1 < 10; ++b) {
    const float cosine = std::abs(glm::dot(local_of(far.locals, b).rotation, local_of(rest.locals, b).rotation));
    EXPECT_LT(2.0f * std::acos(std::min(cosine, 1.0f)), 0.2515f) << b;
  }
}

TEST(ChainIk, DoesNotJumpWhileTheTargetMovesThroughStraight) {
  const Posed rest = tail(7);
  const auto bones = all_bones(rest);
  const float length = length_of(rest);
  Posed last = rest;
  for (int i = 0; i <= 500; ++i) {
    Posed now = rest;
    const float d = length * (0.6f + 0.6f * static_cast<float>(i) / 500.0f);
    solve_chain(now.edit(), {.bones = bones,
                             .target = rest.at(0) + d * glm::normalize(glm::vec3(1, 0.5f, 0.1f)),
                             .tolerance = 1e-4f,
                             .iterations = 200});
    for (std::uint32_t b = 0; b < 7 && i > 0; ++b) EXPECT_LT(glm::distance(now.at(b), last.at(b)), 0.08f * length) << i;
    last = now;
  }
}

TEST(ChainIk, LeavesEveryBitAtWeightZeroWhenThereAlreadyAndWhenRefused) {
  Posed now = tail(6);
  const Posed before = now;
  const auto bones = all_bones(now);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  solve_chain(now.edit(), {.bones = bones, .target = {1, 1, 1}, .weight = 0.0f});
  EXPECT_TRUE(same_bits(now, before));
  EXPECT_TRUE(solve_chain(now.edit(), {.bones = bones, .target = now.at(5)}).reached);
  EXPECT_TRUE(same_bits(now, before));
  EXPECT_EQ(solve_chain(now.edit(), {.bones = bones, .target = {nan, 0, 0}}).fault, IkFault::not_finite);
  EXPECT_EQ(solve_chain(now.edit(), {.bones = std::span(bones).first(1), .target = {}}).fault, IkFault::chain);
  const std::vector<float> few(2, 1.0f);
  EXPECT_EQ(solve_chain(now.edit(), {.bones = bones, .limits = few, .target = {}}).fault, IkFault::chain);
  EXPECT_TRUE(same_bits(now, before));
}

TEST(ChainIk, IsDefinedForBonesWithoutLength) {
  const Posed rest(test::row_of_bones({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}}));
  const auto bones = all_bones(rest);
  for (const glm::vec3 target : {glm::vec3(0), glm::vec3(0.5f, 0.5f, 0.5f), glm::vec3(0, 9, 0)}) {
    Posed now = rest;
    solve_chain(now.edit(), {.bones = bones, .target = target});
    EXPECT_TRUE(all_finite(now));
  }
  Posed point(test::row_of_bones(std::vector<glm::dvec3>(4, glm::dvec3(0))));
  EXPECT_EQ(solve_chain(point.edit(), {.bones = std::span(bones).first(4), .target = {1, 0, 0}}).fault,
            IkFault::no_length);
}

}  // namespace
}  // namespace throng
