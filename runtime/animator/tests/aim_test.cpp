// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "mannequin_model.h"
#include "posed.h"

namespace throng {
namespace {

using test::all_finite;
using test::Posed;
using test::same_bits;

constexpr float kPi = std::numbers::pi_v<float>;

// Three bones upwards; the axis is where +z of the model lies in the last one.
struct Neck {
  Neck() : posed(test::row_of_bones({{0, 1, 0}, {0, 0.5, 0}, {0, 0.4, 0.1}})) {
    axis = glm::conjugate(rotation_of(posed.models[2])) * glm::vec3(0, 0, 1);
    up = glm::conjugate(rotation_of(posed.models[2])) * glm::vec3(0, 1, 0);
  }
  AimIk at(const glm::vec3& target) const { return {.bones = bones, .target = target, .axis = axis, .up_axis = up}; }
  glm::vec3 looks() const { return glm::normalize(rotation_of(posed.models[2]) * axis); }
  float off(const glm::vec3& target, const glm::vec3& from) const {
    const glm::vec3 to = glm::normalize(target - from);
    return std::atan2(glm::length(glm::cross(looks(), to)), glm::dot(looks(), to));
  }
  float turned(std::uint32_t bone, const Posed& before) const {
    const float cosine =
        std::abs(glm::dot(local_of(posed.locals, bone).rotation, local_of(before.locals, bone).rotation));
    return 2.0f * std::acos(std::min(cosine, 1.0f));
  }
  Posed posed;
  glm::vec3 axis{}, up{};
  std::vector<AimBone> bones{{.bone = 0, .weight = 0.2f}, {.bone = 1, .weight = 0.4f}, {.bone = 2, .weight = 1.0f}};
};

TEST(Aim, PointsTheAxisAtTheTarget) {
  for (const glm::vec3 target : {glm::vec3(3, 2, 4), glm::vec3(-5, 1, 1), glm::vec3(0.5f, 6, 1), glm::vec3(2, -3, 2)}) {
    Neck neck;
    const Posed before = neck.posed;
    const IkReport report = solve_aim(neck.posed.edit(), neck.at(target));
    EXPECT_TRUE(report.reached);
    EXPECT_LT(neck.off(target, neck.posed.at(2)), 1e-3f);
    EXPECT_NEAR(report.missed, neck.off(target, neck.posed.at(2)), 1e-3f);
    EXPECT_GT(neck.turned(0, before), 0.01f) << "the body takes its share";
  }
}

TEST(Aim, CountsFromTheOriginGiven) {
  Neck neck;
  AimIk ik = neck.at({2, 2, 1.5f});
  ik.origin = {0.3f, 0.2f, -0.1f};
  ik.iterations = 12;
  const IkReport report = solve_aim(neck.posed.edit(), ik);
  EXPECT_TRUE(report.reached);
  EXPECT_LT(neck.off(ik.target, transform_point(neck.posed.models[2], ik.origin)), 2e-3f);
}

TEST(Aim, SharesATurnAmongBonesAsTheirWeightsSay) {
  // All in one point: shares are of angles then, and exact.
  Neck neck;
  neck.posed = Posed(test::row_of_bones({{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}));
  const Posed before = neck.posed;
  neck.axis = glm::conjugate(rotation_of(neck.posed.models[2])) * glm::vec3(0, 0, 1);
  AimIk ik = neck.at(glm::vec3(10, 1, 10));
  ik.iterations = 1;
  solve_aim(neck.posed.edit(), ik);
  const float whole = kPi / 4;
  EXPECT_NEAR(neck.turned(0, before), 0.2f * whole, 1e-3f);
  EXPECT_NEAR(neck.turned(1, before), 0.4f * 0.8f * whole, 1e-3f);
  EXPECT_NEAR(neck.turned(2, before), 0.6f * 0.8f * whole, 1e-3f);
}

TEST(Aim, KeepsTheLimitOfEachBoneAndOfAll) {
  Neck neck;
  const Posed before = neck.posed;
  const glm::vec3 looked = neck.looks();
  for (AimBone& b : neck.bones) b.limit = 0.15f;
  AimIk ik = neck.at(neck.posed.at(2) + glm::vec3(5, 0, 1));
  const IkReport report = solve_aim(neck.posed.edit(), ik);
  EXPECT_FALSE(report.reached);
  EXPECT_GT(report.missed, 0.3f);
  for (std::uint32_t b = 0; b < 3; ++b) EXPECT_LT(neck.turned(b, before), 0.1505f);
  EXPECT_GT(neck.turned(2, before), 0.149f);

  Neck whole;
  ik = whole.at(whole.posed.at(2) + glm::vec3(5, 0, 1));
  ik.total_limit = 0.5f;
  EXPECT_FALSE(solve_aim(whole.posed.edit(), ik).reached);
  EXPECT_NEAR(std::acos(glm::dot(whole.looks(), looked)), 0.5f, 2e-3f);
}

TEST(Aim, RollsUpright) {
  Neck neck;
  neck.posed.turn(2, glm::angleAxis(0.6f, neck.axis));
  AimIk ik = neck.at(neck.posed.at(2) + glm::vec3(2, 1, 4));
  ik.up = glm::vec3(0, 1, 0);
  EXPECT_TRUE(solve_aim(neck.posed.edit(), ik).reached);
  const glm::vec3 up = rotation_of(neck.posed.models[2]) * neck.up, looks = neck.looks();
  const glm::vec3 best = glm::normalize(glm::vec3(0, 1, 0) - looks.y * looks);
  EXPECT_LT(glm::distance(glm::normalize(up - glm::dot(up, looks) * looks), best), 2e-3f);
}

TEST(Aim, LeavesEveryBitAtWeightZeroAndIgnoresWhatIsNotANumber) {
  Neck neck;
  const Posed before = neck.posed;
  AimIk ik = neck.at({3, 3, 3});
  ik.weight = 0.0f;
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::none);
  EXPECT_TRUE(same_bits(neck.posed, before));
  ik.weight = 1.0f;
  ik.target.x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::not_finite);
  ik.target.x = std::numeric_limits<float>::infinity();
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::not_finite);
  ik = neck.at({3, 3, 3});
  ik.axis = {};
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::no_length);
  const std::vector<AimBone> wrong{{.bone = 2}, {.bone = 1}};
  ik = neck.at({3, 3, 3});
  ik.bones = wrong;
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::chain);
  const std::vector<AimBone> many(kMaxAimBones + 1, AimBone{.bone = 0});
  ik.bones = many;
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::chain);
  EXPECT_TRUE(same_bits(neck.posed, before));
}

