// SPDX-License-Identifier: Apache-2.0
#include "throng/ragdoll/ragdoll_controller.h"

#include <gtest/gtest.h>

#include "fallen.h"

namespace throng {
namespace {

using test::mannequin_rig;
using test::mannequin_setup;
using test::same_bits;
using test::TestCharacter;
using test::world_with_ground;

constexpr double kImage = 1.0 / 60.0;

// A man who stands, is let go and gets up, image by image.
struct Scene {
  Scene() : world(world_with_ground()), controller(world, mannequin_setup()), man(mannequin_rig()) {}

  void image() {
    time += kImage;
    world.step(kImage);
    man.sample("idle", static_cast<float>(std::fmod(time, 1.0)));
    animated = man.locals;
    ASSERT_TRUE(controller.update(man.edit(), at, kImage));
    std::vector<glm::vec3> now;
    for (const Affine& m : man.models) now.push_back(glm::vec3(at * glm::vec4(position_of(m), 1.0f)));
    // The root bone marks the model's origin: nothing is drawn with it.
    for (std::size_t b = mannequin_setup()->bodies()[0].bone; b < drawn.size(); ++b) {
      jump = std::max(jump, glm::distance(now[b], drawn[b]));
    }
    drawn = now;
  }
  void images(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 60.0); ++i) image();
  }

  RagdollWorld world;
  RagdollController controller;
  TestCharacter man;
  std::vector<SoaTransform> animated;
  glm::mat4 at{1.0f};
  double time = 0.0;
  std::vector<glm::vec3> drawn;
  float jump = 0.0f;  // the farthest any bone moved in one image
};

TEST(RagdollController, GoesTheWholeWayWithoutAJump) {
  Scene scene;
  scene.at[3] = glm::vec4(3, 0, -2, 1);
  scene.images(0.3);
  EXPECT_EQ(scene.controller.phase(), RagdollPhase::animated);
  EXPECT_TRUE(same_bits(scene.man.locals, scene.animated)) << "animated: untouched";
  ASSERT_TRUE(scene.controller.fall().has_value());
  EXPECT_EQ(scene.controller.phase(), RagdollPhase::falling);
  scene.controller.ragdoll().push(mannequin_rig()->find_bone("chest").value(), {3, 1.3f, -1.9f}, {0, 0, -60});
  scene.images(6.0);
  EXPECT_EQ(scene.controller.phase(), RagdollPhase::settled);
  EXPECT_LT(scene.drawn[mannequin_rig()->find_bone("head").value()].y, 0.5f);
  // Nothing in a fall of this kind is faster than 10 m/s.
  EXPECT_LT(scene.jump, 10.0f * static_cast<float>(kImage));

  scene.jump = 0.0f;
  TestCharacter start(mannequin_rig());
  start.sample("idle", 0.0f);
  const std::uint32_t hips = mannequin_rig()->find_bone("hips").value();
  const glm::vec3 lay = scene.drawn[hips];
  const auto stood = scene.controller.get_up(start.models);
  ASSERT_TRUE(stood.has_value()) << stood.error().message;
  scene.at = *stood;
  EXPECT_NEAR(scene.at[3].y, 0.0f, 1e-3f);
  EXPECT_EQ(scene.controller.phase(), RagdollPhase::getting_up);
  float last = scene.controller.weight();
  EXPECT_EQ(last, 1.0f);
  glm::vec3 stands(0.0f);
  while (scene.controller.phase() == RagdollPhase::getting_up) {
    scene.image();
    EXPECT_LE(scene.controller.weight(), last);
    EXPECT_LT(last - scene.controller.weight(), 0.06f);
    last = scene.controller.weight();
  }
  EXPECT_EQ(scene.controller.weight(), 0.0f);
  EXPECT_TRUE(same_bits(scene.man.locals, scene.animated));
  // 1.6 m of head in 0.6 s, eased: 4 m/s and a little.
  EXPECT_LT(scene.jump, 0.12f);
  stands = scene.drawn[hips];
  EXPECT_LT(glm::distance(glm::vec2(stands.x, stands.z), glm::vec2(lay.x, lay.z)), 0.1f);
  EXPECT_FALSE(scene.controller.ragdoll().running());
}

