// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of the machine's devices to draw on. Pure, so that it is tested without any of them.

#include <span>
#include <string_view>

#include "throng/gpu/device.h"

namespace throng::detail::device {

// The index in `devices` that `choice` (DeviceSettings::choice) names, or the best usable one when it is empty.
Result<std::uint32_t> choose_device(std::span<const DeviceInfo> devices, std::string_view choice);

}  // namespace throng::detail::device
