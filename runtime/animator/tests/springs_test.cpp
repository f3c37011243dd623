// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/springs.h"
#include "compiled_rig.h"

#include <gtest/gtest.h>

#include <functional>

#include "posed.h"

namespace throng {
namespace {

using test::all_finite;
using test::Posed;
using test::same_bits;

constexpr std::size_t kBones = 6;
constexpr float kStep = 0.2f;  // metres a bone

// Hangs sideways: gravity has something to do.
const std::shared_ptr<const Rig>& tail_rig() {
  static const std::shared_ptr<const Rig> rig =
      test::compiled_rig(test::row_of_bones(std::vector<glm::dvec3>(kBones, {0.2, 0, 0}))).value();
  return rig;
}
SpringSettings tail_settings(float stiffness = 60.0f, float damping = 4.0f) {
  SpringSettings s;
  s.chains = {{.bones = {1, 2, 3, 4, 5}, .stiffness = stiffness, .damping = damping}};
  return s;
}

struct Tail {
  explicit Tail(const SpringSettings& settings = tail_settings())
      : posed(tail_rig()), springs(build_springs(tail_rig(), settings).value()) {}
  SpringReport step(double dt, const glm::vec3& at = glm::vec3(0.0f), float weight = 1.0f) {
    posed.locals.assign(posed.rig->rest().begin(), posed.rig->rest().end());
    posed.update();
    world[3] = glm::vec4(at, 1.0f);
    return springs.step(posed.edit(), world, dt, weight);
  }
  glm::vec3 tip() const { return glm::vec3(world * glm::vec4(posed.at(5), 1.0f)); }
  void expect_lengths() const {
    for (std::uint32_t b = 1; b < kBones; ++b) EXPECT_NEAR(glm::distance(posed.at(b), posed.at(b - 1)), kStep, 1e-4f);
  }
  Posed posed;
  Springs springs;
  glm::mat4 world{1.0f};
};

TEST(Springs, HangDownUnderGravityAndKeepLengths) {
  Tail tail(tail_settings(0.0f, 3.0f));
  for (int i = 0; i < 600; ++i) {
    tail.step(1.0 / 60.0);
    tail.expect_lengths();
  }
  // A rope hangs straight down from its first bone.
  EXPECT_LT(glm::distance(tail.posed.at(5), tail.posed.at(1) - glm::vec3(0, 4 * kStep, 0)), 0.02f);
}

TEST(Springs, StayWithThePoseWhenStiffOrWithoutGravity) {
  Tail stiff(tail_settings(1e9f));
  const glm::vec3 animated = stiff.posed.at(5);
  for (int i = 0; i < 60; ++i) stiff.step(1.0 / 60.0);
  EXPECT_LT(glm::distance(stiff.posed.at(5), animated), 1e-3f);
  SpringSettings weightless = tail_settings();
  weightless.gravity = {};
  Tail still(weightless);
  for (int i = 0; i < 60; ++i) still.step(1.0 / 60.0);
  EXPECT_LT(glm::distance(still.posed.at(5), animated), 1e-5f);
}

TEST(Springs, SettleWhereSpringAndGravityBalance) {
  // One bone with one point at its tip: k · deviation balances g across it.
  SpringSettings s = tail_settings(100.0f, 20.0f);
  s.chains[0].bones = {5};
  Tail tail(s);
  for (int i = 0; i < 600; ++i) tail.step(1.0 / 60.0);
  const glm::quat by =
      rotation_of(tail.posed.models[5]) * glm::conjugate(rotation_of(tail.posed.rig->rest_models()[5]));
  const glm::vec3 way = by * glm::vec3(1, 0, 0);
  const float angle = std::atan2(-way.y, way.x);
  // Across the bone: k · L · sin(angle) = g · cos(angle).
  EXPECT_NEAR(std::tan(angle), 9.81f / (100.0f * kStep), 0.02f);
}

TEST(Springs, DoNotDependOnHowTimeIsCut) {
  const auto run = [](double dt, int calls) {
    Tail tail;
    tail.step(0.0);
    for (int i = 1; i <= calls; ++i) tail.step(dt, glm::vec3(0.5f, 0.0f, 1.0f) * static_cast<float>(dt * i));
    return tail.tip();
  };
  const glm::vec3 fine = run(1.0 / 240.0, 480), usual = run(1.0 / 60.0, 120), odd = run(1.0 / 37.0, 74),
                  coarse = run(0.25, 8);
  // Of a chain of 1 m that has swung by decimetres.
  EXPECT_LT(glm::distance(fine, usual), 1e-3f);
  EXPECT_LT(glm::distance(fine, odd), 1e-3f);
  EXPECT_LT(glm::distance(fine, coarse), 1e-3f);
  EXPECT_GT(glm::distance(fine, glm::vec3(1.2f, 0, 0) + glm::vec3(1, 0, 2)), 0.1f);
}

TEST(Springs, LagBehindACharacterThatStartsAsTheirInertiaSays) {
  float lag[2];
  for (const int glued : {0, 1}) {
    SpringSettings s = tail_settings();
    s.gravity = {};
    s.chains[0].inertia = glued ? 0.0f : 1.0f;
    Tail tail(s);
    tail.step(0.0);
    for (int i = 1; i <= 12; ++i) tail.step(1.0 / 60.0, glm::vec3(0, 0, 3.0f * static_cast<float>(i) / 60.0f));
    lag[glued] = 3.0f * 12.0f / 60.0f - tail.tip().z;
  }
  EXPECT_GT(lag[0], 0.15f);
  EXPECT_NEAR(lag[1], 0.0f, 1e-3f);
}

TEST(Springs, AreStableForAnyStiffnessDampingAndTime) {
  for (const float stiffness : {0.0f, 1.0f, 1e4f, 1e12f}) {
    for (const float damping : {0.0f, 1e9f}) {
      Tail tail(tail_settings(stiffness, damping));
      const double times[] = {1.0, 0.001, 50.0, 0.0, 1.0 / 60.0, -3.0, std::numeric_limits<double>::quiet_NaN(), 0.7};
      for (int i = 0; i < 40; ++i) {
        const float way = static_cast<float>(i % 7) * 0.25f;
        const SpringReport report = tail.step(times[i % 8], {way, -way, 0.5f * way});
        EXPECT_LE(report.steps, 121u);
        ASSERT_TRUE(all_finite(tail.posed));
        tail.expect_lengths();
      }
    }
  }
}

TEST(Springs, ComeToRest) {
  Tail tail;
  for (int i = 0; i < 300; ++i) tail.step(1.0 / 60.0);
  const glm::vec3 at = tail.tip();
  for (int i = 0; i < 30; ++i) tail.step(1.0 / 60.0);
  EXPECT_LT(glm::distance(at, tail.tip()), 2e-3f);
}

TEST(Springs, StayOutOfColliders) {
  SpringSettings s = tail_settings(0.0f, 3.0f);
  s.chains[0].radius = 0.02f;
  // In the way of the falling rope: a ball, then a capsule, told in the root's space.
  for (const glm::vec3 to : {glm::vec3(0.55f, -0.3f, 0.02f), glm::vec3(0.55f, -0.3f, -0.6f)}) {
    const glm::mat4 root_from_model = glm::inverse(to_matrix(tail_rig()->rest_models()[0]));
    const glm::vec3 a(root_from_model * glm::vec4(0.55f, -0.3f, 0.02f, 1.0f)), b(root_from_model * glm::vec4(to, 1.0f));
    s.colliders = {{.bone = 0, .from = a, .to = b, .radius = 0.15f}};
    Tail tail(s);
    bool touched = false;
    for (int i = 0; i < 300; ++i) {
      tail.step(1.0 / 60.0);
      for (std::uint32_t bone = 2; bone < kBones; ++bone) {
        const float gap =
            glm::distance(tail.posed.at(bone),
                          glm::vec3(0.55f, -0.3f, glm::clamp(tail.posed.at(bone).z, std::min(to.z, 0.02f), 0.02f)));
        // The length is kept before the distance: a centimetre at most.
        EXPECT_GT(gap, 0.17f - 0.01f) << i << " " << bone;
        touched = touched || gap < 0.18f;
      }
      tail.expect_lengths();
    }
    EXPECT_TRUE(touched);
  }
}

TEST(Springs, KeepTheirLimit) {
  SpringSettings s = tail_settings(0.0f, 3.0f);
  s.chains[0].limit = 0.2f;
  Tail tail(s);
  for (int i = 0; i < 300; ++i) tail.step(1.0 / 60.0);
  for (std::uint32_t bone = 1; bone < kBones; ++bone) {
    const float cosine =
        std::abs(glm::dot(local_of(tail.posed.locals, bone).rotation, local_of(tail.posed.rig->rest(), bone).rotation));
    EXPECT_LT(2.0f * std::acos(std::min(1.0f, cosine)), 0.205f);
  }
  EXPECT_LT(tail.tip().y, -0.2f);
}

TEST(Springs, AreCarriedAlongWhenTheCharacterJumps) {
  Tail tail;
  for (int i = 0; i < 20; ++i) tail.step(1.0 / 60.0);
  Tail stays = tail;
  const SpringReport report = tail.step(1.0 / 60.0, {100, 20, -3});
  EXPECT_TRUE(report.teleported);
  EXPECT_FALSE(stays.step(1.0 / 60.0).teleported);
  EXPECT_LT(glm::distance(tail.posed.at(5), stays.posed.at(5)), 1e-3f) << "as if it had stayed";
  EXPECT_FALSE(tail.step(1.0 / 60.0, {101, 20, -3}).teleported);
}

TEST(Springs, LeaveEveryBitAtWeightZeroAndStartAnewWhenReset) {
  Tail tail;
  const Posed rest = tail.posed;
  for (int i = 0; i < 30; ++i) tail.step(1.0 / 60.0, glm::vec3(0.0f), 0.0f);
  EXPECT_TRUE(same_bits(tail.posed, rest));
  tail.step(0.0);
  EXPECT_GT(glm::distance(tail.posed.at(5), rest.at(5)), 0.05f) << "it went on swinging meanwhile";
  tail.springs.reset();
  tail.step(0.0);
  EXPECT_LT(glm::distance(tail.posed.at(5), rest.at(5)), 1e-5f);
}

TEST(Springs, IgnoreWhatIsNotANumber) {
  Tail tail;
  tail.step(0.1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(tail.step(0.1, {nan, 0, 0}).fault, IkFault::not_finite);
  EXPECT_EQ(tail.step(0.1, {0, 0, 0}, nan).fault, IkFault::not_finite);
  tail.world = glm::mat4(0.0f);
  EXPECT_EQ(tail.springs.step(tail.posed.edit(), tail.world, 0.1).fault, IkFault::no_length);
  tail.world = glm::mat4(1.0f);
  EXPECT_EQ(tail.step(0.1).fault, IkFault::none);
  EXPECT_TRUE(all_finite(tail.posed));
}

TEST(Springs, RefuseSettingsInOneLine) {
  const auto refused = [](const std::function<void(SpringSettings&)>& change) {
    SpringSettings s = tail_settings();
    change(s);
    const auto built = build_springs(tail_rig(), s);
    return built ? std::string() : built.error().message;
  };
  EXPECT_EQ(refused([](SpringSettings&) {}), "");
  EXPECT_NE(refused([](SpringSettings& s) { s.chains[0].bones = {3, 2}; }).find("no chain"), std::string::npos);
  EXPECT_NE(refused([](SpringSettings& s) { s.chains[0].bones = {}; }).find("0 bones"), std::string::npos);
  EXPECT_NE(refused([](SpringSettings& s) { s.chains[0].stiffness = -1.0f; }), "");
  EXPECT_NE(refused([](SpringSettings& s) { s.chains[0].inertia = 1.5f; }), "");
  EXPECT_NE(refused([](SpringSettings& s) { s.colliders = {{.bone = 77}}; }).find("bone 77"), std::string::npos);
  EXPECT_NE(refused([](SpringSettings& s) { s.step = 1.0; }).find("step"), std::string::npos);
  EXPECT_NE(refused([](SpringSettings& s) { s.gravity.y = std::numeric_limits<float>::infinity(); }), "");
}

TEST(Springs, AreDefinedForBonesWithoutLength) {
  const auto rig = test::compiled_rig(test::row_of_bones({{0, 0, 0}, {0, 0, 0}, {0.1, 0, 0}, {0, 0, 0}})).value();
  SpringSettings s;
  s.chains = {{.bones = {0, 1, 2, 3}}, {.bones = {3}}};
  Springs springs(build_springs(rig, s).value());
  Posed posed(rig);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(springs.step(posed.edit(), glm::mat4(1.0f), 1.0 / 60.0).fault, IkFault::none);
  EXPECT_TRUE(all_finite(posed));
}

}  // namespace
}  // namespace throng
