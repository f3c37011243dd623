// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/pipeline_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <set>
#include <thread>

#include "fault_injection.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/gpu/descriptors.h"
#include "throng/gpu/pipelines.h"
#include "throng/renderer/character_renderer.h"

namespace throng {
namespace {

// Not through the store.
Result<VkPipelineLayout> pipeline_layout_of_nothing(const GpuDevice& gpu) {
  const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  gpu.vk().vkCreatePipelineLayout(gpu.device(), &info, nullptr, &layout);
  return layout;
}

class PipelineStores : public test::OnDevice {
 protected:
  // Of the test's own, so that no other test has filled it.
  PipelineStores() : store_(PipelineStore::create(test::device().context()).value()) {
    with_store_.pipelines = store_.get();
  }

  std::unique_ptr<PipelineStore> store_;
  VulkanContext with_store_ = test::device().context();
};

TEST_F(PipelineStores, GiveARendererWhatAnotherCompiled) {
  const Character card = test::built(test::card_draft({}));
  auto first = CharacterRenderer::create(with_store_, {}).value();
  ASSERT_TRUE(first.add(card));
  const std::size_t compiled = store_->pipelines();
  EXPECT_GT(compiled, 0u);
  auto second = CharacterRenderer::create(with_store_, {}).value();
  ASSERT_TRUE(second.add(card));
  EXPECT_EQ(store_->pipelines(), compiled);
}

TEST_F(PipelineStores, GiveAModelWhatAnotherOfItsKindCompiled) {
  auto renderer = CharacterRenderer::create(with_store_, {}).value();
  ASSERT_TRUE(renderer.add(test::built(test::card_draft({}))));
  const std::size_t compiled = store_->pipelines();
  ASSERT_TRUE(renderer.add(test::built(test::card_draft({.base_colour = {1.0f, 0.0f, 0.0f, 1.0f}}))));
  EXPECT_EQ(store_->pipelines(), compiled) << "it differs in what the shaders read, not in the shaders";
  CharacterDraft seen_through = test::card_draft({});
  seen_through.materials[0].alpha_mode = AlphaMode::mask;
  ASSERT_TRUE(renderer.add(test::built(std::move(seen_through))));
  EXPECT_GT(store_->pipelines(), compiled) << "its shadow has a fragment shader";
}

TEST_F(PipelineStores, TellLayoutsApartByAllThatIsSaidOfThem) {
  const auto gpu = GpuDevice::create(with_store_).value();
  const auto layout = [&](VkDescriptorType type, VkShaderStageFlags stages, std::size_t bindings) {
    return DescriptorSets::create(*gpu, std::vector<BindingSpec>(bindings, {type, stages}), 0).value().layout();
  };
  const auto buffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const auto compute = VK_SHADER_STAGE_COMPUTE_BIT;
  const VkDescriptorSetLayout one = layout(buffer, compute, 1);
  EXPECT_EQ(layout(buffer, compute, 1), one);
  EXPECT_NE(layout(buffer, compute, 2), one);
  EXPECT_NE(layout(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, compute, 1), one);
  EXPECT_NE(layout(buffer, VK_SHADER_STAGE_VERTEX_BIT, 1), one);

  const std::array sets{one};
  const VkPipelineLayout pushes = pipeline_layout(*gpu, sets, compute, 16).value();
  EXPECT_EQ(pipeline_layout(*gpu, sets, compute, 16).value(), pushes);
  EXPECT_NE(pipeline_layout(*gpu, sets, compute, 8).value(), pushes);
  EXPECT_NE(pipeline_layout(*gpu, sets, VK_SHADER_STAGE_VERTEX_BIT, 16).value(), pushes);
  EXPECT_NE(pipeline_layout(*gpu, {}, compute, 16).value(), pushes);
}

TEST_F(PipelineStores, KeepNothingOfWhatFailed) {
  const auto gpu = GpuDevice::create(with_store_).value();
  const auto failed = store_->layout({1}, []() -> Result<VkPipelineLayout> { return fail("no memory for it"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no memory for it");
  const auto made = store_->layout({1}, [&] { return pipeline_layout_of_nothing(*gpu); });
  EXPECT_TRUE(made);
}

TEST_F(PipelineStores, MakeOneForThreadsThatAskTogether) {
  const auto gpu = GpuDevice::create(with_store_).value();
  std::atomic<int> made = 0;
  std::latch together(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      together.arrive_and_wait();
      const auto layout = store_->layout({2}, [&] {
        ++made;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the others ask meanwhile
        return pipeline_layout_of_nothing(*gpu);
      });
      EXPECT_TRUE(layout);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

TEST_F(PipelineStores, AreNotNeededByWhoMakesADevice) {
  const auto first = GpuDevice::create(context()).value();
  const auto second = GpuDevice::create(context()).value();
  const auto layout = [](const GpuDevice& gpu) { return pipeline_layout(gpu, {}, VK_SHADER_STAGE_ALL, 4).value(); };
  EXPECT_EQ(layout(*first), layout(*second));
}

// Pipelines here are handles that mean nothing, so that their code may be anything and none takes time to compile.
class PipelineKeys : public test::OnDevice {
 protected:
  PipelineKeys() {
    faulty_.make_pipelines(test::PipelineKind::pretended);
    VulkanContext behind = test::FaultyDevice::behind(context());
    store_ = PipelineStore::create(behind).value();
    behind.pipelines = store_.get();
    gpu_ = GpuDevice::create(behind).value();
    layout_ = pipeline_layout(*gpu_, {}, 0, 0).value();
    other_layout_ = pipeline_layout(*gpu_, {}, VK_SHADER_STAGE_ALL, 16).value();
  }

  static constexpr std::array kCode{1u, 2u};
  static constexpr std::array kOtherCode{1u, 3u};
  static constexpr std::array kOne{1u};
  static constexpr std::array kTwo{2u};

  test::FaultyDevice faulty_;
  std::unique_ptr<PipelineStore> store_;
  std::shared_ptr<GpuDevice> gpu_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineLayout other_layout_ = VK_NULL_HANDLE;
};

TEST_F(PipelineKeys, TellGraphicsPipelinesApartByAllThatIsSaidOfThem) {
  using Info = GraphicsPipelineInfo;
  struct Change {
    const char* what;
    std::function<void(Info&)> make;
  };
  const std::vector<Change> changes{
      {"nothing", [](Info&) {}},
      {"layout", [&](Info& info) { info.layout = other_layout_; }},
      {"vertex code", [](Info& info) { info.vertex_code = kOtherCode; }},
      {"fragment code", [](Info& info) { info.fragment_code = kOtherCode; }},
      {"no fragment code", [](Info& info) { info.fragment_code = {}; }},
      {"a constant", [](Info& info) { info.constants = kTwo; }},
      {"no constant", [](Info& info) { info.constants = {}; }},
      {"topology", [](Info& info) { info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP; }},
      {"cull", [](Info& info) { info.cull = VK_CULL_MODE_BACK_BIT; }},
      {"colour", [](Info& info) { info.colour = VK_FORMAT_R16G16B16A16_SFLOAT; }},
      {"motion", [](Info& info) { info.motion = VK_FORMAT_R16G16_SFLOAT; }},
      {"depth", [](Info& info) { info.depth = VK_FORMAT_D32_SFLOAT; }},
      {"samples", [](Info& info) { info.samples = VK_SAMPLE_COUNT_4_BIT; }},
      {"depth_compare", [](Info& info) { info.depth_compare = VK_COMPARE_OP_GREATER; }},
      {"depth_write", [](Info& info) { info.depth_write = false; }},
      {"alpha_to_coverage", [](Info& info) { info.alpha_to_coverage = true; }},
      {"blend", [](Info& info) { info.blend = true; }},
      {"alpha_only", [](Info& info) { info.alpha_only = true; }},
      {"depth_bias_slope", [](Info& info) { info.depth_bias_slope = 1.5f; }},
  };
  std::set<VkPipeline> made;
  for (const Change& change : changes) {
    Info info{.layout = layout_, .vertex_code = kCode, .fragment_code = kCode, .constants = kOne};
    info.colour = VK_FORMAT_R8G8B8A8_UNORM;
    change.make(info);
    const VkPipeline pipeline = graphics_pipeline(*gpu_, info).value();
    EXPECT_TRUE(made.insert(pipeline).second) << "what differs: " << change.what;
    EXPECT_EQ(graphics_pipeline(*gpu_, info).value(), pipeline) << change.what;
  }
}

TEST_F(PipelineKeys, TellComputePipelinesApartByAllThatIsSaidOfThem) {
  const VkPipeline one = compute_pipeline(*gpu_, layout_, kCode, kOne).value();
  EXPECT_EQ(compute_pipeline(*gpu_, layout_, kCode, kOne).value(), one);
  EXPECT_NE(compute_pipeline(*gpu_, other_layout_, kCode, kOne).value(), one);
  EXPECT_NE(compute_pipeline(*gpu_, layout_, kOtherCode, kOne).value(), one);
  EXPECT_NE(compute_pipeline(*gpu_, layout_, kCode, kTwo).value(), one);
  EXPECT_NE(compute_pipeline(*gpu_, layout_, kCode, {}).value(), one);
}

TEST_F(PipelineStores, AreRefusedByAnotherDevice) {
  const Device other = Device::create().value();
  VulkanContext mixed = other.context();
  mixed.pipelines = store_.get();
  const auto gpu = GpuDevice::create(mixed);
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().message,
            "Vulkan context: its store of pipelines is another device's; make one for this device");
}

TEST(PipelineStoreRefuses, AContextWithoutADevice) {
  const auto store = PipelineStore::create(VulkanContext{});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message, "Vulkan context: a store of pipelines needs its instance and device");
}

}  // namespace
}  // namespace throng