TEST(RagdollController, KnowsWhichWayItLies) {
  for (const float push : {-60.0f, 60.0f}) {
    Scene scene;
    // Leaning the way it is pushed.
    scene.at = test::lifted(0.2f, glm::angleAxis(push > 0.0f ? 0.8f : -0.8f, glm::vec3(1, 0, 0)));
    scene.images(0.1);
    ASSERT_TRUE(scene.controller.fall().has_value());
    scene.controller.ragdoll().push(mannequin_rig()->find_bone("upper_chest").value(), {0, 1.4f, 0}, {0, 0, push});
    scene.images(3.0);
    // Pushed back it falls on its back, pushed forward on its face: it looks along +z.
    const glm::vec3 chest = scene.drawn[mannequin_rig()->find_bone("upper_chest").value()];
    const glm::vec3 hips = scene.drawn[mannequin_rig()->find_bone("hips").value()];
    EXPECT_GT((chest - hips).z * push, 0.0f);
    EXPECT_EQ(scene.controller.lying(), push < 0.0f ? Lying::face_up : Lying::face_down) << push;
  }
}

TEST(RagdollController, LetsAnArmGoAndTakesItBack) {
  Scene scene;
  scene.images(0.2);
  const std::uint32_t arm = mannequin_rig()->find_bone("upper_arm.L").value();
  ASSERT_TRUE(scene.controller.fall(arm).has_value());
  scene.jump = 0.0f;
  for (int i = 0; i < 90; ++i) {
    scene.image();
    for (std::uint32_t b = 0; b < scene.man.models.size(); ++b) {
      if (mannequin_rig()->is_below(b, arm)) continue;
      ASSERT_EQ(local_of(scene.man.locals, b).rotation, local_of(scene.animated, b).rotation);
    }
  }
  EXPECT_EQ(scene.controller.phase(), RagdollPhase::falling);
  EXPECT_FALSE(scene.controller.get_up(scene.man.models).has_value());
  scene.controller.recover();
  scene.images(1.0);
  EXPECT_EQ(scene.controller.phase(), RagdollPhase::animated);
  EXPECT_TRUE(same_bits(scene.man.locals, scene.animated));
  EXPECT_LT(scene.jump, 0.15f);
}

// As PoseEdit allows; what they hold beyond the rig's is not touched, nor is memory behind the controller's own.
TEST(RagdollController, TakesSpansThatAreLongerThanTheRig) {
  RagdollWorld world = test::world_with_ground();
  RagdollController controller(world, test::mannequin_setup());
  test::TestCharacter man(mannequin_rig());
  man.models.resize(man.models.size() + 64);
  man.locals.resize(man.locals.size() + 64);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(controller.update(man.edit(), glm::mat4(1.0f), kImage));
    if (i == 1) {
      ASSERT_TRUE(controller.fall().has_value());
    }
    world.step(kImage);
  }
  EXPECT_EQ(man.models.back().rows, Affine{}.rows);
}

TEST(RagdollController, RefusesOutOfOrder) {
  Scene scene;
  EXPECT_FALSE(scene.controller.fall().has_value()) << "no pose yet";
  scene.image();
  EXPECT_FALSE(scene.controller.get_up(scene.man.models).has_value()) << "it stands";
  ASSERT_TRUE(scene.controller.fall().has_value());
  EXPECT_FALSE(scene.controller.get_up(scene.man.models).has_value()) << "not drawn yet";
  scene.image();
  EXPECT_FALSE(scene.controller.get_up(std::span(scene.man.models).first(2)).has_value());
  EXPECT_FALSE(scene.controller.update(scene.man.edit(), glm::mat4(std::numeric_limits<float>::quiet_NaN()), kImage));
  EXPECT_TRUE(scene.controller.get_up(scene.man.models).has_value()) << "may get up before it has settled";
  EXPECT_STREQ(to_text(RagdollPhase::getting_up), "getting up");
}

}  // namespace
}  // namespace throng
