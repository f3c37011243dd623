// SPDX-License-Identifier: Apache-2.0
#include "gpu/presenter.h"

#include <limits>

namespace throng::studio {
namespace {

constexpr std::uint64_t kForEver = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kPatience = 200'000'000;  // nanoseconds: a hidden window may never be given an image

constexpr ImageUse kDrawnOn{VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
constexpr ImageUse kCopiedFrom{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};

constexpr ImageUse shown_after(const ImageUse& last) {
  return {last.stage, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
}

Image to_image(const HostBuffer& copy, VkExtent2D extent, VkFormat format) {
  Image image{extent.width, extent.height, {}};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(copy.data());
  image.rgba.assign(bytes, bytes + std::size_t{4} * extent.width * extent.height);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    if (format == VK_FORMAT_B8G8R8A8_UNORM) std::swap(image.rgba[i], image.rgba[i + 2]);
    image.rgba[i + 3] = 255;
  }
  return image;
}

}  // namespace

Result<void> Presenter::create_slot(Slot& slot) {
  VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device_.queue_family();
  auto pool = make(device_, &VolkDeviceTable::vkCreateCommandPool, &VolkDeviceTable::vkDestroyCommandPool, pool_info,
                   "make a command pool");
  if (!pool) return fail(std::move(pool));
  slot.pool = std::move(*pool);
  VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = slot.pool.get();
  allocate.commandBufferCount = 1;
  if (auto done = check(device_.vk().vkAllocateCommandBuffers(device_.device(), &allocate, &slot.commands),
                        "make a command buffer");
      !done)
    return done;
  const VkFenceCreateInfo fence_info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
  auto fence =
      make(device_, &VolkDeviceTable::vkCreateFence, &VolkDeviceTable::vkDestroyFence, fence_info, "make a fence");
  if (!fence) return fail(std::move(fence));
  slot.finished = std::move(*fence);
  const VkSemaphoreCreateInfo semaphore_info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  auto acquired = make(device_, &VolkDeviceTable::vkCreateSemaphore, &VolkDeviceTable::vkDestroySemaphore,
                       semaphore_info, "make a semaphore");
  if (!acquired) return fail(std::move(acquired));
  slot.acquired = std::move(*acquired);
  return {};
}

Result<std::unique_ptr<Presenter>> Presenter::create(const WindowDevice& device, VkExtent2D size) {
  std::unique_ptr<Presenter> made(new Presenter(device));
  auto format = choose_format(device);
  if (!format) return fail(std::move(format));
  made->format_ = *format;
  for (Slot& slot : made->slots_)
    if (auto done = made->create_slot(slot); !done) return fail(std::move(done));
  auto pictures = Pictures::create(device, kInFlight);
  if (!pictures) return fail(std::move(pictures));
  made->pictures_ = std::move(*pictures);
  auto shapes = UiRenderer::create(device, *made->pictures_, format->format, kInFlight);
  if (!shapes) return fail(std::move(shapes));
  made->shapes_ = std::move(*shapes);
  if (auto fitted = made->fit(size); !fitted) return fail(std::move(fitted));
  return made;
}

Presenter::~Presenter() { device_.vk().vkDeviceWaitIdle(device_.device()); }

Result<void> Presenter::fit(VkExtent2D size) {
  device_.vk().vkDeviceWaitIdle(device_.device());
  auto swapchain = Swapchain::create(device_, format_, size, swapchain_ ? &*swapchain_ : nullptr);
  if (!swapchain) return fail(std::move(swapchain));
  swapchain_ = std::move(*swapchain);
  return {};
}

Result<std::optional<std::uint32_t>> Presenter::acquire(VkExtent2D size) {
  const VkFence finished = slot().finished.get();
  if (auto done = check(device_.vk().vkWaitForFences(device_.device(), 1, &finished, VK_TRUE, kForEver),
                        "wait for the last image");
      !done)
    return fail(std::move(done));
  std::uint32_t image = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const VkResult result = device_.vk().vkAcquireNextImageKHR(device_.device(), swapchain_->get(), kPatience,
                                                               slot().acquired.get(), VK_NULL_HANDLE, &image);
    if (result == VK_TIMEOUT || result == VK_NOT_READY) return std::nullopt;
    if (result != VK_ERROR_OUT_OF_DATE_KHR) {
      if (auto done = check(result, "take an image of the window"); !done) return fail(std::move(done));
      return image;
    }
    if (auto fitted = fit(size); !fitted) return fail(std::move(fitted));
  }
  return std::nullopt;
}

void Presenter::record_copy(std::uint32_t image, VkBuffer to) {
  const VkCommandBuffer commands = slot().commands;
  change_use(device_, commands, swapchain_->image(image), kDrawnOn, kCopiedFrom);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {swapchain_->extent().width, swapchain_->extent().height, 1};
  device_.vk().vkCmdCopyImageToBuffer(commands, swapchain_->image(image), kCopiedFrom.layout, to, 1, &region);
  VkMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
  VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &barrier;
  device_.vk().vkCmdPipelineBarrier2(commands, &info);
}

Result<void> Presenter::record(std::uint32_t image, const ImDrawData& shapes, HostBuffer* copy) {
  const VolkDeviceTable& vk = device_.vk();
  const VkCommandBuffer commands = slot().commands;
  vk.vkResetCommandPool(device_.device(), slot().pool.get(), 0);
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  if (auto done = check(vk.vkBeginCommandBuffer(commands, &begin), "record"); !done) return done;
  if (auto done = pictures_->record_uploads(commands, current_); !done) return done;
  change_use(device_, commands, swapchain_->image(image), {kDrawnOn.stage, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_UNDEFINED},
             kDrawnOn);
  VkRenderingAttachmentInfo target{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  target.imageView = swapchain_->view(image);
  target.imageLayout = kDrawnOn.layout;
  target.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  target.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  target.clearValue.color = {{0.0f, 0.0f, 0.0f, 1.0f}};
  VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = swapchain_->extent();
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &target;
  vk.vkCmdBeginRendering(commands, &rendering);
  auto drawn = shapes_->record(commands, shapes, *pictures_, current_, swapchain_->extent());
  vk.vkCmdEndRendering(commands);
  if (!drawn) return drawn;
  const ImageUse& last = copy == nullptr ? kDrawnOn : kCopiedFrom;
  if (copy != nullptr) record_copy(image, copy->get());
  change_use(device_, commands, swapchain_->image(image), last, shown_after(last));
  return check(vk.vkEndCommandBuffer(commands), "record");
}

Result<void> Presenter::submit(std::uint32_t image) {
  VkSemaphoreSubmitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  wait.semaphore = slot().acquired.get();
  wait.stageMask = kDrawnOn.stage;
  VkSemaphoreSubmitInfo signal{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = swapchain_->drawn(image);
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  const VkCommandBufferSubmitInfo commands{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = slot().commands};
  VkSubmitInfo2 info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.waitSemaphoreInfoCount = 1;
  info.pWaitSemaphoreInfos = &wait;
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &commands;
  info.signalSemaphoreInfoCount = 1;
  info.pSignalSemaphoreInfos = &signal;
  const VkFence fence = slot().finished.get();
  device_.vk().vkResetFences(device_.device(), 1, &fence);
  return check(device_.vk().vkQueueSubmit2(device_.queue(), 1, &info, fence), "draw the window");
}

Result<std::optional<VkExtent2D>> Presenter::present(const ImDrawData& shapes, VkExtent2D size, HostBuffer* copy) {
  if (size.width == 0 || size.height == 0) return std::nullopt;
  if (swapchain_->extent().width != size.width || swapchain_->extent().height != size.height) {
    if (auto fitted = fit(size); !fitted) return fail(std::move(fitted));
  }
  auto image = acquire(size);
  if (!image) return fail(std::move(image));
  if (!*image) return std::nullopt;
  const VkExtent2D extent = swapchain_->extent();
  if (copy != nullptr) {
    if (auto made =
            grow(*copy, device_, VkDeviceSize{4} * extent.width * extent.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        !made)
      return fail(std::move(made));
  }
  if (auto done = record(**image, shapes, copy); !done) return fail(std::move(done));
  if (auto done = submit(**image); !done) return fail(std::move(done));
  if (auto done = hand_over(**image, size); !done) return fail(std::move(done));
  return extent;
}

Result<void> Presenter::hand_over(std::uint32_t image, VkExtent2D size) {
  const VkSemaphore drawn = swapchain_->drawn(image);
  const VkSwapchainKHR swapchain = swapchain_->get();
  VkPresentInfoKHR info{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &drawn;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain;
  info.pImageIndices = &image;
  const VkResult result = device_.vk().vkQueuePresentKHR(device_.queue(), &info);
  current_ = (current_ + 1) % kInFlight;
  if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) return fit(size);
  return check(result, "show the window");
}

Result<void> Presenter::show(const ImDrawData& shapes, VkExtent2D size) {
  if (auto shown = present(shapes, size, nullptr); !shown) return fail(std::move(shown));
  return {};
}

Result<std::optional<Image>> Presenter::show_and_read(const ImDrawData& shapes, VkExtent2D size) {
  if (!swapchain_->can_be_read()) return fail("Vulkan: images of this window cannot be read back");
  HostBuffer copy;
  auto shown = present(shapes, size, &copy);
  device_.vk().vkDeviceWaitIdle(device_.device());
  if (!shown) return fail(std::move(shown));
  if (!*shown) return std::nullopt;
  return to_image(copy, **shown, format_.format);
}

}  // namespace throng::studio
