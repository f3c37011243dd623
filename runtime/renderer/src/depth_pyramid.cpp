// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/depth_pyramid.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/descriptors.h"
#include "throng/gpu/pipelines.h"
#include "throng/shaders/shared/depth_pyramid.h"

namespace throng {
namespace {

constexpr VkShaderStageFlags kStage = VK_SHADER_STAGE_COMPUTE_BIT;
constexpr Scope kWrites{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
constexpr Scope kReads{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};

// Powers of two: every level is exactly half of the one before, and no texel is left over at an edge.
ImageShape shape_of(const DepthPyramidSettings& settings) {
  ImageShape shape{.format = VK_FORMAT_R32_SFLOAT};
  shape.width = std::bit_ceil((settings.width + 1) / 2);
  shape.height = std::bit_ceil((settings.height + 1) / 2);
  shape.levels = static_cast<std::uint32_t>(std::bit_width(std::max(shape.width, shape.height)));
  shape.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  return shape;
}

// How far apart two neighbouring depths of a format are. Floats are finer than what the test allows for anyway.
float step_of(VkFormat format) {
  switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D16_UNORM_S8_UINT:
      return 1.0f / 65535.0f;
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D24_UNORM_S8_UINT:
      return 1.0f / 16777215.0f;
    default:
      return 0.0f;
  }
}

bool is_depth(VkFormat format) {
  return step_of(format) > 0.0f || format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

Result<void> check_settings(const GpuDevice& gpu, const DepthPyramidSettings& settings) {
  const std::uint32_t largest = gpu.limits().maxImageDimension2D;
  const ImageShape shape = shape_of(settings);
  if (settings.width == 0 || settings.height == 0 || settings.width > largest || settings.height > largest ||
      shape.width > largest || shape.height > largest)
    return fail("depth pyramid: depth of {} × {}; sizes go from 1 to {} on this device", settings.width,
                settings.height, largest);
  if (!is_depth(settings.depth))
    return fail("depth pyramid: format {} is no depth; give the format of the depth attachment",
                static_cast<int>(settings.depth));
  if ((gpu.format_features(settings.depth) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) == 0)
    return fail("depth pyramid: shaders of this device cannot read depth of format {}; draw with another",
                static_cast<int>(settings.depth));
  const auto samples = static_cast<std::uint32_t>(settings.samples);
  if (!std::has_single_bit(samples) || (gpu.limits().sampledImageDepthSampleCounts & samples) == 0)
    return fail("depth pyramid: shaders of this device cannot read depth of {} samples; draw with fewer", samples);
  return {};
}

Result<VkOwned<VkImageView>> create_level_view(const GpuDevice& gpu, const ImageResource& image, std::uint32_t level) {
  VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image.get();
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = image.shape().format;
  info.subresourceRange = {image.shape().aspect, level, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateImageView(gpu.device(), &info, nullptr, &view), "create an image view"));
  return VkOwned<VkImageView>(
      gpu, view, [](const GpuDevice& g, VkImageView v) { g.vk().vkDestroyImageView(g.device(), v, nullptr); });
}

}  // namespace

struct DepthPyramid::State {
  std::shared_ptr<GpuDevice> gpu;
  DepthPyramidSettings settings;
  bool far_is_zero = true;
  ImageResource image;
  std::vector<VkOwned<VkImageView>> views;  // level by level
  DescriptorSets first;                     // from depth into level 0, one for each image in flight
  DescriptorSets others;                    // from level i into i + 1
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline from_depth = VK_NULL_HANDLE;
  VkPipeline from_level = VK_NULL_HANDLE;
  std::uint64_t recorded = 0;
  std::optional<glm::mat4> clip_from_world;  // of what was recorded last

