// A device that runs out of memory or is lost, at every call that can say so: an error in words, nothing leaked, nobody
// else disturbed.

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "fault_injection.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/vulkan/scene_renderer.h"

namespace throng {
namespace {

constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

SceneSettings tiny_scene() {
  SceneSettings settings{.width = 32, .height = 32};
  settings.samples = 1;
  settings.shadow_size = 64;
  settings.contact_size = 32;
  return settings;
}

std::vector<InstanceRecord> some_instances(std::size_t count) {
  std::vector<InstanceRecord> instances;
  for (std::size_t i = 0; i < count; ++i)
    instances.push_back(test::standing(0, {0.5f * static_cast<float>(i) - 1.0f, 0.0f, 0.0f}));
  return instances;
}

const BakedModel& plain_model() {
  static const BakedModel model = test::card_model({});
  return model;
}

// One whose poses a compute pass works out first.
const BakedModel& local_model() {
  static const BakedModel model = test::card_model({}, Encoding::local8);
  return model;
}

Result<SceneRenderer> make_scene(const VulkanContext& context) {
  auto scene = SceneRenderer::create(context, tiny_scene());
  if (!scene) return scene;
  if (auto added = scene->add_crowd(plain_model(), some_instances(2)); !added) return fail(std::move(added));
  if (auto added = scene->add_crowd(local_model(), some_instances(3)); !added) return fail(std::move(added));
  return scene;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A device of its own, so that the layers tell at the end of each test what was never destroyed.
class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    DeviceSettings settings{.validation = test::validating()};
    settings.on_validation_message = [this](const std::string& message) { said_.push_back(message); };
    device_ = Device::create(settings).value();
    healthy_ = make_scene(device_->context()).value();
    reference_ = healthy_->render(kFront, 0).value();
  }

  void TearDown() override {
    faulty_.heal();
    const auto picture = healthy_->render(kFront, 0);
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_EQ(picture->rgba, reference_.rgba) << "another renderer on the same device was affected";
    EXPECT_EQ(faulty_.pretended(), 0u) << "shaders or pipelines were never destroyed";
    healthy_.reset();
    device_.reset();
    for (const std::string& message : said_) ADD_FAILURE() << message;
  }

  VulkanContext context() const { return test::FaultyDevice::behind(device_->context()); }

  void expect_reference(SceneRenderer& scene) {
    const auto picture = scene.render(kFront, 0);
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_EQ(picture->rgba, reference_.rgba) << "after " << faulty_.failed_function();
  }

