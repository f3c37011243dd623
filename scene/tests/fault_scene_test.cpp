// SPDX-License-Identifier: Apache-2.0
// A device that runs out of memory or is lost, at every call that can say so: an error in words, nothing leaked, nobody
// else disturbed.

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "fault_fixture.h"
#include "small_scene.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/playback/crowd.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

using test::tiny_scene;

constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

// With a socket to hang a prop on.
const Character& plain_model() {
  static const Character model = [] {
    CharacterDraft card = test::card_draft({});
    card.sockets.emplace_back().name = "hand";
    return test::built(std::move(card));
  }();
  return model;
}

PropMesh triangle() {
  PropMesh mesh;
  mesh.positions = {{0.0f, 0.0f, 0.1f}, {0.6f, 0.0f, 0.1f}, {0.0f, 0.6f, 0.1f}};
  mesh.normals.assign(3, {0.0f, 0.0f, 1.0f});
  mesh.colours.assign(3, {0.8f, 0.1f, 0.1f});
  mesh.indices = {0, 1, 2};
  return mesh;
}

// One whose poses a compute pass works out first.
const Character& local_model() {
  static const Character model = test::card_model({}, Encoding::local8);
  return model;
}

// One whose pipelines the others do not have.
const Character& seen_through_model() {
  static const Character model = [] {
    CharacterDraft card = test::card_draft({});
    card.materials[0].alpha_mode = AlphaMode::mask;
    return test::built(std::move(card));
  }();
  return model;
}

void spawn(Crowd& crowd, std::uint32_t model, int count) {
  for (int i = 0; i < count; ++i) {
    Spawn one{.model = ModelId(model)};
    one.placement.position = {0.5f * static_cast<float>(i) - 1.0f, 0.0f, -0.3f * static_cast<float>(model)};
    ASSERT_TRUE(crowd.add(one, 0));
  }
}

// Characters of both models.
Crowd make_crowd(int count = 2) {
  Crowd crowd(plain_model());
  crowd.add(local_model());
  spawn(crowd, 0, count);
  spawn(crowd, 1, count + 1);
  return crowd;
}

Result<SceneRenderer> make_scene(const VulkanContext& context) {
  auto scene = SceneRenderer::create(context, tiny_scene());
  if (!scene) return scene;
  for (const Character* model : {&plain_model(), &local_model()})
    if (auto added = scene->add(*model); !added) return fail(std::move(added));
  if (auto hung = scene->add_prop(triangle(), ModelId(0), SocketId(0)); !hung) return fail(std::move(hung));
  if (auto taken = scene->update(make_crowd()); !taken) return fail(std::move(taken));
  return scene;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A device of its own, so that the layers tell at the end of each test what was never destroyed. Nothing is drawn.
class Faults : public test::OnFaultyDevice {
 protected:
  Faults() : OnFaultyDevice(test::PipelineKind::pretended) {}
};

// The same with pictures, and with another renderer on the device that must notice nothing.
class DrawnFaults : public Faults {
 protected:
  void SetUp() override {
    Faults::SetUp();
    faulty_.make_pipelines(test::PipelineKind::shared);
    healthy_ = make_scene(context()).value();
    reference_ = healthy_->render(kFront, 0).value();
  }

  void TearDown() override {
    faulty_.heal();
    expect_reference(*healthy_);
    healthy_.reset();
    Faults::TearDown();
  }

  void expect_reference(SceneRenderer& scene) {
    const auto picture = scene.render(kFront, 0);
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_EQ(picture->rgba, reference_.rgba) << "after " << faulty_.failed_function();
  }

  std::optional<SceneRenderer> healthy_;
  Image reference_;
};

TEST_F(Faults, EveryCallOfMakingASceneMayFail) {
  const auto failed =
      fail_each_call([] { return 0; }, [&](int) { return SceneRenderer::create(context(), tiny_scene()); });
  for (const char* function :
       {"vkAllocateMemory", "vkMapMemory", "vkCreateBuffer", "vkCreateImage", "vkCreateImageView", "vkCreateSampler",
        "vkCreateGraphicsPipelines", "vkCreateFence", "vkCreateEvent"})
    EXPECT_TRUE(failed.contains(function)) << function << " was never made to fail";
}

TEST_F(Faults, EveryCallOfAddingAModelMayFail) {
  const auto empty_scene = [&] { return SceneRenderer::create(context(), tiny_scene()).value(); };
  for (const Character* model : {&plain_model(), &local_model()}) {
    auto failed = fail_each_call(empty_scene, [&](SceneRenderer& scene) { return scene.add(*model); });
    for (const char* function : {"vkCreateBuffer", "vkCreateImage", "vkCreateGraphicsPipelines", "vkBeginCommandBuffer",
                                 "vkQueueSubmit2", "vkWaitForFences"})
      EXPECT_TRUE(failed.contains(function)) << function << " was never made to fail";
  }
}

TEST_F(Faults, EveryCallOfHangingAPropMayFail) {
  const auto scene_of_one = [&] {
    auto scene = SceneRenderer::create(context(), tiny_scene()).value();
    EXPECT_TRUE(scene.add(plain_model()));
    return scene;
  };
  const auto failed = fail_each_call(
      scene_of_one, [&](SceneRenderer& scene) { return scene.add_prop(triangle(), ModelId(0), SocketId(0)); });
  EXPECT_TRUE(failed.contains("vkCreateGraphicsPipelines"));
  EXPECT_TRUE(failed.contains("vkQueueSubmit2"));
}

TEST_F(DrawnFaults, AModelThatCouldNotBeAddedLeavesTheSceneAsItWas) {
  auto scene = make_scene(context());
  ASSERT_TRUE(scene) << scene.error().message;
  for (const char* function : {"vkCreateBuffer", "vkCreateImage", "vkQueueSubmit2", "vkCreateGraphicsPipelines"}) {
    faulty_.set({.function = function});
    const auto added = scene->add(seen_through_model());
    faulty_.heal();
    ASSERT_FALSE(added) << function;
    expect_reference(*scene);
  }
}

TEST_F(DrawnFaults, EveryCallOfDrawingMayFailAndTheSameSceneDrawsAgain) {
  auto scene = make_scene(context());
  ASSERT_TRUE(scene) << scene.error().message;
  expect_reference(*scene);
  std::set<std::string> failed;
  for (const VkResult result : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY}) {
    for (std::uint32_t call = 1;; ++call) {
      ASSERT_LT(call, 100u) << "drawing never succeeds";
      faulty_.set({.call = call, .result = result});
      const auto picture = scene->render(kFront, 0);
      faulty_.heal();
      if (!faulty_.happened()) break;
      failed.insert(faulty_.failed_function());
      ASSERT_FALSE(picture) << faulty_.failed_function();
      EXPECT_TRUE(contains(picture.error().message, "out of ")) << picture.error().message;
      expect_reference(*scene);
    }
  }
  EXPECT_TRUE(failed.contains("vkQueueSubmit2"));
  EXPECT_TRUE(failed.contains("vkWaitForFences"));
}

