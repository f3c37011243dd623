// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/device_needs.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

TEST(DeviceNeeds, EveryFeatureThatIsRequestedIsMissedWhenItIsNotThere) {
  FeatureChain all;
  request_needed(all);
  EXPECT_EQ(missing_of_features(all), "");

  struct Case {
    const char* name;
    VkBool32& (*of)(FeatureChain&);
  };
  const Case cases[] = {
      {"dynamicRendering", [](FeatureChain& f) -> VkBool32& { return f.v13.dynamicRendering; }},
      {"synchronization2", [](FeatureChain& f) -> VkBool32& { return f.v13.synchronization2; }},
      {"drawIndirectCount", [](FeatureChain& f) -> VkBool32& { return f.v12.drawIndirectCount; }},
      {"multiDrawIndirect", [](FeatureChain& f) -> VkBool32& { return f.all.features.multiDrawIndirect; }},
      {"drawIndirectFirstInstance",
       [](FeatureChain& f) -> VkBool32& { return f.all.features.drawIndirectFirstInstance; }},
  };
  for (const Case& one : cases) {
    FeatureChain features;
    request_needed(features);
    EXPECT_EQ(one.of(features), VK_TRUE) << one.name;
    one.of(features) = VK_FALSE;
    EXPECT_EQ(missing_of_features(features),
              fmt::format("it lacks the feature {}; update its driver or take another device", one.name));
  }
}

TEST(DeviceNeeds, NamesAllFeaturesThatAreMissingAtOnce) {
  FeatureChain features;
  request_needed(features);
  features.v12.drawIndirectCount = VK_FALSE;
  features.all.features.multiDrawIndirect = VK_FALSE;
  EXPECT_EQ(missing_of_features(features),
            "it lacks the features drawIndirectCount, multiDrawIndirect; update its driver or take another device");
}

TEST(DeviceNeeds, SubgroupOperationsMustAllBeThereInCompute) {
  VkPhysicalDeviceSubgroupProperties subgroups{};
  subgroups.supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
  subgroups.subgroupSize = 8;
  subgroups.supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                  VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  EXPECT_EQ(missing_of_subgroups(subgroups), "");
  for (const VkSubgroupFeatureFlags without : {VK_SUBGROUP_FEATURE_BASIC_BIT, VK_SUBGROUP_FEATURE_VOTE_BIT,
                                               VK_SUBGROUP_FEATURE_BALLOT_BIT, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT}) {
    VkPhysicalDeviceSubgroupProperties fewer = subgroups;
    fewer.supportedOperations &= ~without;
    EXPECT_NE(missing_of_subgroups(fewer).find("subgroup operations"), std::string::npos) << without;
  }
  VkPhysicalDeviceSubgroupProperties small = subgroups;
  small.subgroupSize = 4;
  EXPECT_NE(missing_of_subgroups(small).find("its subgroups have 4 threads, 8 are needed"), std::string::npos);
  subgroups.supportedStages = VK_SHADER_STAGE_FRAGMENT_BIT;
  EXPECT_NE(missing_of_subgroups(subgroups).find("its compute shaders lack"), std::string::npos);
}

TEST(DeviceNeeds, SaysWhatADeviceCannotDoWithShadowMaps) {
  constexpr VkFormatFeatureFlags2 kDraw = VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
  constexpr VkFormatFeatureFlags2 kRead = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT;
  constexpr VkFormatFeatureFlags2 kCompare = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
  EXPECT_EQ(missing_of_shadow_maps(kDraw | kRead | kCompare), "");
  EXPECT_NE(missing_of_shadow_maps(kRead | kCompare).find("cannot be drawn to"), std::string::npos);
  EXPECT_NE(missing_of_shadow_maps(kDraw).find("cannot be read by shaders"), std::string::npos);
  EXPECT_NE(missing_of_shadow_maps(kDraw | kRead).find("cannot be compared by samplers"), std::string::npos);
}

TEST(DeviceNeeds, TheVersionIsNamed) {
  EXPECT_EQ(missing_of_version(VK_API_VERSION_1_3), "");
  EXPECT_EQ(missing_of_version(VK_API_VERSION_1_2), "it has Vulkan 1.2, 1.3 is needed; update its driver");
}

TEST(VulkanErrors, SayWhatToDo) {
  EXPECT_EQ(check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "create a buffer of {} bytes", 12).error().message,
            "Vulkan: cannot create a buffer of 12 bytes: out of device memory (VkResult -2); draw fewer characters, "
            "smaller shadow maps or a smaller vertex budget");
  EXPECT_EQ(check(VK_ERROR_DEVICE_LOST, "submit commands").error().message,
            "Vulkan: cannot submit commands: the device was lost (VkResult -4); destroy every object made from it and "
            "create a new Device");
  EXPECT_TRUE(check(VK_SUCCESS, "submit commands"));
  EXPECT_TRUE(check(VK_INCOMPLETE, "list devices")) << "what is above zero is no error";
}

}  // namespace
}  // namespace throng