  test::FaultyDevice faulty_;
  std::vector<std::string> said_;
  std::optional<Device> device_;
  std::optional<SceneRenderer> healthy_;
  Image reference_;
};

// Lets each call of `make` fail in turn, until none is left; says which functions they were.
template <class Make>
std::set<std::string> fail_each_call(test::FaultyDevice& faulty, Make make) {
  std::set<std::string> failed;
  for (std::uint32_t call = 1; call < 1000; ++call) {
    faulty.set({.call = call});
    const auto made = make();
    faulty.heal();
    if (!faulty.happened()) return failed;
    failed.insert(faulty.failed_function());
    if (made) continue;  // some can be done without: a pipeline cache, a whole block of memory
    EXPECT_TRUE(contains(made.error().message, "out of device memory (VkResult -2); draw fewer characters"))
        << faulty.failed_function() << ": " << made.error().message;
  }
  ADD_FAILURE() << "it never succeeds";
  return failed;
}

TEST_F(Faults, EveryCallOfMakingASceneMayFail) {
  faulty_.pretend_pipelines();
  const auto failed = fail_each_call(faulty_, [&] { return SceneRenderer::create(context(), tiny_scene()); });
  for (const char* function : {"vkAllocateMemory", "vkMapMemory", "vkCreateBuffer", "vkCreateImage",
                               "vkCreateImageView", "vkCreateSampler", "vkCreateGraphicsPipelines", "vkCreateFence"})
    EXPECT_TRUE(failed.contains(function)) << function << " was never made to fail";
}

TEST_F(Faults, EveryCallOfAddingACrowdMayFail) {
  faulty_.pretend_pipelines();
  auto scene = SceneRenderer::create(context(), tiny_scene());
  ASSERT_TRUE(scene) << scene.error().message;
  for (const BakedModel* model : {&plain_model(), &local_model()}) {
    auto failed = fail_each_call(faulty_, [&] { return scene->add_crowd(*model, some_instances(3)); });
    for (const char* function : {"vkAllocateMemory", "vkCreateBuffer", "vkCreateImage", "vkCreateGraphicsPipelines",
                                 "vkBeginCommandBuffer", "vkQueueSubmit2", "vkWaitForFences"})
      EXPECT_TRUE(failed.contains(function)) << function << " was never made to fail";
    EXPECT_EQ(failed.contains("vkCreateComputePipelines"), model == &local_model());
  }
}

TEST_F(Faults, ACrowdThatCouldNotBeAddedLeavesTheSceneAsItWas) {
  auto scene = make_scene(context());
  ASSERT_TRUE(scene) << scene.error().message;
  for (const char* function : {"vkCreateBuffer", "vkCreateImage", "vkQueueSubmit2", "vkCreateGraphicsPipelines"}) {
    faulty_.set({.function = function});
    const auto added = scene->add_crowd(plain_model(), some_instances(1));
    faulty_.heal();
    ASSERT_FALSE(added) << function;
    expect_reference(*scene);
  }
}

TEST_F(Faults, EveryCallOfDrawingMayFailAndTheSameSceneDrawsAgain) {
  auto scene = make_scene(context());
  ASSERT_TRUE(scene) << scene.error().message;
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
  faulty_.pretend_pipelines();
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

TEST_F(Faults, ABlockThatDoesNotFitIsTriedInPieces) {
  faulty_.set({.function = "vkAllocateMemory", .call = 1});
  auto scene = make_scene(context());
  EXPECT_TRUE(faulty_.happened());
  ASSERT_TRUE(scene) << scene.error().message;
  faulty_.heal();
  expect_reference(*scene);
}

TEST_F(Faults, InstancesThatCouldNotBeSetLeaveTheOldOnes) {
  auto scene = make_scene(context());
  ASSERT_TRUE(scene) << scene.error().message;
  const auto more = some_instances(20);
  for (const std::size_t crowd : {0u, 1u}) {
    for (std::uint32_t call = 1;; ++call) {
      ASSERT_LT(call, 100u);
      faulty_.set({.call = call});
      const auto set = scene->set_instances(crowd, more);
      faulty_.heal();
      if (!faulty_.happened()) break;
      if (set) break;  // absorbed: the new ones are there
      EXPECT_TRUE(contains(set.error().message, "out of device memory")) << set.error().message;
      // A wait that failed comes after the copy: then the old characters may be drawn with what was copied.
      if (faulty_.failed_function() != "vkWaitForFences") expect_reference(*scene);
    }
    ASSERT_TRUE(scene->set_instances(crowd, some_instances(crowd == 0 ? 2 : 3)));
    expect_reference(*scene);
  }
}

TEST_F(Faults, ALostDeviceSaysSoAtEveryCallAndIsCleanlyDestroyed) {
  for (const char* function : {"vkQueueSubmit2", "vkWaitForFences"}) {
    auto scene = make_scene(context());
    ASSERT_TRUE(scene) << scene.error().message;
    faulty_.set({.function = function, .result = VK_ERROR_DEVICE_LOST, .for_good = true});
    for (int i = 0; i < 2; ++i) {
      const auto picture = scene->render(kFront, 0);
      ASSERT_FALSE(picture) << function;
      EXPECT_TRUE(contains(picture.error().message,
                           "the device was lost (VkResult -4); destroy every object made from "
                           "it and create a new Device"))
          << picture.error().message;
    }
    EXPECT_FALSE(scene->set_instances(0, some_instances(1)));
    EXPECT_FALSE(scene->set_instances(1, some_instances(40)));
    const auto another = make_scene(context());
    ASSERT_FALSE(another);
    EXPECT_TRUE(contains(another.error().message, "the device was lost")) << another.error().message;
    faulty_.heal();
  }
}

TEST_F(Faults, ADeviceLostAtAnyCallOfMakingASceneIsSaid) {
  faulty_.pretend_pipelines();
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
