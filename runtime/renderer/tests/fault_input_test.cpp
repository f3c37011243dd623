// SPDX-License-Identifier: Apache-2.0
// Numbers nobody can draw with: each is refused in words, and what was there before is drawn as before.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "small_scene.h"
#include "surfaces/image_check.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/scene/scene_view.h"

namespace throng {
namespace {

using namespace detail::renderer;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

TEST(ImageCheck, RefusesEachWrongNumberInWords) {
  struct Wrong {
    const char* words;
    std::function<void(RendererImage&)> break_it;
  };
  static const std::array shadows{glm::mat4(1.0f), glm::mat4(kNan)};
  const Wrong all[] = {
      {"clip_from_world holds", [](RendererImage& i) { i.clip_from_world[2][1] = kNan; }},
      {"the matrix of shadow pass 1", [](RendererImage& i) { i.shadows = shadows; }},
      {"the eye is at a place", [](RendererImage& i) { i.eye.z = kInfinity; }},
      {"0 pixels a unit", [](RendererImage& i) { i.pixels = 0.0f; }},
      {"nan pixels a unit", [](RendererImage& i) { i.pixels = kNan; }},
      {"a pixel error of -1", [](RendererImage& i) { i.pixel_error = -1.0f; }},
      {"a pixel error of nan", [](RendererImage& i) { i.pixel_error = kNan; }},
      {"specks of inf pixels", [](RendererImage& i) { i.speck_pixels = kInfinity; }},
  };
  EXPECT_TRUE(check_image({}));
  for (const Wrong& wrong : all) {
    RendererImage image;
    wrong.break_it(image);
    const auto checked = check_image(image);
    ASSERT_FALSE(checked) << wrong.words;
    EXPECT_NE(checked.error().message.find(wrong.words), std::string::npos) << checked.error().message;
  }
}

TEST(CameraCheck, RefusesPlacesAndAnglesThatShowNothing) {
  EXPECT_TRUE(check_camera(kFront));
  EXPECT_FALSE(check_camera({.eye = {0.0, kNan, 0.0}}));
  EXPECT_FALSE(check_camera({.target = {kInfinity, 0.0, 0.0}}));
  EXPECT_FALSE(check_camera({.eye = {1.0, 2.0, 3.0}, .target = {1.0, 2.0, 3.0}}));
  for (const double fov : {0.0, -10.0, 180.0, static_cast<double>(kNan)})
    EXPECT_FALSE(check_camera({.vertical_fov_degrees = fov})) << fov;
}

using BadInput = test::OnDevice;

TEST_F(BadInput, IsRefusedAndTheOldCharactersAreDrawnAsBefore) {
  SceneSettings settings = test::tiny_scene();
  settings.contact_size = 0;
  auto scene = SceneRenderer::create(context(), settings);
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_TRUE(scene->add(test::card_model({})));
  const test::Cast cast{test::standing(0), test::standing(0, {1.0f, 0.0f, 0.0f})};
  ASSERT_TRUE(scene->set_instances(ModelId(0), cast.instances, cast.plays));
  const Image before = scene->render(kFront, 0).value();

  const auto refused = [&](const char* words, const std::function<void(test::Cast&)>& break_it) {
    test::Cast wrong = cast;
    break_it(wrong);
    const auto set = scene->set_instances(ModelId(0), wrong.instances, wrong.plays);
    ASSERT_FALSE(set) << words;
    EXPECT_NE(set.error().message.find(words), std::string::npos) << set.error().message;
    EXPECT_EQ(scene->render(kFront, 0).value().rgba, before.rgba) << words;
  };
  refused("instance 1", [](test::Cast& c) { c.instances[1].position.y = kNan; });
  refused("instance 0", [](test::Cast& c) { c.instances[0].scale = kInfinity; });
  refused("instance 0", [](test::Cast& c) { c.instances[0].scale = 0.0f; });
  refused("instance 1", [](test::Cast& c) { c.plays[1].track.clip = 77; });
  refused("2 instances and 1 records", [](test::Cast& c) { c.plays.pop_back(); });

  EXPECT_FALSE(scene->set_instances(ModelId(9), cast.instances, cast.plays)) << "a model nobody added";
  EXPECT_FALSE(scene->render({.eye = {kNan, 0.0, 0.0}}, 0));
  EXPECT_FALSE(scene->add_prop({}, ModelId(0), SocketId(0)));
  EXPECT_EQ(scene->render(kFront, 0).value().rgba, before.rgba);
}

TEST_F(BadInput, SizesTheDeviceCannotDrawAreRefused) {
  for (const SceneSettings& wrong :
       {SceneSettings{.width = 0, .height = 32}, SceneSettings{.width = 32, .height = 1u << 30},
        SceneSettings{.width = 32, .height = 32, .samples = 3},
        SceneSettings{.width = 32, .height = 32, .shadow_size = 1u << 30}}) {
    const auto scene = SceneRenderer::create(context(), wrong);
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().message.find("cannot be drawn"), std::string::npos) << scene.error().message;
  }
}

}  // namespace
}  // namespace throng
