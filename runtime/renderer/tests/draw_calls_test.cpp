// SPDX-License-Identifier: Apache-2.0
// How often Vulkan is asked to draw, counted from outside the library: between it and the driver.
#include <gtest/gtest.h>

#include <cstring>

#include "test_device.h"
#include "test_models.h"
#include "throng/gpu/gpu_device.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

std::uint32_t indexed_draws = 0;
PFN_vkGetInstanceProcAddr real_instance_functions = nullptr;
PFN_vkGetDeviceProcAddr real_device_functions = nullptr;
PFN_vkCmdDrawIndexedIndirectCount real_draw = nullptr;

VKAPI_ATTR void VKAPI_CALL count_draw(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, VkBuffer counts,
                                      VkDeviceSize count_offset, std::uint32_t most, std::uint32_t stride) {
  ++indexed_draws;
  real_draw(commands, buffer, offset, counts, count_offset, most, stride);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_functions(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = real_device_functions(device, name);
  if (std::strcmp(name, "vkCmdDrawIndexedIndirectCount") != 0) return real;
  real_draw = reinterpret_cast<PFN_vkCmdDrawIndexedIndirectCount>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(count_draw);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_functions(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = real_instance_functions(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
  real_device_functions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(device_functions);
}

class DrawCalls : public test::OnDevice {
 protected:
  VulkanContext counted_context() {
    VulkanContext counted = context();
    real_instance_functions = counted.get_instance_proc_addr;
    counted.get_instance_proc_addr = instance_functions;
    return counted;
  }
};

TEST_F(DrawCalls, AreOnePerMaterialAndPassForAnyNumberOfInstancesAndReportedTruly) {
  CharacterDraft draft = test::card_draft({});
  draft.materials.emplace_back();
  draft.parts = {{0, 0, 3}, {1, 3, 3}};
  const Character model = test::built(std::move(draft));
  SceneSettings settings{.width = 64, .height = 48};
  settings.shadow_size = 128;
  settings.contact_size = 64;
  auto scene = SceneRenderer::create(counted_context(), settings);
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_TRUE(scene->add_model(model));
  for (const std::size_t count : {1u, 3u, 1000u}) {
    const std::vector<InstanceRecord> instances(count, test::standing(0).instance);
    ASSERT_TRUE(scene->set_instances(0, instances, std::vector<PlayRecord>(count, test::standing(0).play)));
    indexed_draws = 0;
    const auto report = scene->draw({.eye = {0.0, 1.5, 8.0}, .target = {0.0, 1.0, 0.0}}, 0);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(indexed_draws, 6u) << count << " instances: the sun's map, the contact map and the picture, 2 materials";
    EXPECT_EQ(report->crowd_draws, 3u) << count << ": and one for specks";
    EXPECT_EQ(report->shadow_draws, 4u) << count;
  }
}

}  // namespace
}  // namespace throng