  Result<void> create_images();
  Result<void> create_programs();
  void reduce(VkCommandBuffer commands, VkDescriptorSet set, std::uint32_t level) const;
};

Result<void> DepthPyramid::State::create_images() {
  THRONG_TRY(image, ImageResource::create(*gpu, shape_of(settings)));
  for (std::uint32_t level = 0; level < image.shape().levels; ++level) {
    THRONG_TRY(auto view, create_level_view(*gpu, image, level));
    views.push_back(std::move(view));
  }
  const std::array bindings{BindingSpec{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kStage},
                            BindingSpec{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kStage}};
  THRONG_TRY(first, DescriptorSets::create(*gpu, bindings, std::max(settings.images_in_flight, 1u)));
  for (std::size_t i = 0; i < first.size(); ++i)
    first.write_image(i, 1, views[0].get(), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
  if (views.size() == 1) return {};
  const auto count = static_cast<std::uint32_t>(views.size() - 1);
  THRONG_TRY(others, DescriptorSets::create(*gpu, bindings, count));
  for (std::uint32_t i = 0; i < count; ++i) {
    others.write_image(i, 0, views[i].get(), VK_NULL_HANDLE);
    others.write_image(i, 1, views[i + 1].get(), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
  }
  return {};
}

Result<void> DepthPyramid::State::create_programs() {
  const std::array sets{first.layout()};
  THRONG_TRY(layout, pipeline_layout(*gpu, sets, kStage, sizeof(gpu::PyramidBatch)));
  const bool multisampled = settings.samples != VK_SAMPLE_COUNT_1_BIT;
  const auto depth_code =
      multisampled ? shader_code::depth_pyramid_multisampled_compute() : shader_code::depth_pyramid_compute();
  THRONG_TRY(from_depth, compute_pipeline(*gpu, layout, depth_code, {}));
  THRONG_TRY(from_level, compute_pipeline(*gpu, layout, shader_code::depth_pyramid_compute(), {}));
  return {};
}

Result<DepthPyramid> DepthPyramid::create(const VulkanContext& context, const DepthPyramidSettings& settings) {
  THRONG_TRY(auto gpu, GpuDevice::create(context));
  return create(std::move(gpu), settings);
}

Result<DepthPyramid> DepthPyramid::create(std::shared_ptr<GpuDevice> gpu, const DepthPyramidSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  THRONG_CHECK(check_settings(*state->gpu, settings));
  state->settings = settings;
  state->far_is_zero =
      settings.depth_compare == VK_COMPARE_OP_GREATER || settings.depth_compare == VK_COMPARE_OP_GREATER_OR_EQUAL;
  THRONG_CHECK(state->create_images());
  THRONG_CHECK(state->create_programs());
  return DepthPyramid(std::move(state));
}

DepthPyramid::DepthPyramid(std::unique_ptr<State> state) : state_(std::move(state)) {}
DepthPyramid::DepthPyramid(DepthPyramid&&) noexcept = default;
DepthPyramid& DepthPyramid::operator=(DepthPyramid&&) noexcept = default;
DepthPyramid::~DepthPyramid() = default;

void DepthPyramid::State::reduce(VkCommandBuffer commands, VkDescriptorSet set, std::uint32_t level) const {
  // What lies past the picture is never looked at, and left as it is.
  const auto size = [&](std::uint32_t halvings) {
    const std::uint32_t more = (1u << halvings) - 1;
    return (gpu::uvec2(settings.width, settings.height) + more) >> halvings;
  };
  gpu::PyramidBatch batch{};
  batch.from_size = size(level);
  batch.to_size = size(level + 1);
  batch.sign = level == 0 && !far_is_zero ? -1.0f : 1.0f;
  batch.samples = static_cast<std::uint32_t>(settings.samples);
  const gpu::uvec2 groups = (batch.to_size + gpu::kPyramidGroupSize - 1u) / gpu::kPyramidGroupSize;
  const VolkDeviceTable& vk = gpu->vk();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, level == 0 ? from_depth : from_level);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  vk.vkCmdPushConstants(commands, layout, kStage, 0, sizeof(batch), &batch);
  vk.vkCmdDispatch(commands, groups.x, groups.y, 1);
}

void DepthPyramid::record(VkCommandBuffer commands, VkImageView depth, const glm::mat4& clip_from_world,
                          VkImageLayout layout) {
  State& state = *state_;
  const std::size_t slot = state.recorded++ % state.first.size();
  state.first.write_image(slot, 0, depth, VK_NULL_HANDLE, layout);
  image_barrier(*state.gpu, commands, {state.image.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL}, kReads,
                kWrites);
  for (std::uint32_t level = 0; level < state.views.size(); ++level) {
    state.reduce(commands, level == 0 ? state.first[slot] : state.others[level - 1], level);
    LayoutChange change{state.image.get(), VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    change.first_level = level;
    change.level_count = 1;
    image_barrier(*state.gpu, commands, change, kWrites, kReads);
  }
  state.clip_from_world = clip_from_world;
}

Occluders DepthPyramid::occluders() const {
  const State& state = *state_;
  if (!state.clip_from_world) return {};
  Occluders occluders;
  occluders.pyramid = state.image.view();
  occluders.width = state.settings.width;
  occluders.height = state.settings.height;
  occluders.levels = state.image.shape().levels;
  occluders.clip_from_world = *state.clip_from_world;
  occluders.far_is_zero = state.far_is_zero;
  occluders.depth_step = step_of(state.settings.depth);
  return occluders;
}

void DepthPyramid::forget() { state_->clip_from_world.reset(); }

}  // namespace throng
