// SPDX-License-Identifier: Apache-2.0
// Near characters on a device that runs out of memory or has little of everything: an error in words, nothing
// leaked, and the same renderer goes on.
#include <optional>
#include <set>

#include "fault_fixture.h"
#include "near_stage.h"
#include "small_scene.h"
#include "test_device.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class NearFaults : public test::OnFaultyDevice {
 protected:
  NearFaults() : OnFaultyDevice(test::PipelineKind::shared) {}
};

TEST_F(NearFaults, EveryCallOfMakingARendererMayFail) {
  const auto failed = fail_each_call([] { return 0; }, [&](int) { return CharacterRenderer::create(context()); });
  for (const char* function : {"vkCreateBuffer", "vkCreateDescriptorSetLayout", "vkCreatePipelineLayout"})
    EXPECT_TRUE(failed.contains(function)) << function << " was never made to fail";
}

TEST_F(NearFaults, EveryCallOfAddingAModelMayFailAndTheOthersGoOn) {
  faulty_.make_pipelines(test::PipelineKind::pretended);  // nothing is drawn
  const Character card = test::near_character(test::card());
  const auto with_a_card = [&] {
    auto renderer = CharacterRenderer::create(context()).value();
    EXPECT_TRUE(renderer.add(card));
    return renderer;
  };
  const Model rich = test::random_near_model({.influences = 8, .targets = 2});
  const Character rich_character = test::near_character(rich);
  const ModelSettings settings{.near_method = SkinMethod::dual_quaternion};
  const auto failed = fail_each_call(with_a_card, [&](CharacterRenderer& renderer) {
    auto number = renderer.add(rich_character, settings);
    EXPECT_EQ(renderer.model_count(), number ? 2u : 1u) << "after a failure there are as many as before";
    faulty_.heal();
    const auto again = renderer.add(rich_character, settings);
    EXPECT_TRUE(again && renderer.add_near(*again)) << "after " << faulty_.failed_function();
    return number;
  });
  for (const char* function :
       {"vkCreateBuffer", "vkCreateImage", "vkCreateComputePipelines", "vkQueueSubmit2", "vkWaitForFences"})
    EXPECT_TRUE(failed.contains(function)) << function << " was never made to fail";
}

TEST_F(NearFaults, EveryCallOfAnImageMayFailAndTheNextIsRight) {
  const auto begin = [&](SceneRenderer& scene, int count) {
    CharacterRenderer& characters = scene.characters();
    if (characters.model_count() == 0) {
      EXPECT_TRUE(characters.add(test::near_character(test::card())));
    }
    const std::vector<Affine> bones(1);
    std::vector<CharacterId> ids;
    for (int i = 0; i < count; ++i) {
      ids.push_back(characters.add_near(ModelId()).value());
      const Placement placement{.position = {0.02f * static_cast<float>(i), 0.0f, 0.0f}};
      EXPECT_TRUE(characters.set_pose(ids.back(), {.model_from_bones = bones, .placement = placement}));
    }
    return ids;
  };
  const SceneSettings settings = test::tiny_scene();
  auto healthy = SceneRenderer::create(context(), settings).value();
  begin(healthy, 40);
  const Image reference = healthy.render(kFront, 0).value();
  std::set<std::string> failed;
  for (std::uint32_t call = 1;; ++call) {
    ASSERT_LT(call, 100u) << "drawing never succeeds";
    auto scene = SceneRenderer::create(context(), settings).value();
    const CharacterId alone = begin(scene, 1)[0];
    ASSERT_TRUE(scene.render(kFront, 0));
    // So many more that everything must grow.
    CharacterRenderer& characters = scene.characters();
    ASSERT_TRUE(characters.remove(alone));
    const std::vector<CharacterId> ids = begin(scene, 40);
    ASSERT_TRUE(characters.request_vertices(ids[1], {ModelId(), 0}));
    faulty_.set({.call = call});
    const auto picture = scene.render(kFront, 0);
    faulty_.heal();
    if (!faulty_.happened()) break;
    failed.insert(faulty_.failed_function());
    EXPECT_TRUE(picture || contains(picture.error().message, "out of ")) << picture.error().message;
    EXPECT_EQ(scene.render(kFront, 0)->rgba, reference.rgba) << "after " << faulty_.failed_function();
    ASSERT_EQ(characters.poll().size(), 1u) << "what was asked for comes, after " << faulty_.failed_function();
  }
  EXPECT_TRUE(failed.contains("vkCreateBuffer"));
  EXPECT_TRUE(failed.contains("vkQueueSubmit2"));
}

TEST_F(NearFaults, ADeviceThatBindsLittleSaysWhatIsTooMuch) {
  faulty_.weaken({.properties = [](VkPhysicalDeviceProperties2& properties) {
    properties.properties.limits.maxStorageBufferRange = 65536;
  }});
  auto renderer = CharacterRenderer::create(context()).value();
  ASSERT_TRUE(renderer.add(test::near_character(test::random_near_model({.vertices = 900}))));
  const auto large = renderer.add(test::near_character(test::random_near_model({.vertices = 1251})));
  ASSERT_FALSE(large);
  EXPECT_TRUE(contains(large.error().message, "the vertices of all near meshes take 68832 bytes"))
      << large.error().message;
  std::vector<CharacterId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(renderer.add_near(ModelId()).value());
  auto gpu = GpuDevice::create(context()).value();
  const auto prepare = [&] {
    Result<void> prepared;
    EXPECT_TRUE(
        gpu->run([&](VkCommandBuffer commands) { prepared = renderer.record_prepare(commands, {.culling = false}); }));
    return prepared;
  };
  const auto many = prepare();
  ASSERT_FALSE(many);
  EXPECT_TRUE(contains(many.error().message, "vertices of all near characters seen take 72000 bytes"))
      << many.error().message;
  ASSERT_TRUE(renderer.remove(ids[4]));
  EXPECT_TRUE(prepare()) << "four fit";
}

}  // namespace
}  // namespace throng
