// SPDX-License-Identifier: Apache-2.0
#pragma once
// Somebody else's renderer, as small as one can be: a device, two images to draw into, a command buffer, and a buffer
// to read the picture from. Nothing here is the library's; see own_engine.cpp for how the two meet. It stops the
// program when Vulkan fails, and leaves its objects to the end of the process.

#include <vulkan/vulkan.h>  // before the library's headers: with prototypes, this program calls the loader itself

#include <fmt/format.h>
#include <throng/character/image.h>
#include <throng/gpu/device.h>

#include <cstdlib>
#include <string_view>

inline constexpr std::uint32_t kWidth = 640;
inline constexpr std::uint32_t kHeight = 360;
inline constexpr VkFormat kColourFormat = VK_FORMAT_R8G8B8A8_SRGB;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

[[noreturn]] inline void stop(std::string_view why) {
  fmt::print(stderr, "own_engine: {}\n", why);
  std::exit(1);
}

inline void must(VkResult result) {
  if (result != VK_SUCCESS) stop(fmt::format("Vulkan failed with {}", static_cast<int>(result)));
}

// The program's device, with what throng/gpu/device.h asks for.
inline throng::VulkanContext create_device() {
  throng::VulkanContext vk;
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo instance{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &application};
  must(vkCreateInstance(&instance, nullptr, &vk.instance));
  std::uint32_t count = 1;
  if (vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical_device) < 0 || count == 0) stop("no device");
  vk.queue_family = 0;  // does graphics and compute on every desktop driver; the library says so if not

  VkPhysicalDeviceVulkan13Features v13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  v13.dynamicRendering = v13.synchronization2 = VK_TRUE;
  VkPhysicalDeviceVulkan12Features v12{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
  v12.drawIndirectCount = VK_TRUE;
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v12};
  features.features.multiDrawIndirect = features.features.drawIndirectFirstInstance = VK_TRUE;
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = vk.queue_family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  const VkDeviceCreateInfo device{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue};
  must(vkCreateDevice(vk.physical_device, &device, nullptr, &vk.device));
  vkGetDeviceQueue(vk.device, vk.queue_family, 0, &vk.queue);
  return vk;
}

inline VkDeviceMemory allocate(const throng::VulkanContext& vk, const VkMemoryRequirements& needs,
                               VkMemoryPropertyFlags what) {
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(vk.physical_device, &memory);
  VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size};
  while ((needs.memoryTypeBits >> info.memoryTypeIndex & 1) == 0 ||
         (memory.memoryTypes[info.memoryTypeIndex].propertyFlags & what) != what)
    if (++info.memoryTypeIndex == memory.memoryTypeCount) stop("the device has no such memory");
  VkDeviceMemory result = VK_NULL_HANDLE;
  must(vkAllocateMemory(vk.device, &info, nullptr, &result));
  return result;
}

struct Target {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

inline Target create_target(const throng::VulkanContext& vk, VkFormat format, VkImageUsageFlags usage,
                            VkImageAspectFlags aspect) {
  Target target;
  VkImageCreateInfo image{
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = format};
  image.extent = {kWidth, kHeight, 1};
  image.mipLevels = image.arrayLayers = 1;
  image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.usage = usage;
  must(vkCreateImage(vk.device, &image, nullptr, &target.image));
  VkMemoryRequirements needs{};
  vkGetImageMemoryRequirements(vk.device, target.image, &needs);
  target.memory = allocate(vk, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  must(vkBindImageMemory(vk.device, target.image, target.memory, 0));
  VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = target.image};
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {aspect, 0, 1, 0, 1};
  must(vkCreateImageView(vk.device, &view, nullptr, &target.view));
  return target;
}

struct OwnImage {
  explicit OwnImage(const throng::VulkanContext& context) : vk(context) {
    colour = create_target(vk, kColourFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                           VK_IMAGE_ASPECT_COLOR_BIT);
    depth = create_target(vk, kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
    VkBufferCreateInfo buffer{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = kWidth * kHeight * 4};
    buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    must(vkCreateBuffer(vk.device, &buffer, nullptr, &pixels));
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(vk.device, pixels, &needs);
    pixel_memory = allocate(vk, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(vkBindBufferMemory(vk.device, pixels, pixel_memory, 0));
    VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.queueFamilyIndex = vk.queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    must(vkCreateCommandPool(vk.device, &pool_info, nullptr, &pool));
    VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool};
    info.commandBufferCount = 1;
    must(vkAllocateCommandBuffers(vk.device, &info, &commands));
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkBeginCommandBuffer(commands, &begin));
  }

  void change(const Target& target, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to) const {
    VkImageMemoryBarrier2 barrier{
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2, .oldLayout = from, .newLayout = to};
    barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.image = target.image;
    barrier.subresourceRange = {aspect, 0, 1, 0, 1};
    VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1};
    info.pImageMemoryBarriers = &barrier;
    vkCmdPipelineBarrier2(commands, &info);
  }

  // The picture's one pass: colour cleared to a grey sky, depth to far away.
  void begin_pass(float far_depth) const {
    change(colour, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL);
    change(depth, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL);
    VkRenderingAttachmentInfo into{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = colour.view};
    into.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
    into.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    into.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    into.clearValue.color = {{0.55f, 0.62f, 0.70f, 1.0f}};
    VkRenderingAttachmentInfo tested = into;
    tested.imageView = depth.view;
    tested.clearValue.depthStencil = {far_depth, 0};
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .layerCount = 1, .colorAttachmentCount = 1};
    info.renderArea = {{0, 0}, {kWidth, kHeight}};
    info.pColorAttachments = &into;
    info.pDepthAttachment = &tested;
    vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{0.0f, 0.0f, kWidth, kHeight, 0.0f, 1.0f};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &info.renderArea);
  }

  throng::Image finish() const {
    vkCmdEndRendering(commands);
    change(colour, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VkBufferImageCopy copy{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}};
    copy.imageExtent = {kWidth, kHeight, 1};
    vkCmdCopyImageToBuffer(commands, colour.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels, 1, &copy);
    must(vkEndCommandBuffer(commands));
    VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    must(vkQueueSubmit(vk.queue, 1, &submit, VK_NULL_HANDLE));
    must(vkQueueWaitIdle(vk.queue));
    void* mapped = nullptr;
    must(vkMapMemory(vk.device, pixel_memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    const auto* bytes = static_cast<const std::uint8_t*>(mapped);
    return {kWidth, kHeight, {bytes, bytes + kWidth * kHeight * 4}};
  }

  throng::VulkanContext vk;
  Target colour, depth;
  VkBuffer pixels = VK_NULL_HANDLE;
  VkDeviceMemory pixel_memory = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
};
