// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the window's shapes are drawn.

#include <array>

#include "gpu/window_device.h"

namespace throng::studio {

// Pushed to the vertex shader: pixels → clip space.
struct ScreenTransform {
  std::array<float, 2> scale;
  std::array<float, 2> offset;
};

Result<Owned<VkPipelineLayout>> make_ui_layout(const WindowDevice& device, VkDescriptorSetLayout pictures);
Result<Owned<VkPipeline>> make_ui_pipeline(const WindowDevice& device, VkPipelineLayout layout, VkFormat colour);

}  // namespace throng::studio
