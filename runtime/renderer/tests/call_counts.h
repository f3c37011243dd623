// SPDX-License-Identifier: Apache-2.0
#pragma once
// How often Vulkan is asked to draw, dispatch and copy, counted from outside the library: between it and the driver.

#include <cstdint>
#include <map>
#include <string>

#include "throng/gpu/device.h"

namespace throng::test {

// By function, without "vkCmd". Every call of a draw is one of "Draw…".
std::map<std::string, std::uint32_t>& call_counts();
std::uint32_t draw_calls();

// The same context, whose functions count.
VulkanContext counted(VulkanContext context);

}  // namespace throng::test