TEST_F(Faults, ADeviceWithoutMemoryRefusesInWordsFromEveryAllocationOn) {
  for (std::uint32_t call = 1;; ++call) {
    ASSERT_LT(call, 1000u) << "making a scene never succeeds";
    faulty_.set({.function = "vkAllocateMemory", .call = call, .for_good = true});
    const auto scene = make_scene(context());
    faulty_.heal();
    if (!faulty_.happened()) break;
    ASSERT_FALSE(scene) << "there was no memory from allocation " << call << " on";
    EXPECT_TRUE(contains(scene.error().message, "bytes of memory: out of device memory (VkResult -2); draw fewer"))
        << scene.error().message;
  }
}

TEST_F(DrawnFaults, ABlockThatDoesNotFitIsTriedInPieces) {
  faulty_.set({.function = "vkAllocateMemory", .call = 1});
  auto scene = make_scene(context());
  EXPECT_TRUE(faulty_.happened());
  ASSERT_TRUE(scene) << scene.error().message;
  faulty_.heal();
  expect_reference(*scene);
}

// The first image after a change is the one that carries it over: whatever fails on the way, the next one that is drawn
// shows the crowd as it is.
TEST_F(DrawnFaults, NoChangeIsLostWhenTheImageThatCarriesItFails) {
  Crowd grown = make_crowd(30);  // so many that buffers must grow
  auto small = make_crowd();
  ASSERT_TRUE(healthy_->update(grown));
  const Image grown_picture = healthy_->render(kFront, 0).value();
  ASSERT_NE(grown_picture.rgba, reference_.rgba);
  ASSERT_TRUE(healthy_->update(small));

  for (std::uint32_t call = 1;; ++call) {
    ASSERT_LT(call, 200u);
    auto scene = make_scene(context());
    ASSERT_TRUE(scene) << scene.error().message;
    expect_reference(*scene);
    faulty_.set({.call = call});
    auto taken = scene->update(grown);
    auto picture = taken ? scene->render(kFront, 0) : Result<Image>(fail(std::move(taken)));
    faulty_.heal();
    if (!faulty_.happened()) break;
    if (!picture) {
      EXPECT_TRUE(contains(picture.error().message, "out of device memory")) << picture.error().message;
      ASSERT_TRUE(scene->update(grown));
      picture = scene->render(kFront, 0);
    }
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_EQ(picture->rgba, grown_picture.rgba) << "after " << faulty_.failed_function();
  }
}

TEST_F(DrawnFaults, ALostDeviceSaysSoAtEveryCallAndIsCleanlyDestroyed) {
  for (const char* function : {"vkQueueSubmit2", "vkWaitForFences"}) {
    auto scene = make_scene(context());
    ASSERT_TRUE(scene) << scene.error().message;
    faulty_.set({.function = function, .result = VK_ERROR_DEVICE_LOST, .for_good = true});
    for (int i = 0; i < 2; ++i) {
      const auto picture = scene->render(kFront, 0);
      ASSERT_FALSE(picture) << function;
      EXPECT_TRUE(
          contains(picture.error().message,
                   "the device was lost (VkResult -4); destroy every object made from it and create a new Device"))
          << picture.error().message;
    }
    EXPECT_FALSE(scene->add(plain_model()));
    const auto another = make_scene(context());
    ASSERT_FALSE(another);
    EXPECT_TRUE(contains(another.error().message, "the device was lost")) << another.error().message;
    faulty_.heal();
  }
}

TEST_F(Faults, ADeviceLostAtAnyCallOfMakingASceneIsSaid) {
  for (const char* function : {"vkQueueSubmit2", "vkWaitForFences"}) {
    for (std::uint32_t call = 1;; ++call) {
      ASSERT_LT(call, 200u);
      faulty_.set({.function = function, .call = call, .result = VK_ERROR_DEVICE_LOST, .for_good = true});
      const auto scene = make_scene(context());
      faulty_.heal();
      if (!faulty_.happened()) break;
      ASSERT_FALSE(scene) << function << " " << call;
      EXPECT_TRUE(contains(scene.error().message, "the device was lost")) << scene.error().message;
    }
  }
}

}  // namespace
}  // namespace throng
