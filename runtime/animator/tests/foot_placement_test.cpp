// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/foot_placement.h"
#include "compiled_rig.h"
#include "mannequin_model.h"

#include <gtest/gtest.h>

#include "posed.h"

namespace throng {
namespace {

using test::all_finite;
using test::Posed;
using test::same_bits;

const std::shared_ptr<const Rig>& mannequin_rig() {
  static const std::shared_ptr<const Rig> rig = test::compiled_rig(test::mannequin_model()).value();
  return rig;
}

struct Walker {
  Walker() : posed(mannequin_rig()) {
    const auto bone = [&](const char* name) { return test::bone_named(*posed.rig, name); };
    legs = {{.hip = bone("thigh.L"), .knee = bone("shin.L"), .foot = bone("foot.L"), .toe = bone("toes.L")},
            {.hip = bone("thigh.R"), .knee = bone("shin.R"), .foot = bone("foot.R"), .toe = bone("toes.R")}};
    settings = {.legs = legs, .pelvis = bone("hips")};
    // Knees a little bent, as in any animation: legs at rest are nearly straight.
    for (const Leg& leg : legs) {
      solve_two_bone(posed.edit(), {.upper = leg.hip,
                                    .lower = leg.knee,
                                    .end = leg.foot,
                                    .target = posed.at(leg.foot) + glm::vec3(0, 0.05f, 0),
                                    .rotation = rotation_of(posed.models[leg.foot])});
    }
    BoneTransform hips = local_of(posed.locals, settings.pelvis);
    hips.translation.y -= 0.05f;
    set_local(posed.locals, settings.pelvis, hips);
    posed.update();
  }
  FootPlacementReport place(const GroundQuery& ground, float dt = 0.0f) {
    return place_feet(posed.edit(), settings, world, ground, dt, state);
  }
  glm::vec3 foot(std::size_t i) const { return glm::vec3(world * glm::vec4(posed.at(legs[i].foot), 1.0f)); }

