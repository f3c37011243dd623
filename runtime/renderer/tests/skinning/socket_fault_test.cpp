// SPDX-License-Identifier: Apache-2.0
// Buffers of sockets that are replaced: what binds them finds the new ones, also when the image that replaced them
// failed.
#include <gtest/gtest.h>

#include <cstring>

#include "fault_fixture.h"
#include "read_sockets.h"
#include "small_scene.h"
#include "test_models.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

constexpr Ticks kNow = 777;
constexpr std::size_t kFew = 2;
constexpr std::size_t kMany = 300;  // more than the buffer for a few has room for

Character model_with_socket() {
  CharacterDraft card = test::card_draft({});
  BakedSocket& socket = card.sockets.emplace_back();
  socket.name = "hand";
  socket.mesh_from_socket.translation = {0.25, 0.5, 0.125};
  return test::built(std::move(card));
}

test::Cast standing_in_a_row(std::size_t count) {
  test::Cast cast;
  for (std::size_t i = 0; i < count; ++i) cast.add(test::standing(0, {0.02f * static_cast<float>(i), 0.0f, 0.0f}));
  return cast;
}

// What the rows say, given what standing_in_a_row() placed there.
void expect_in_a_row(const std::vector<gpu::SocketPlace>& places, const std::string& after) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    ASSERT_NEAR(places[i].row_x.w, 0.02 * static_cast<double>(i) + 0.25, 1e-4) << i << " after " << after;
    ASSERT_NEAR(places[i].row_y.w, 0.5, 1e-4) << i << " after " << after;
  }
}

class SocketFaults : public test::OnFaultyDevice {
 protected:
  SocketFaults() : OnFaultyDevice(test::PipelineKind::shared) {}
};

TEST_F(SocketFaults, EveryCallOfFindingMoreSocketsMayFailAndTheNextImageFindsThem) {
  const Character model = model_with_socket();
  const auto gpu = GpuDevice::create(context()).value();
  std::set<std::string> failed;
  for (std::uint32_t call = 1;; ++call) {
    ASSERT_LT(call, 100u) << "it never succeeds";
    auto renderer = CharacterRenderer::create(context()).value();
    ASSERT_TRUE(renderer.add(model));
    const auto set = [&](const test::Cast& cast) {
      return renderer.set_instances(ModelId(0), cast.instances, cast.plays);
    };
    ASSERT_TRUE(set(standing_in_a_row(kFew)));
    expect_in_a_row(test::read_sockets(*gpu, renderer, kFew, kNow).value(), "nothing");
    ASSERT_TRUE(set(standing_in_a_row(kMany)));
    const auto found = test::read_sockets(*gpu, renderer, kMany, kNow, [&](VkCommandBuffer commands) {
      faulty_.set({.call = call});
      auto sockets = renderer.record_sockets(commands, ModelId(0), kNow);
      faulty_.heal();
      return sockets;
    });
    if (!faulty_.happened()) break;
    ASSERT_FALSE(found);
    failed.insert(faulty_.failed_function());
    // By the last of these the old buffer is gone.
    for (int image = 0; image < 4; ++image)
      expect_in_a_row(test::read_sockets(*gpu, renderer, kMany, kNow).value(), faulty_.failed_function());
  }
  EXPECT_TRUE(failed.contains("vkCreateBuffer"));
  EXPECT_TRUE(failed.contains("vkCreateDescriptorPool"));
}

class Props : public test::OnDevice {
 protected:
  static constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

  SceneRenderer make_scene(std::size_t characters, bool with_prop = true) {
    PropMesh triangle;
    triangle.positions = {{0.0f, 0.0f, 0.1f}, {0.6f, 0.0f, 0.1f}, {0.0f, 0.6f, 0.1f}};
    triangle.normals.assign(3, {0.0f, 0.0f, 1.0f});
    triangle.colours.assign(3, {0.8f, 0.1f, 0.1f});
    triangle.indices = {0, 1, 2};
    auto scene = SceneRenderer::create(context(), test::tiny_scene()).value();
    EXPECT_TRUE(scene.add(model_with_socket()));
    set(scene, characters);
    EXPECT_TRUE(!with_prop || scene.add_prop(triangle, ModelId(0), SocketId(0)));
    return scene;
  }

  static void set(SceneRenderer& scene, std::size_t characters) {
    const test::Cast cast = standing_in_a_row(characters);
    EXPECT_TRUE(scene.set_instances(ModelId(0), cast.instances, cast.plays));
  }

  static std::vector<std::uint8_t> picture(SceneRenderer& scene) { return scene.render(kFront, 0).value().rgba; }
};

// They are placed by what the plans say, whose buffer is another one after each model that is added.
TEST_F(Props, HangWhereTheyDidAfterModelsWereAdded) {
  SceneRenderer bare = make_scene(kFew, false);
  SceneRenderer scene = make_scene(kFew);
  const auto before = picture(scene);
  ASSERT_NE(before, picture(bare)) << "the prop is seen";
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i <= round; ++i) ASSERT_TRUE(scene.add(test::card_model({})));
    EXPECT_EQ(picture(scene), before) << "round " << round;
  }
}

// The buffer of their places is another one then.
TEST_F(Props, HangOnEverybodyAfterTheCrowdGrew) {
  SceneRenderer scene = make_scene(kFew);
  SceneRenderer at_once = make_scene(kMany);
  const auto few = picture(scene);
  set(scene, kMany);
  const auto many = picture(scene);
  EXPECT_NE(many, few);
  EXPECT_EQ(many, picture(at_once));
}

}  // namespace
}  // namespace throng