// The head is somewhere, but its turn is no number: neck and spine must not catch it.
TEST(Aim, DoesNotSpreadATurnThatIsNoNumber) {
  for (const int component : {0, 1, 2, 3}) {
    Neck neck;
    BoneTransform local = local_of(neck.posed.locals, 2);
    local.rotation[component] = std::numeric_limits<float>::quiet_NaN();
    set_local(neck.posed.locals, 2, local);
    neck.posed.update();
    const Posed before = neck.posed;
    EXPECT_EQ(solve_aim(neck.posed.edit(), neck.at({3, 2, 4})).fault, IkFault::not_finite);
    EXPECT_TRUE(same_bits(neck.posed, before));
  }
  // A matrix that is no number in one place only.
  for (std::size_t row = 0; row < 3; ++row) {
    Neck neck;
    neck.posed.models[2].rows[row].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(solve_aim(neck.posed.edit(), neck.at({3, 2, 4})).fault, IkFault::not_finite);
  }
}

TEST(Aim, LooksAtItselfWithoutNaN) {
  Neck neck;
  AimIk ik = neck.at(neck.posed.at(2));
  ik.up = neck.looks();
  EXPECT_EQ(solve_aim(neck.posed.edit(), ik).fault, IkFault::none);
  EXPECT_TRUE(all_finite(neck.posed));
}

TEST(Aim, LetsGoSmoothlyWhenTheTargetPassesBehind) {
  // Once round the head, limited: the view comes back to the front behind and takes up the other side without a jump.
  glm::vec3 last(0.0f);
  float widest = 0.0f;
  for (int i = 0; i <= 2000; ++i) {
    Neck neck;
    const float a = 2.0f * kPi * static_cast<float>(i) / 2000.0f;
    AimIk ik = neck.at(neck.posed.at(2) + glm::vec3(std::sin(a), 0.0f, std::cos(a)) * 50.0f);
    ik.total_limit = 1.2f;
    solve_aim(neck.posed.edit(), ik);
    const glm::vec3 looks = neck.looks();
    widest = std::max(widest, std::abs(std::atan2(looks.x, looks.z)));
    if (i > 0) {
      EXPECT_LT(glm::distance(looks, last), 0.02f) << i;
    }
    last = looks;
  }
  EXPECT_NEAR(widest, 1.2f, 0.01f);
}

TEST(Aim, TurnsAMannequinsHead) {
  Posed man(test::mannequin_model());
  const auto bone = [&](const char* name) { return test::bone_named(*man.rig, name); };
  const std::vector<AimBone> bones{{.bone = bone("chest"), .weight = 0.15f, .limit = 0.3f},
                                   {.bone = bone("neck"), .weight = 0.4f, .limit = 0.5f},
                                   {.bone = bone("head"), .limit = 0.9f}};
  const glm::vec3 axis = glm::conjugate(rotation_of(man.models[bone("head")])) * glm::vec3(0, 0, 1);
  const IkReport report =
      solve_aim(man.edit(), {.bones = bones, .target = {2, 1.2f, 3}, .axis = axis, .up = glm::vec3(0, 1, 0)});
  EXPECT_TRUE(report.reached);
  const glm::vec3 looks = rotation_of(man.models[bone("head")]) * axis;
  EXPECT_GT(glm::dot(looks, glm::normalize(glm::vec3(2, 1.2f, 3) - man.at(bone("head")))), 0.99999f);
}

}  // namespace
}  // namespace throng