  Posed posed;
  std::vector<Leg> legs;
  FootPlacement settings;
  FootPlacementState state;
  glm::mat4 world{1.0f};
};

GroundQuery flat(float height) {
  return [height](const glm::vec3&, float) { return GroundHit{height, {0, 1, 0}}; };
}
// The left half of the world (x > 0) is higher than the right.
GroundQuery step_to_the_left(float left, float right = 0.0f) {
  return [=](const glm::vec3& from, float) { return GroundHit{from.x > 0.0f ? left : right, {0, 1, 0}}; };
}

TEST(FootPlacement, ChangesNothingOnAFlatFloorAtTheAnimationsHeight) {
  for (const float height : {0.0f, 12.5f}) {
    Walker w;
    w.world[3] = glm::vec4(4.0f, height, -2.0f, 1.0f);
    const Posed before = w.posed;
    const auto report = w.place(flat(height), 0.016f);
    EXPECT_EQ(report.fault, IkFault::none);
    EXPECT_TRUE(report.feet[0].ground);
    EXPECT_TRUE(same_bits(w.posed, before)) << height;
  }
}

TEST(FootPlacement, PutsOneFootOnAStepAndLeavesThePelvis) {
  Walker w;
  const Posed before = w.posed;
  const auto report = w.place(step_to_the_left(0.2f));
  EXPECT_FLOAT_EQ(report.pelvis, 0.0f);
  const std::size_t left = before.at(w.legs[0].foot).x > 0.0f ? 0 : 1;
  EXPECT_NEAR(w.foot(left).y, before.at(w.legs[left].foot).y + 0.2f, 1e-4f);
  EXPECT_LT(glm::distance(w.posed.at(w.legs[1 - left].foot), before.at(w.legs[1 - left].foot)), 1e-5f);
  EXPECT_EQ(w.posed.at(w.settings.pelvis), before.at(w.settings.pelvis));
  // The foot stays level: on a step there is no slope.
  const glm::quat turned =
      rotation_of(w.posed.models[w.legs[left].foot]) * glm::conjugate(rotation_of(before.models[w.legs[left].foot]));
  EXPECT_GT(std::abs(turned.w), 0.99999f);
}

TEST(FootPlacement, LowersThePelvisForTheLowestFoot) {
  Walker w;
  const Posed before = w.posed;
  const auto report = w.place(step_to_the_left(0.0f, -0.25f));
  EXPECT_NEAR(report.pelvis, -0.25f, 1e-5f);
  EXPECT_NEAR(w.posed.at(w.settings.pelvis).y, before.at(w.settings.pelvis).y - 0.25f, 1e-5f);
  const std::size_t left = before.at(w.legs[0].foot).x > 0.0f ? 0 : 1;
  EXPECT_NEAR(w.foot(left).y, before.at(w.legs[left].foot).y, 1e-3f);
  EXPECT_NEAR(w.foot(1 - left).y, before.at(w.legs[1 - left].foot).y - 0.25f, 1e-3f);
  EXPECT_LT(report.feet[0].missed, 1e-3f);
}

TEST(FootPlacement, KeepsItsLimits) {
  Walker w;
  w.settings.max_drop = 0.1f;
  w.settings.max_rise = 0.15f;
  EXPECT_NEAR(w.place(flat(-0.8f)).pelvis, -0.1f, 1e-5f);
  Walker up;
  up.settings.max_rise = 0.15f;
  EXPECT_NEAR(up.place(flat(0.45f)).pelvis, 0.15f, 1e-5f);
}

TEST(FootPlacement, TiltsFeetToASlopeUpToTheLimit) {
  for (const float slope : {0.3f, 1.2f}) {
    Walker w;
    const Posed before = w.posed;
    const glm::vec3 normal(0, std::cos(slope), -std::sin(slope));  // rises along +z
    const GroundQuery ground = [&](const glm::vec3& from, float) {
      return GroundHit{from.z * std::tan(std::min(slope, 0.3f)), normal};
    };
    w.settings.max_tilt = 0.5f;
    w.place(ground);
    for (const Leg& leg : w.legs) {
      const glm::quat by = rotation_of(w.posed.models[leg.foot]) * glm::conjugate(rotation_of(before.models[leg.foot]));
      const glm::vec3 up = by * glm::vec3(0, 1, 0);
      EXPECT_NEAR(std::acos(up.y), std::min(slope, 0.5f), 2e-3f);
      EXPECT_LT(up.z, 0.0f);
    }
  }
}

TEST(FootPlacement, HoldsTheSoleOnTheSlope) {
  Walker w;
  const float slope = 0.35f;
  const glm::vec3 normal(std::sin(slope), std::cos(slope), 0);
  const GroundQuery ground = [&](const glm::vec3& from, float) { return GroundHit{-from.x * std::tan(slope), normal}; };
  const float ankle = w.posed.at(w.legs[0].foot).y;
  w.place(ground);
  for (std::size_t i = 0; i < 2; ++i) {
    // As far from the ground, square to it, as the animation has the ankle from the floor; half a millimetre for
    // softness.
    EXPECT_NEAR(glm::dot(w.foot(i), normal), ankle, 2e-3f);
  }
}

TEST(FootPlacement, TreatsMissingGroundAsTheAnimationsFloor) {
  Walker w;
  const Posed before = w.posed;
  const auto report = w.place([](const glm::vec3&, float) { return std::nullopt; });
  EXPECT_FALSE(report.feet[0].ground);
  EXPECT_TRUE(same_bits(w.posed, before));
  // After a step is gone, the feet come back to the animation, exactly.
  Walker off;
  const Posed animated = off.posed;
  off.place(flat(0.3f));
  for (int i = 0; i < 300; ++i) {
    off.posed = animated;
    off.place({}, 0.016f);
  }
  EXPECT_TRUE(same_bits(off.posed, animated));
}

TEST(FootPlacement, IgnoresGroundThatIsNotANumber) {
  Walker w;
  const Posed before = w.posed;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  w.place([&](const glm::vec3&, float) { return GroundHit{nan, {0, 1, 0}}; });
  w.place([&](const glm::vec3&, float) { return GroundHit{0.2f, {nan, 1, 0}}; });
  EXPECT_TRUE(same_bits(w.posed, before));
  w.world[3].x = nan;
  EXPECT_EQ(w.place(flat(0.1f)).fault, IkFault::not_finite);
  w.world = glm::mat4(0.0f);
  EXPECT_EQ(w.place(flat(0.1f)).fault, IkFault::no_length);
  EXPECT_TRUE(same_bits(w.posed, before));
  // A normal without length, or a wall, is level ground.
  Walker wall;
  wall.place([](const glm::vec3&, float) { return GroundHit{0.1f, {1, 0, 0}}; });
  EXPECT_TRUE(all_finite(wall.posed));
}

TEST(FootPlacement, TakesAStepUpSmoothlyAndWhateverTheStepsOfTime) {
  const auto heights = [](int steps) {
    Walker w;
    const Posed animated = w.posed;
    w.place(flat(0.0f));
    float largest = 0.0f, last = 0.0f;
    for (int i = 0; i < steps; ++i) {
      w.posed = animated;
      w.place(flat(0.3f), 0.24f / static_cast<float>(steps));
      largest = std::max(largest, std::abs(w.state.pelvis.value - last));
      last = w.state.pelvis.value;
    }
    return std::pair(w.state.pelvis.value, largest);
  };
  const auto fine = heights(96), coarse = heights(6);
  EXPECT_NEAR(fine.first, coarse.first, 1e-4f);
  EXPECT_GT(fine.first, 0.2f);
  EXPECT_LT(fine.first, 0.3f);
  EXPECT_LT(fine.second, 0.01f) << "of 0.3, in 96 images";
}

TEST(FootPlacement, KeepsToesOutOfTheNextStep) {
  Walker with, without;
  for (Leg& leg : without.legs) leg.toe.reset();
  without.settings.legs = without.legs;
  const float edge = 0.5f * (with.posed.at(with.legs[0].foot).z + with.posed.at(*with.legs[0].toe).z);
  const GroundQuery ground = [&](const glm::vec3& from, float) {
    return GroundHit{from.z > edge ? 0.12f : 0.0f, {0, 1, 0}};
  };
  with.place(ground);
  without.place(ground);
  EXPECT_NEAR(with.foot(0).y - without.foot(0).y, 0.12f, 2e-3f);
}

TEST(FootPlacement, LocksAFootThatStandsWhileTheBodyDriftsAndLetsItGoSmoothly) {
  Walker w;
  w.settings.lock = true;
  const Posed animated = w.posed;
  glm::vec3 first(0.0f), last(0.0f);
  float fastest = 0.0f;
  bool was_locked = false, was_let_go = false;
  for (int i = 0; i < 200; ++i) {
    w.posed = animated;
    w.world[3].z = 0.1f * 0.016f * static_cast<float>(i);  // slides at 0.1 m/s
    const auto report = w.place(flat(0.0f), 0.016f);
    if (i == 2) first = w.foot(0);
    if (i >= 2 && report.feet[0].locked && !was_let_go) {
      EXPECT_NEAR(w.foot(0).z, first.z, 5e-3f) << i;
      was_locked = true;
    }
    was_let_go = was_let_go || (was_locked && !report.feet[0].locked);
    if (i > 2) fastest = std::max(fastest, glm::distance(w.foot(0), last));
    last = w.foot(0);
  }
  EXPECT_TRUE(was_locked);
  EXPECT_TRUE(was_let_go) << "beyond the radius";
  EXPECT_LT(fastest, 0.04f) << "0.25 m are caught up in several images, not in one";
}

TEST(FootPlacement, WorksInCentimetres) {
  Walker metres, scaled;
  // The world is the model made 100 times as large: settings, ground and answers too.
  scaled.world = glm::mat4(100.0f);
  scaled.world[3] = glm::vec4(0, 0, 0, 1);
  for (float* length :
       {&scaled.settings.ray_above, &scaled.settings.ray_below, &scaled.settings.max_rise, &scaled.settings.max_drop})
    *length *= 100.0f;
  metres.place(step_to_the_left(0.15f, -0.1f));
  scaled.place(step_to_the_left(15.0f, -10.0f));
  for (std::uint32_t b = 0; b < metres.posed.rig->bone_count(); ++b) {
    EXPECT_LT(glm::distance(metres.posed.at(b), scaled.posed.at(b)), 1e-4f);
  }
}

TEST(FootPlacement, RefusesLegsThatAreNone) {
  Walker w;
  std::swap(w.legs[0].hip, w.legs[0].foot);
  EXPECT_EQ(w.place(flat(0.1f)).fault, IkFault::chain);
  const std::vector<Leg> many(kMaxLegs + 1, w.legs[1]);
  w.settings.legs = many;
  EXPECT_EQ(w.place(flat(0.1f)).fault, IkFault::chain);
}

}  // namespace
}  // namespace throng
