// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/device.h"

#include <gtest/gtest.h>

#include "device_choice.h"
#include "test_device.h"
#include "throng/gpu/gpu_device.h"
#include "throng/gpu/resources.h"

namespace throng {
using namespace detail::device;
namespace {

std::vector<DeviceInfo> some_devices() {
  return {{0, "llvmpipe (LLVM)", DeviceKind::software, "", VK_API_VERSION_1_3, ""},
          {1, "Iris Xe", DeviceKind::integrated, "", VK_API_VERSION_1_3, ""},
          {2, "GeForce Old", DeviceKind::discrete, "", VK_API_VERSION_1_2, "it has Vulkan 1.2, 1.3 is needed"},
          {3, "GeForce New", DeviceKind::discrete, "", VK_API_VERSION_1_3, ""}};
}

TEST(DeviceChoice, PrefersDiscreteThenIntegratedThenSoftwareAmongUsableOnes) {
  auto devices = some_devices();
  EXPECT_EQ(choose_device(devices, "").value(), 3u);
  devices[3].unusable = "broken";
  EXPECT_EQ(choose_device(devices, "").value(), 1u);
  devices[1].unusable = "broken";
  EXPECT_EQ(choose_device(devices, "").value(), 0u);
  devices[0].unusable = "broken";
  EXPECT_EQ(choose_device(devices, "").error().message, "Vulkan: no device can be used; llvmpipe (LLVM): broken");
}

TEST(DeviceChoice, FindsByIndexAndByPartOfTheNameInAnyCase) {
  const auto devices = some_devices();
  EXPECT_EQ(choose_device(devices, "1").value(), 1u);
  EXPECT_EQ(choose_device(devices, "LLVM").value(), 0u);
  EXPECT_EQ(choose_device(devices, "iris").value(), 1u);
  EXPECT_EQ(choose_device(devices, "geforce").value(), 3u) << "a usable one is preferred among several";
}

TEST(DeviceChoice, SaysWhatThereIsWhenTheChoiceFitsNothing) {
  const auto devices = some_devices();
  EXPECT_EQ(choose_device(devices, "radeon").error().message,
            "Vulkan: no device is called 'radeon'; there are device 0 (llvmpipe (LLVM)), device 1 (Iris Xe), device 2 "
            "(GeForce "
            "Old) and device 3 (GeForce New)");
  EXPECT_EQ(choose_device(std::span(devices).first(1), "7").error().message,
            "Vulkan: there is no device 7; there is only device 0 (llvmpipe (LLVM))");
  EXPECT_NE(choose_device(devices, "2").error().message.find("Vulkan 1.2, 1.3 is needed"), std::string::npos);
  EXPECT_NE(choose_device({}, "").error().message.find("install a driver"), std::string::npos);
}

TEST(Device, IsListedAndFoundByItsNameAndIndex) {
  const auto devices = list_devices();
  ASSERT_TRUE(devices) << devices.error().message;
  ASSERT_FALSE(devices->empty());
  const DeviceInfo& first = devices->front();
  const auto by_index = Device::create({.choice = "0"});
  ASSERT_TRUE(by_index) << by_index.error().message;
  EXPECT_EQ(by_index->info().name, first.name);
  const auto by_name = Device::create({.choice = first.name.substr(0, 6)});
  ASSERT_TRUE(by_name) << by_name.error().message;
  EXPECT_FALSE(Device::create({.choice = "no such thing"}));
}

TEST(Device, CollectsWhatTheValidationLayersSay) {
  if (!test::validating()) GTEST_SKIP() << "no layers here";
  const auto device = Device::create({.validation = true});
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_TRUE(device->validation_messages().empty());
  auto gpu = GpuDevice::create(device->context());
  ASSERT_TRUE(gpu);
  VkSamplerCreateInfo wrong{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  wrong.maxLod = -1.0f;  // below minLod
  const auto sampler = create_sampler(**gpu, wrong);
  const auto messages = device->validation_messages();
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages[0].find("maxLod"), std::string::npos) << messages[0];
}

TEST(Device, IsToldOfWhatWasNeverDestroyed) {
  if (!test::validating()) GTEST_SKIP() << "no layers here";
  std::vector<std::string> said;
  {
    DeviceSettings settings{.validation = true};
    settings.on_validation_message = [&](const std::string& message) { said.push_back(message); };
    const auto device = Device::create(settings);
    ASSERT_TRUE(device) << device.error().message;
    const auto gpu = GpuDevice::create(device->context());
    ASSERT_TRUE(gpu);
    const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler forgotten = VK_NULL_HANDLE;
    ASSERT_EQ((*gpu)->vk().vkCreateSampler((*gpu)->device(), &info, nullptr, &forgotten), VK_SUCCESS);
    EXPECT_TRUE(said.empty()) << said.front();
  }
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("VkSampler"), std::string::npos) << said[0];
}

TEST(Device, PassesOnWhyAWindowCannotBeShownIn) {
  WindowSurface window;
  window.create = [](VkInstance) -> Result<VkSurfaceKHR> { return fail("the display is away"); };
  const auto device = Device::create({.window = window});
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().message, "the display is away");
}

