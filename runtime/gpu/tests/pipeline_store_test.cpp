// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/pipeline_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

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
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto layout = store_->layout({2}, [&] {
        ++made;
        return pipeline_layout_of_nothing(*gpu);
      });
      EXPECT_TRUE(layout);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

TEST(PipelineStoreRefuses, AContextWithoutADevice) {
  const auto store = PipelineStore::create(VulkanContext{});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message, "Vulkan context: a store of pipelines needs its instance and device");
}

}  // namespace
}  // namespace throng
