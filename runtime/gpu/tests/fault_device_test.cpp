// SPDX-License-Identifier: Apache-2.0
// Devices that lack something, and devices that cannot be made.

#include <gtest/gtest.h>

#include "fault_injection.h"
#include "test_device.h"
#include "throng/gpu/gpu_device.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

using test::in_chain;
using test::Weakness;

struct Lack {
  const char* words;
  Weakness weakness;
};

template <class Clear>
Weakness without_feature(Clear clear) {
  Weakness weakness;
  weakness.features = clear;
  return weakness;
}

// Of what a subgroup can do, nothing but `left`.
Weakness with_subgroups(VkSubgroupFeatureFlags left) {
  Weakness weakness;
  weakness.properties = [left](VkPhysicalDeviceProperties2& properties) {
    for (auto* link = static_cast<VkBaseOutStructure*>(properties.pNext); link != nullptr; link = link->pNext)
      if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
        reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(link)->supportedOperations &= left;
  };
  return weakness;
}

std::vector<Lack> all_lacks() {
  using Features = VkPhysicalDeviceFeatures2;
  const auto v12 = [](Features& f) -> VkPhysicalDeviceVulkan12Features& {
    return in_chain<VkPhysicalDeviceVulkan12Features>(&f, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  };
  const auto v13 = [](Features& f) -> VkPhysicalDeviceVulkan13Features& {
    return in_chain<VkPhysicalDeviceVulkan13Features>(&f, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  };
  std::vector<Lack> lacks{
      {"lacks the feature dynamicRendering;", without_feature([=](Features& f) { v13(f).dynamicRendering = 0; })},
      {"lacks the feature synchronization2;", without_feature([=](Features& f) { v13(f).synchronization2 = 0; })},
      {"lacks the feature drawIndirectCount;", without_feature([=](Features& f) { v12(f).drawIndirectCount = 0; })},
      {"lacks the feature multiDrawIndirect;", without_feature([](Features& f) { f.features.multiDrawIndirect = 0; })},
      {"lacks the feature drawIndirectFirstInstance;",
       without_feature([](Features& f) { f.features.drawIndirectFirstInstance = 0; })},
      {"lack subgroup operations", with_subgroups(VK_SUBGROUP_FEATURE_BASIC_BIT)},
  };
  Lack old{"it has Vulkan 1.2, 1.3 is needed", {}};
  old.weakness.properties = [](VkPhysicalDeviceProperties2& p) { p.properties.apiVersion = VK_API_VERSION_1_2; };
  lacks.push_back(std::move(old));
  Lack shadowless{"cannot be compared by samplers", {}};
  shadowless.weakness.formats = [](VkFormatProperties3& p) {
    p.optimalTilingFeatures &= ~VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
  };
  lacks.push_back(std::move(shadowless));
  return lacks;
}

using WeakDevice = test::OnDevice;

TEST_F(WeakDevice, OfACallerIsRefusedByEveryRendererInWords) {
  test::FaultyDevice faulty;
  for (Lack& lack : all_lacks()) {
    faulty.weaken(std::move(lack.weakness));
    const auto scene = SceneRenderer::create(faulty.behind(context()), {.width = 8, .height = 8});
    ASSERT_FALSE(scene) << lack.words;
    EXPECT_NE(scene.error().message.find(lack.words), std::string::npos) << scene.error().message;
    EXPECT_EQ(scene.error().message.rfind("Vulkan context: ", 0), 0u) << scene.error().message;
  }
  faulty.weaken({});
  EXPECT_TRUE(GpuDevice::create(faulty.behind(context()))) << "and taken when it lacks nothing";
}

TEST_F(WeakDevice, IsNotChosenAndNotCreated) {
  test::FaultyDevice faulty;
  for (Lack& lack : all_lacks()) {
    faulty.weaken(std::move(lack.weakness));
    const auto device = Device::create({.get_instance_proc_addr = faulty.entry()});
    ASSERT_FALSE(device) << lack.words;
    EXPECT_NE(device.error().message.find(lack.words), std::string::npos) << device.error().message;
    const auto by_index = Device::create({.choice = "0", .get_instance_proc_addr = faulty.entry()});
    ASSERT_FALSE(by_index) << lack.words;
    EXPECT_NE(by_index.error().message.find("cannot be used: "), std::string::npos) << by_index.error().message;
  }
}

TEST_F(WeakDevice, AQueueThatCannotDrawIsRefusedWithOneThatCan) {
  VulkanContext wrong = context();
  wrong.queue_family = 99;
  const auto gpu = GpuDevice::create(wrong);
  ASSERT_FALSE(gpu);
  EXPECT_NE(gpu.error().message.find("queue family 99 does not do graphics and compute; take a queue of family"),
            std::string::npos)
      << gpu.error().message;
}

TEST(FaultyDeviceCreation, SaysWhatFailedAndWorksAfterwards) {
  test::FaultyDevice faulty;
  const DeviceSettings settings{.get_instance_proc_addr = faulty.entry()};
  for (const char* function : {"vkCreateDevice", "vkEnumeratePhysicalDevices"}) {
    for (const VkResult result : {VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}) {
      faulty.set({.function = function, .result = result});
      const auto device = Device::create(settings);
      ASSERT_TRUE(faulty.happened()) << function;
      ASSERT_FALSE(device) << function;
      const std::string code = fmt::format("(VkResult {});", static_cast<int>(result));
      EXPECT_NE(device.error().message.find(code), std::string::npos) << device.error().message;
    }
  }
  faulty.heal();
  EXPECT_TRUE(Device::create(settings));
}

}  // namespace
}  // namespace throng
