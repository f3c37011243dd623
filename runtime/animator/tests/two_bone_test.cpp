// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "mannequin_model.h"
#include "posed.h"

namespace throng {
namespace {

using test::all_finite;
using test::arm_model;
using test::Posed;
using test::same_bits;

constexpr float kPi = std::numbers::pi_v<float>;
const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

TwoBoneIk arm_to(const glm::vec3& target) { return {.upper = 0, .lower = 1, .end = 2, .target = target}; }

TEST(TwoBone, MeetsTheTargetWithTheElbowTheLawOfCosinesWants) {
  for (const double scale : {1.0, 0.01, 7.0}) {
    for (const glm::vec3 offset :
         {glm::vec3(1, -1, 1), glm::vec3(-2, 0.5f, 0.3f), glm::vec3(0.1f, 0.6f, 0), glm::vec3(3.4f, 0, 0)}) {
      Posed arm(arm_model(2.0, 1.5, 0.3, scale));
      const glm::vec3 target = arm.at(0) + offset;
      const IkReport report = solve_two_bone(arm.edit(), arm_to(target));
      EXPECT_TRUE(report.reached);
      EXPECT_LT(glm::distance(arm.at(2), target), 2e-5f);
      EXPECT_NEAR(report.missed, glm::distance(arm.at(2), target), 1e-6f);
      const float d = glm::length(offset);
      EXPECT_NEAR(arm.angle(1, 0, 2), std::acos((4.0f + 2.25f - d * d) / (2.0f * 2.0f * 1.5f)), 1e-3f);
      EXPECT_NEAR(glm::distance(arm.at(0), arm.at(1)), 2.0f, 1e-5f);
      EXPECT_NEAR(glm::distance(arm.at(1), arm.at(2)), 1.5f, 1e-5f);
    }
  }
}

TEST(TwoBone, TurnsTheElbowTowardsThePole) {
  for (int step = 0; step < 16; ++step) {
    Posed arm(arm_model());
    const float a = static_cast<float>(step) * kPi / 8.0f;
    TwoBoneIk ik = arm_to(arm.at(0) + glm::vec3(2, 0, 0));
    ik.pole = arm.at(0) + glm::vec3(0.7f, std::cos(a), std::sin(a)) * 3.0f;
    EXPECT_TRUE(solve_two_bone(arm.edit(), ik).reached);
    const glm::vec3 elbow = arm.at(1) - arm.at(0);
    const glm::vec3 aside = glm::normalize(glm::vec3(0, elbow.y, elbow.z));
    EXPECT_LT(glm::distance(aside, glm::vec3(0, std::cos(a), std::sin(a))), 1e-4f) << step;
  }
}

TEST(TwoBone, LeavesEveryBitAtWeightZeroAndGoesThereSteadily) {
  Posed arm(arm_model());
  const Posed before = arm;
  TwoBoneIk ik = arm_to(arm.at(0) + glm::vec3(1, 1, 1));
  ik.rotation = glm::angleAxis(1.0f, glm::vec3(0, 1, 0));
  ik.stretch = 0.5f;
  ik.weight = 0.0f;
  EXPECT_FALSE(solve_two_bone(arm.edit(), ik).missed < 1e-3f);
  EXPECT_TRUE(same_bits(arm, before));
  float last = 1e9f;
  for (int step = 0; step <= 20; ++step) {
    Posed some = before;
    ik.weight = static_cast<float>(step) / 20.0f;
    const IkReport report = solve_two_bone(some.edit(), ik);
    EXPECT_LE(report.missed, last + 1e-4f) << step;
    last = report.missed;
  }
  EXPECT_LT(last, 1e-4f);
}

TEST(TwoBone, SlerpsTheCorrectionOfEachBoneByItsWeight) {
  const Posed before(arm_model());
  TwoBoneIk ik = arm_to(before.at(0) + glm::vec3(1.0f, 0.4f, 1.2f));
  Posed whole = before, half = before;
  solve_two_bone(whole.edit(), ik);
  ik.weight = 0.5f;
  solve_two_bone(half.edit(), ik);
  for (const std::uint32_t bone : {0u, 1u}) {
    const glm::quat from = local_of(before.locals, bone).rotation, to = local_of(whole.locals, bone).rotation;
    const glm::quat middle = glm::slerp(from, to, 0.5f), got = local_of(half.locals, bone).rotation;
    EXPECT_GT(std::abs(glm::dot(from, to)), 0.05f);
    EXPECT_NEAR(std::abs(glm::dot(middle, got)), 1.0f, 1e-5f);
  }
}

TEST(TwoBone, TurnsTheEndAsAsked) {
  Posed arm(arm_model());
  TwoBoneIk ik = arm_to(arm.at(0) + glm::vec3(1, -1, 1));
  ik.rotation = glm::angleAxis(2.0f, glm::normalize(glm::vec3(1, -1, 0.5f)));
  const IkReport report = solve_two_bone(arm.edit(), ik);
  EXPECT_LT(report.missed, 1e-4f);
  EXPECT_LT(report.missed_angle, 1e-3f);
  EXPECT_NEAR(std::abs(glm::dot(rotation_of(arm.models[2]), *ik.rotation)), 1.0f, 1e-5f);
}

TEST(TwoBone, CarriesTwistBonesBetweenAlong) {
  // Upper, twist, lower, twist, end.
  const Model model =
      test::row_of_bones({{0, 0, 0}, {0, -1, 0}, {0, -1, 0}, {0, -0.7, 0.2}, {0, -0.7, 0.2}, {0, -0.2, 0}});
  Posed arm(model);
  const TwoBoneIk ik{.upper = 0, .lower = 2, .end = 4, .target = {1.0f, -1.5f, 0.8f}};
  const glm::quat twist = local_of(arm.locals, 1).rotation;
  EXPECT_TRUE(solve_two_bone(arm.edit(), ik).reached);
  EXPECT_LT(glm::distance(arm.at(4), ik.target), 1e-4f);
  EXPECT_EQ(local_of(arm.locals, 1).rotation, twist);
  // The models are those of the locals, also below the end.
  Posed fresh = arm;
  fresh.update();
  for (std::uint32_t bone = 0; bone < 6; ++bone) EXPECT_LT(glm::distance(fresh.at(bone), arm.at(bone)), 1e-6f);
}

TEST(TwoBone, PointsStraightAtWhatIsOutOfReachAndSaysByHowMuchItMisses) {
  Posed arm(arm_model());
  const glm::vec3 way = glm::normalize(glm::vec3(1, 2, -1));
  const IkReport report = solve_two_bone(arm.edit(), arm_to(arm.at(0) + 10.0f * way));
  EXPECT_FALSE(report.reached);
  EXPECT_NEAR(report.missed, 6.5f, 1e-4f);
  EXPECT_LT(glm::distance(arm.at(2), arm.at(0) + 3.5f * way), 1e-4f);
}

TEST(TwoBone, ApproachesFullExtensionByTheFormulaOfSoftReach) {
  const float length = 3.5f, softness = 0.1f, width = softness * length;
  float last = 0.0f, last_elbow = 0.0f;
  for (float d = 2.5f; d < 6.0f; d += 0.01f) {
    Posed arm(arm_model());
    TwoBoneIk ik = arm_to(arm.at(0) + glm::vec3(d, 0, 0));
    ik.softness = softness;
    solve_two_bone(arm.edit(), ik);
    const float reach = glm::distance(arm.at(0), arm.at(2)), start = length - width;
    const float wanted = d <= start ? d : start + width * (1.0f - std::exp(-(d - start) / width));
    EXPECT_NEAR(reach, wanted, 2e-4f);
    EXPECT_LT(reach, length);
    const float elbow = arm.angle(1, 0, 2);
    if (last > 0.0f) {
      EXPECT_GE(reach, last - 1e-5f);
      // Without it the last hundredth opens the elbow by 0.2 radians.
      EXPECT_LT(elbow - last_elbow, 0.03f) << d;
    }
    last = reach;
    last_elbow = elbow;
  }
}

TEST(TwoBone, StretchesAsFarAsItMay) {
  for (const float softness : {0.0f, 0.1f}) {
    Posed arm(arm_model());
    TwoBoneIk ik = arm_to(arm.at(0) + glm::vec3(0, 0, 4.0f));
    ik.stretch = 0.5f;
    ik.softness = softness;
    const IkReport near = solve_two_bone(arm.edit(), ik);
    EXPECT_TRUE(near.reached);
    EXPECT_LT(near.missed, 1e-3f);
    Posed far_arm(arm_model());
    ik.target = far_arm.at(0) + glm::vec3(0, 0, 20.0f);
    const IkReport far = solve_two_bone(far_arm.edit(), ik);
    EXPECT_FLOAT_EQ(far.stretch, 1.5f);
    EXPECT_NEAR(glm::distance(far_arm.at(0), far_arm.at(2)), 1.5f * 3.5f, 2e-3f);
  }
}

// The largest step any bone makes while the target moves in small ones.
float largest_step(const Model& model, const std::function<TwoBoneIk(float, const Posed&)>& at, int steps) {
  const Posed rest(model);
  Posed last = rest;
  float largest = 0.0f;
  for (int i = 0; i <= steps; ++i) {
    Posed now = rest;
    solve_two_bone(now.edit(), at(static_cast<float>(i) / static_cast<float>(steps), rest));
    EXPECT_TRUE(all_finite(now));
    if (i > 0) {
      for (std::uint32_t b = 0; b < 3; ++b) largest = std::max(largest, glm::distance(now.at(b), last.at(b)));
    }
    last = now;
  }
  return largest;
}

TEST(TwoBone, DoesNotFlipWhenTheTargetGoesThroughStraightAndThroughTheShoulder) {
  // Equal bones, straight through the shoulder to full reach on either side, with a pole: 14 units in 2,000 steps.
  const auto through = [](float t, const Posed& p) {
    TwoBoneIk ik = arm_to(p.at(0) + glm::vec3(glm::mix(-5.0f, 5.0f, t), 0, 0));
    ik.pole = p.at(0) + glm::vec3(0, 0, 4);
    ik.softness = 0.05f;
    return ik;
  };
  EXPECT_LT(largest_step(arm_model(1.5, 1.5), through, 2000), 0.05f);
  // Around the shoulder on a circle, without a pole, and out past full reach.
  const auto around = [](float t, const Posed& p) {
    const float a = 1.5f * kPi * (t - 0.5f);
    const float d = 1.0f + 4.0f * t;
    TwoBoneIk ik = arm_to(p.at(0) + d * glm::vec3(std::sin(a), -std::cos(a), 0.2f));
    ik.softness = 0.05f;
    return ik;
  };
  EXPECT_LT(largest_step(arm_model(), around, 2000), 0.05f);
}

TEST(TwoBone, BendsTheWayTheRestPoseDoesWhileThePoseGoesThroughStraight) {
  // The animation takes the elbow from bent through straight to a little over: the side must not change.
  glm::vec3 last(0.0f);
  for (int i = 0; i <= 200; ++i) {
    Posed arm(arm_model(2.0, 1.5, 0.3));
    const glm::vec3 hinge = glm::conjugate(rotation_of(arm.models[1])) * glm::vec3(-1, 0, 0);
    arm.turn(1, glm::angleAxis(-0.45f * static_cast<float>(i) / 200.0f, hinge));
    solve_two_bone(arm.edit(), arm_to(arm.at(0) + glm::vec3(0, -2.5f, 0)));
    if (i > 0) {
      EXPECT_LT(glm::distance(arm.at(1), last), 0.02f) << i;
    }
    last = arm.at(1);
  }
}

TEST(TwoBone, IgnoresAndReportsWhatIsNotANumber) {
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    Posed arm(arm_model());
    const Posed before = arm;
    std::vector<TwoBoneIk> iks(6, arm_to(arm.at(0) + glm::vec3(1, 0, 0)));
    iks[0].target.y = bad;
    iks[1].pole = glm::vec3(bad, 0, 0);
    iks[2].rotation = glm::quat(bad, 0, 0, 0);
    iks[3].weight = bad;
    iks[4].softness = bad;
    iks[5].stretch = bad;
    for (const TwoBoneIk& ik : iks) {
      EXPECT_EQ(solve_two_bone(arm.edit(), ik).fault, IkFault::not_finite);
      EXPECT_TRUE(same_bits(arm, before));
    }
  }
}

TEST(TwoBone, IsDefinedWhereTheTriangleIsNot) {
  for (const auto& [upper, lower] :
       {std::pair{0.0, 1.0}, std::pair{1.0, 0.0}, std::pair{1.0, 1.0}, std::pair{1e-20, 1.0}}) {
    for (const double bend : {0.0, 0.3, 3.1415926535}) {
      const Posed rest(arm_model(upper, lower, bend));
      const glm::vec3 root = rest.at(0);
      for (const glm::vec3 target : {root, root + glm::vec3(0, 0.7f, 0), root + glm::vec3(0, -9, 0),
                                     root + glm::vec3(1e-30f), glm::vec3(1e30f)}) {
        for (const auto& pole : {std::optional<glm::vec3>(), std::optional(root), std::optional(target),
                                 std::optional(root + glm::vec3(0, 5, 0))}) {
          Posed arm = rest;
          TwoBoneIk ik = arm_to(target);
          ik.pole = pole;
          const IkReport report = solve_two_bone(arm.edit(), ik);
          EXPECT_TRUE(all_finite(arm));
          EXPECT_FALSE(std::isnan(report.missed));
          if (upper > 1e-10) {
            EXPECT_NEAR(glm::distance(arm.at(0), arm.at(1)), static_cast<float>(upper), 1e-4f);
          }
        }
      }
    }
  }
  Posed point(arm_model(0.0, 0.0));
  const Posed before = point;
  EXPECT_EQ(solve_two_bone(point.edit(), arm_to({1, 2, 3})).fault, IkFault::no_length);
  EXPECT_TRUE(same_bits(point, before));
}

TEST(TwoBone, RefusesBonesThatAreNoChainAndSpansThatDoNotFit) {
  Posed arm(arm_model());
  const Posed before = arm;
  EXPECT_EQ(solve_two_bone(arm.edit(), {.upper = 2, .lower = 1, .end = 0}).fault, IkFault::chain);
  EXPECT_EQ(solve_two_bone(arm.edit(), {.upper = 0, .lower = 0, .end = 1}).fault, IkFault::chain);
  EXPECT_EQ(solve_two_bone(arm.edit(), {.upper = 0, .lower = 1, .end = 99}).fault, IkFault::chain);
  PoseEdit cut = arm.edit();
  cut.models = cut.models.first(2);
  EXPECT_EQ(solve_two_bone(cut, arm_to({})).fault, IkFault::spans);
  EXPECT_TRUE(same_bits(arm, before));
  EXPECT_STRNE(to_text(IkFault::chain), to_text(IkFault::spans));
}

TEST(TwoBone, ReachesThroughAMirroredParent) {
  ModelDraft draft = arm_model().draft();
  draft.bones[0].rest.scale = glm::dvec3(-1.0, 1.0, 1.0);
  Posed arm(build_model(draft).value());
  const glm::vec3 target = arm.at(0) + glm::vec3(1.0f, 0.5f, -1.2f);
  EXPECT_TRUE(solve_two_bone(arm.edit(), arm_to(target)).reached);
  EXPECT_LT(glm::distance(arm.at(2), target), 1e-4f);
}

TEST(TwoBone, MovesOnlyTheLimbOfAWholeCharacter) {
  Posed man(test::mannequin_model());
  const Posed before = man;
  const auto bone = [&](const char* name) { return test::bone_named(*man.rig, name); };
  const glm::vec3 target = man.at(bone("hand.L")) + glm::vec3(-0.1f, 0.25f, 0.2f);
  const IkReport report = solve_two_bone(
      man.edit(), {.upper = bone("upper_arm.L"), .lower = bone("forearm.L"), .end = bone("hand.L"), .target = target});
  EXPECT_LT(report.missed, 1e-4f);
  for (std::uint32_t b = 0; b < man.rig->bone_count(); ++b) {
    if (man.rig->is_below(b, bone("upper_arm.L"))) continue;
    EXPECT_EQ(std::memcmp(&man.models[b], &before.models[b], sizeof(Affine)), 0);
  }
  EXPECT_GT(glm::distance(man.at(bone("thumb.L")), before.at(bone("thumb.L"))), 0.1f);
}

}  // namespace
}  // namespace throng
