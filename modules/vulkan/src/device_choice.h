#pragma once
// Which of the machine's devices to draw on. Pure, so that it is tested without any of them.

#include <span>
#include <string_view>

#include "throng/vulkan/device.h"

namespace throng {

// The index in `devices` that `choice` (DeviceSettings::choice) names, or the best usable one when it is empty.
Result<std::uint32_t> choose_device(std::span<const DeviceInfo> devices, std::string_view choice);

// What a device cannot do with the format of shadow maps, in words; empty when it can do everything.
std::string missing_of_shadow_maps(VkFormatFeatureFlags2 features);

}  // namespace throng
