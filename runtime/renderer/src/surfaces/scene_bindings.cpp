// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/scene_bindings.h"

#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/device_needs.h"

namespace throng {
namespace {

Result<ImageResource> create_no_map(GpuDevice& gpu, bool array) {
  ImageShape shape{.format = VK_FORMAT_D32_SFLOAT};
  shape.array = array;
  shape.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  shape.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  THRONG_TRY(auto image, ImageResource::create(gpu, shape));
  LayoutChange change{image.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  THRONG_CHECK(gpu.run([&](VkCommandBuffer commands) {
    image_barrier(gpu, commands, change, {}, {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_SHADER_READ_BIT});
  }));
  return image;
}

// Outside the map there is light: the border compares as farthest.
Result<VkOwned<VkSampler>> create_map_sampler(const GpuDevice& gpu, bool compare) {
  VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  const VkFilter filter = compare ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  info.magFilter = info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  info.compareEnable = compare ? VK_TRUE : VK_FALSE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  return create_sampler(gpu, info);
}

}  // namespace

Result<SceneBindings> SceneBindings::create(GpuDevice& gpu, std::uint32_t images_in_flight) {
  // A caller's device was not chosen by us.
  if (const auto missing = missing_of_shadow_maps(gpu.format_features(VK_FORMAT_D32_SFLOAT)); !missing.empty())
    return fail("Vulkan context: the device cannot be used: {}", missing);
  SceneBindings bindings;
  for (std::uint32_t i = 0; i < images_in_flight; ++i) {
    THRONG_TRY(auto buffer,
               Buffer::create(gpu, sizeof(gpu::SceneUniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, MemoryUse::upload));
    bindings.uniforms_.push_back(std::move(buffer));
  }
  for (ImageResource* into : {&bindings.no_cascades_, &bindings.no_contact_}) {
    THRONG_TRY(auto no_map, create_no_map(gpu, into == &bindings.no_cascades_));
    *into = std::move(no_map);
  }
  THRONG_TRY(bindings.compare_sampler_, create_map_sampler(gpu, true));
  THRONG_TRY(bindings.depth_sampler_, create_map_sampler(gpu, false));

  constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  const BindingSpec map{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_FRAGMENT_BIT};
  const std::array specs{BindingSpec{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kStages}, map, map, map};
  THRONG_TRY(bindings.sets_, DescriptorSets::create(gpu, specs, images_in_flight));
  return bindings;
}

VkDescriptorSet SceneBindings::next(const gpu::SceneUniforms& scene, const ShadowMaps& shadows) {
  const std::size_t slot = next_;
  next_ = (next_ + 1) % sets_.size();
  std::memcpy(uniforms_[slot].mapped(), &scene, sizeof(scene));
  const VkImageView cascades = shadows.cascades != VK_NULL_HANDLE ? shadows.cascades : no_cascades_.view();
  const VkImageView contact = shadows.contact != VK_NULL_HANDLE ? shadows.contact : no_contact_.view();
  sets_.write_buffer(slot, 0, uniforms_[slot]);
  sets_.write_image(slot, 1, cascades, compare_sampler_.get());
  sets_.write_image(slot, 2, cascades, depth_sampler_.get());
  sets_.write_image(slot, 3, contact, depth_sampler_.get());
  return sets_[slot];
}

}  // namespace throng
