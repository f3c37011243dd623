// SPDX-License-Identifier: Apache-2.0
#include "compute_program.h"

#include <gtest/gtest.h>

namespace throng::test {

ComputeProgram::ComputeProgram(const VulkanContext& context, std::span<const std::uint32_t> code, std::uint32_t inputs,
                               std::uint32_t images, std::uint32_t push_bytes, std::span<const std::uint32_t> constants)
    : gpu_(GpuDevice::create(context).value()), inputs_(inputs) {
  std::vector<BindingSpec> bindings(inputs + 1, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT});
  bindings.insert(bindings.end(), images, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_COMPUTE_BIT});
  sets_ = DescriptorSets::create(*gpu_, bindings, 1).value();
  sampler_ = create_sampler(*gpu_, {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO}).value();
  layout_ = pipeline_layout(*gpu_, std::array{sets_.layout()}, VK_SHADER_STAGE_COMPUTE_BIT, push_bytes).value();
  pipeline_ = compute_pipeline(*gpu_, layout_, code, constants).value();
}

std::vector<std::uint32_t> ComputeProgram::run(const Run& what) {
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  std::vector<Buffer> inputs;
  for (std::uint32_t i = 0; i < inputs_; ++i) {
    inputs.push_back(upload_buffer(*gpu_, what.inputs[i], kStorage).value());
    sets_.write_buffer(0, i, inputs.back());
  }
  const Buffer output = Buffer::create(*gpu_, what.output_words * 4, kStorage, MemoryUse::readback).value();
  sets_.write_buffer(0, inputs_, output);
  for (std::uint32_t i = 0; i < what.images.size(); ++i)
    sets_.write_image(0, inputs_ + 1 + i, what.images[i]->view(), sampler_.get());
  const auto done = gpu_->run([&](VkCommandBuffer commands) {
    const VolkDeviceTable& vk = gpu_->vk();
    const VkDescriptorSet set = sets_[0];
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
    vk.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          static_cast<std::uint32_t>(what.push.size()), what.push.data());
    vk.vkCmdDispatch(commands, what.groups, 1, 1);
    memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  });
  EXPECT_TRUE(done) << done.error().message;
  const auto* words = reinterpret_cast<const std::uint32_t*>(output.mapped());
  return {words, words + what.output_words};
}

}  // namespace throng::test
