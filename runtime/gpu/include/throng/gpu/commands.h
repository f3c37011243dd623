// SPDX-License-Identifier: Apache-2.0
#pragma once
// One command buffer with its pool and fence: record, submit, wait, again.

#include <chrono>

#include "throng/gpu/gpu_device.h"

namespace throng {

// What a submission waits for and says besides its fence; a window's images come and go with these.
struct SubmitSemaphores {
  VkSemaphore wait = VK_NULL_HANDLE;                             // none: starts at once
  VkPipelineStageFlags2 wait_stages = VK_PIPELINE_STAGE_2_NONE;  // that wait for it
  VkSemaphore signal = VK_NULL_HANDLE;                           // after all commands; none: nobody waits
};

// A command buffer that is recorded, submitted and waited for again and again.
class CommandRecorder {
 public:
  static Result<CommandRecorder> create(const GpuDevice& gpu);  // one for the context's queue

  VkCommandBuffer buffer() const { return buffer_; }  // what to record into

  // After an error of any of these, begin() starts anew.
  Result<void> begin();
  // Ends recording and gives the work to the queue, without waiting.
  Result<void> submit(const SubmitSemaphores& semaphores = {});
  Result<void> wait();  // for what was submitted; after an error too nothing of it runs any more
  // Waits for what was submitted, but no longer than that; whether it is done.
  Result<bool> wait_for(std::chrono::nanoseconds most);
  Result<void> submit_and_wait();  // ends recording, gives the work to the queue and waits until it is done

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

// Everything in `to` waits for everything in `from`, and sees what it wrote.
void memory_barrier(const GpuDevice& gpu, VkCommandBuffer commands, Scope from, Scope to);

// Which levels of an image go from which layout to which.
struct LayoutChange {
  VkImage image = VK_NULL_HANDLE;
  VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout to = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  std::uint32_t first_level = 0;
  std::uint32_t level_count = VK_REMAINING_MIP_LEVELS;
};

// A memory barrier that also changes an image's layout.
void image_barrier(const GpuDevice& gpu, VkCommandBuffer commands, const LayoutChange& change, Scope from, Scope to);

}  // namespace throng
