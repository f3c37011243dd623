// SPDX-License-Identifier: Apache-2.0
#include "gpu/presenter.h"

#include "throng/base/try.h"

namespace throng::studio {
namespace {

constexpr std::uint64_t kPatience = 200'000'000;  // nanoseconds: a hidden window may never be given an image

constexpr Scope kDrawnOn{VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr Scope kCopiedFrom{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr VkImageLayout kDrawnLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kCopiedLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;

Image to_image(const Buffer& copy, VkExtent2D extent, VkFormat format) {
  Image image{extent.width, extent.height, {}};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(copy.mapped());
  image.rgba.assign(bytes, bytes + std::size_t{4} * extent.width * extent.height);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    if (format == VK_FORMAT_B8G8R8A8_UNORM) std::swap(image.rgba[i], image.rgba[i + 2]);
    image.rgba[i + 3] = 255;
  }
  return image;
}

}  // namespace

Result<std::unique_ptr<Presenter>> Presenter::create(const Device& device, VkExtent2D size) {
  THRONG_TRY(auto gpu, GpuDevice::create(device.context()));
  std::unique_ptr<Presenter> made(new Presenter(std::move(gpu), device.surface()));
  THRONG_CHECK(made->set_up(size));
  return made;
}

Result<void> Presenter::set_up(VkExtent2D size) {
  THRONG_TRY(format_, choose_format(gpu_->context(), surface_));
  for (Slot& slot : slots_) {
    THRONG_TRY(slot.commands, CommandRecorder::create(*gpu_));
    THRONG_TRY(slot.acquired, create_semaphore(*gpu_));
  }
  THRONG_TRY(pictures_, Pictures::create(*gpu_, kInFlight));
  THRONG_TRY(shapes_, UiRenderer::create(*gpu_, *pictures_, format_.format, kInFlight));
  return fit(size);
}

Presenter::~Presenter() { wait_for_device(); }

Result<void> Presenter::fit(VkExtent2D size) {
  wait_for_device();
  THRONG_TRY(swapchain_, Swapchain::create(*gpu_, surface_, format_, size, swapchain_ ? &*swapchain_ : nullptr));
  return {};
}

Result<void> Presenter::wait_for_slot() {
  if (std::exchange(slot().submitted, false)) THRONG_CHECK(slot().commands.wait());
  ring_.release_finished();
  return {};
}

Result<std::optional<std::uint32_t>> Presenter::acquire(VkExtent2D size) {
  std::uint32_t image = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const VkResult result = gpu_->vk().vkAcquireNextImageKHR(gpu_->device(), swapchain_->get(), kPatience,
                                                             slot().acquired.get(), VK_NULL_HANDLE, &image);
    if (result == VK_TIMEOUT || result == VK_NOT_READY) return std::nullopt;
    if (result != VK_ERROR_OUT_OF_DATE_KHR) {
      THRONG_CHECK(check(result, "take an image of the window"));
      return image;
    }
    THRONG_CHECK(fit(size));
  }
  return std::nullopt;
}

Result<void> Presenter::record_shapes(std::uint32_t image, const ImDrawData& shapes) {
  const VkCommandBuffer commands = slot().commands.buffer();
  VkRenderingAttachmentInfo target{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  target.imageView = swapchain_->view(image);
  target.imageLayout = kDrawnLayout;
  target.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  target.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  target.clearValue.color = {{0.0f, 0.0f, 0.0f, 1.0f}};
  VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = swapchain_->extent();
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &target;
  gpu_->vk().vkCmdBeginRendering(commands, &rendering);
  auto drawn = shapes_->record(commands, shapes, *pictures_, ring_.slot(), swapchain_->extent());
  gpu_->vk().vkCmdEndRendering(commands);
  return drawn;
}

void Presenter::record_copy(std::uint32_t image, VkBuffer to) {
  const VkCommandBuffer commands = slot().commands.buffer();
  image_barrier(*gpu_, commands, {.image = swapchain_->image(image), .from = kDrawnLayout, .to = kCopiedLayout},
                kDrawnOn, kCopiedFrom);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {swapchain_->extent().width, swapchain_->extent().height, 1};
  gpu_->vk().vkCmdCopyImageToBuffer(commands, swapchain_->image(image), kCopiedLayout, to, 1, &region);
  memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
}

Result<void> Presenter::record(std::uint32_t image, const ImDrawData& shapes, const Buffer* copy) {
  THRONG_CHECK(slot().commands.begin());
  const VkCommandBuffer commands = slot().commands.buffer();
  THRONG_CHECK(pictures_->record_uploads(commands, ring_));
  LayoutChange change{.image = swapchain_->image(image), .from = VK_IMAGE_LAYOUT_UNDEFINED, .to = kDrawnLayout};
  image_barrier(*gpu_, commands, change, {kDrawnOn.stages, VK_ACCESS_2_NONE}, kDrawnOn);
  THRONG_CHECK(record_shapes(image, shapes));
  if (copy != nullptr) record_copy(image, copy->get());
  const Scope& last = copy == nullptr ? kDrawnOn : kCopiedFrom;
  change.from = copy == nullptr ? kDrawnLayout : kCopiedLayout;
  change.to = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
  image_barrier(*gpu_, commands, change, last, {last.stages, VK_ACCESS_2_NONE});
  return {};
}

Result<void> Presenter::submit(std::uint32_t image) {
  THRONG_CHECK(slot().commands.submit(
      {.wait = slot().acquired.get(), .wait_stages = kDrawnOn.stages, .signal = swapchain_->drawn(image)}));
  slot().submitted = true;
  return {};
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
  const VkResult result = gpu_->vk().vkQueuePresentKHR(gpu_->context().queue, &info);
  ring_.advance();
  if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) return fit(size);
  return check(result, "show the window");
}

Result<std::optional<VkExtent2D>> Presenter::present(const ImDrawData& shapes, VkExtent2D size, Buffer* copy) {
  if (size.width == 0 || size.height == 0) return std::nullopt;
  if (swapchain_->extent().width != size.width || swapchain_->extent().height != size.height) THRONG_CHECK(fit(size));
  THRONG_CHECK(wait_for_slot());
  THRONG_TRY(const auto image, acquire(size));
  if (!image) return std::nullopt;
  const VkExtent2D extent = swapchain_->extent();
  if (copy != nullptr) {
    const VkDeviceSize bytes = VkDeviceSize{4} * extent.width * extent.height;
    THRONG_TRY(*copy, Buffer::create(*gpu_, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback));
  }
  THRONG_CHECK(record(*image, shapes, copy));
  THRONG_CHECK(submit(*image));
  THRONG_CHECK(hand_over(*image, size));
  return extent;
}

Result<void> Presenter::show(const ImDrawData& shapes, VkExtent2D size) {
  THRONG_CHECK(present(shapes, size, nullptr));
  return {};
}

Result<std::optional<Image>> Presenter::show_and_read(const ImDrawData& shapes, VkExtent2D size) {
  if (!swapchain_->can_be_read()) return fail("Vulkan: images of this window cannot be read back");
  Buffer copy;
  auto shown = present(shapes, size, &copy);
  wait_for_device();
  if (!shown) return fail(std::move(shown));
  if (!*shown) return std::nullopt;
  return to_image(copy, **shown, format_.format);
}

}  // namespace throng::studio
