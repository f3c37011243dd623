// SPDX-License-Identifier: Apache-2.0
#pragma once
// One command buffer with its pool and fence: record, submit, wait, again.

#include "throng/gpu/gpu_device.h"

namespace throng {

// What a submission waits for and says besides its fence; a window's images come and go with these.
struct SubmitSemaphores {
  VkSemaphore wait = VK_NULL_HANDLE;                             // none: starts at once
  VkPipelineStageFlags2 wait_stages = VK_PIPELINE_STAGE_2_NONE;  // that wait for it
  VkSemaphore signal = VK_NULL_HANDLE;                           // after all commands; none: nobody waits
};

class CommandRecorder {
 public:
  static Result<CommandRecorder> create(const GpuDevice& gpu);

  VkCommandBuffer buffer() const { return buffer_; }

  // After an error of any of these, begin() starts anew.
  Result<void> begin();
  Result<void> submit(const SubmitSemaphores& semaphores = {});
  Result<void> wait();  // for what was submitted; after an error too nothing of it runs any more
  Result<void> submit_and_wait();

 private:
  const GpuDevice* gpu_ = nullptr;
  VkOwned<VkCommandPool> pool_;
  VkOwned<VkFence> fence_;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

// Everything before the barrier that `from` says happens before everything after it that `to` says.
struct Scope {
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
  VkAccessFlags2 access = VK_ACCESS_2_NONE;
};

void memory_barrier(const GpuDevice& gpu, VkCommandBuffer commands, Scope from, Scope to);

struct LayoutChange {
  VkImage image = VK_NULL_HANDLE;
  VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout to = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  std::uint32_t first_level = 0;
  std::uint32_t level_count = VK_REMAINING_MIP_LEVELS;
};

void image_barrier(const GpuDevice& gpu, VkCommandBuffer commands, const LayoutChange& change, Scope from, Scope to);

}  // namespace throng