TEST(Device, TwoLiveSideBySideAndMove) {
  auto first = Device::create();
  auto second = Device::create();
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->context().device, second->context().device);
  auto gpu_first = GpuDevice::create(first->context());
  auto gpu_second = GpuDevice::create(second->context());
  ASSERT_TRUE(gpu_first && gpu_second);
  EXPECT_TRUE((*gpu_first)->run([](VkCommandBuffer) {}));
  EXPECT_TRUE((*gpu_second)->run([](VkCommandBuffer) {}));
  gpu_first->reset();
  gpu_second->reset();
  Device moved = std::move(*first);
  *second = std::move(moved);
  EXPECT_TRUE(second->context().device != VK_NULL_HANDLE);
}

using VulkanContextTest = test::OnDevice;

TEST_F(VulkanContextTest, IsRefusedWhenAHandleIsMissing) {
  VulkanContext broken = context();
  broken.queue = VK_NULL_HANDLE;
  const auto gpu = GpuDevice::create(broken);
  ASSERT_FALSE(gpu);
  EXPECT_NE(gpu.error().message.find("must all be set"), std::string::npos);
}

using DeviceMemoryTest = test::OnDevice;

TEST_F(DeviceMemoryTest, SharesBlocksAndGivesThemBack) {
  auto gpu = GpuDevice::create(context());
  ASSERT_TRUE(gpu);
  {
    std::vector<Buffer> buffers;
    for (int i = 0; i < 100; ++i) {
      auto buffer = Buffer::create(**gpu, 1000, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::device);
      ASSERT_TRUE(buffer) << buffer.error().message;
      buffers.push_back(std::move(*buffer));
    }
    EXPECT_EQ((*gpu)->memory().block_count(), 1u);
    auto large = Buffer::create(**gpu, VkDeviceSize{40} << 20, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::device);
    ASSERT_TRUE(large);
    EXPECT_EQ((*gpu)->memory().block_count(), 2u);
    ImageShape shape{.width = 64, .height = 64};
    shape.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    auto image = ImageResource::create(**gpu, shape);
    ASSERT_TRUE(image);
    EXPECT_EQ((*gpu)->memory().block_count(), 3u) << "images and buffers must not share a block";
  }
  EXPECT_EQ((*gpu)->memory().block_count(), 0u);
}

TEST_F(DeviceMemoryTest, SaysSoWhenThereIsNotEnough) {
  auto gpu = GpuDevice::create(context());
  ASSERT_TRUE(gpu);
  const auto buffer =
      Buffer::create(**gpu, VkDeviceSize{1} << 50, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::device);
  ASSERT_FALSE(buffer);
  EXPECT_NE(buffer.error().message.find("bytes"), std::string::npos) << buffer.error().message;
}

}  // namespace
}  // namespace throng
