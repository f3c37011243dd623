// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/commands.h"
#include "throng/base/try.h"

namespace throng {

Result<CommandRecorder> CommandRecorder::create(const GpuDevice& gpu) {
  CommandRecorder recorder;
  recorder.gpu_ = &gpu;
  VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool_info.queueFamilyIndex = gpu.context().queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateCommandPool(gpu.device(), &pool_info, nullptr, &pool), "create a command pool"));
  recorder.pool_ = {gpu, pool,
                    [](const GpuDevice& g, VkCommandPool p) { g.vk().vkDestroyCommandPool(g.device(), p, nullptr); }};

  VkCommandBufferAllocateInfo buffer_info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  buffer_info.commandPool = pool;
  buffer_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffer_info.commandBufferCount = 1;
  THRONG_CHECK(check(gpu.vk().vkAllocateCommandBuffers(gpu.device(), &buffer_info, &recorder.buffer_),
                     "allocate a command buffer"));

  VkFenceCreateInfo fence_info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateFence(gpu.device(), &fence_info, nullptr, &fence), "create a fence"));
  recorder.fence_ = {gpu, fence, [](const GpuDevice& g, VkFence f) { g.vk().vkDestroyFence(g.device(), f, nullptr); }};
  return recorder;
}

Result<void> CommandRecorder::begin() {
  THRONG_CHECK(check(gpu_->vk().vkResetCommandPool(gpu_->device(), pool_.get(), 0), "reset a command pool"));
  VkCommandBufferBeginInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  return check(gpu_->vk().vkBeginCommandBuffer(buffer_, &info), "begin a command buffer");
}

Result<void> CommandRecorder::submit(const SubmitSemaphores& semaphores) {
  THRONG_CHECK(check(gpu_->vk().vkEndCommandBuffer(buffer_), "end a command buffer"));
  // Here and not after the wait: a wait that failed may have left it signalled.
  const VkFence fence = fence_.get();
  THRONG_CHECK(check(gpu_->vk().vkResetFences(gpu_->device(), 1, &fence), "reset a fence"));
  VkCommandBufferSubmitInfo buffer{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = buffer_;
  VkSubmitInfo2 info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &buffer;
  VkSemaphoreSubmitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  wait.semaphore = semaphores.wait;
  wait.stageMask = semaphores.wait_stages;
  info.waitSemaphoreInfoCount = semaphores.wait == VK_NULL_HANDLE ? 0u : 1u;
  info.pWaitSemaphoreInfos = &wait;
  VkSemaphoreSubmitInfo signal{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = semaphores.signal;
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  info.signalSemaphoreInfoCount = semaphores.signal == VK_NULL_HANDLE ? 0u : 1u;
  info.pSignalSemaphoreInfos = &signal;
  return check(gpu_->vk().vkQueueSubmit2(gpu_->context().queue, 1, &info, fence), "submit commands");
}

Result<void> CommandRecorder::wait() {
  const VkFence fence = fence_.get();
  auto done = check(gpu_->vk().vkWaitForFences(gpu_->device(), 1, &fence, VK_TRUE, UINT64_MAX), "wait for a fence");
  // The caller will free what the commands use, so they must be over: by then they are, or the device is lost.
  if (!done) gpu_->vk().vkQueueWaitIdle(gpu_->context().queue);
  return done;
}

Result<bool> CommandRecorder::wait_for(std::chrono::nanoseconds most) {
  const VkFence fence = fence_.get();
  const auto limit = static_cast<std::uint64_t>(std::max<std::int64_t>(most.count(), 0));
  const VkResult done = gpu_->vk().vkWaitForFences(gpu_->device(), 1, &fence, VK_TRUE, limit);
  if (done == VK_TIMEOUT) return false;
  THRONG_CHECK(check(done, "wait for a fence"));
  return true;
}

Result<void> CommandRecorder::submit_and_wait() {
  THRONG_CHECK(submit());
  return wait();
}

void memory_barrier(const GpuDevice& gpu, VkCommandBuffer commands, Scope from, Scope to) {
  VkMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = from.stages;
  barrier.srcAccessMask = from.access;
  barrier.dstStageMask = to.stages;
  barrier.dstAccessMask = to.access;
  VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &barrier;
  gpu.vk().vkCmdPipelineBarrier2(commands, &info);
}

void image_barrier(const GpuDevice& gpu, VkCommandBuffer commands, const LayoutChange& change, Scope from, Scope to) {
  VkImageMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = from.stages;
  barrier.srcAccessMask = from.access;
  barrier.dstStageMask = to.stages;
  barrier.dstAccessMask = to.access;
  barrier.oldLayout = change.from;
  barrier.newLayout = change.to;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = change.image;
  barrier.subresourceRange = {change.aspect, change.first_level, change.level_count, 0, VK_REMAINING_ARRAY_LAYERS};
  VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  gpu.vk().vkCmdPipelineBarrier2(commands, &info);
}

}  // namespace throng
