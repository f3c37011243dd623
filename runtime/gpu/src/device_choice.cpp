// SPDX-License-Identifier: Apache-2.0
#include "device_choice.h"

#include <charconv>
#include <optional>
#include <vector>

#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::device {
namespace {

// "there is only device 0 (llvmpipe)", "there are device 0 (llvmpipe) and device 1 (NVIDIA H200)".
std::string names(std::span<const DeviceInfo> devices) {
  std::vector<std::string> all;
  for (const DeviceInfo& device : devices) all.push_back(fmt::format("device {} ({})", device.index, device.name));
  return (devices.size() == 1 ? "there is only " : "there are ") + joined(all, "and");
}

std::optional<std::uint32_t> as_index(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::uint32_t> by_name(std::span<const DeviceInfo> devices, std::string_view choice) {
  for (const bool must_be_usable : {true, false})
    for (std::uint32_t i = 0; i < devices.size(); ++i)
      if (lower(devices[i].name).find(lower(choice)) != std::string::npos &&
          (devices[i].unusable.empty() || !must_be_usable))
        return i;
  return fail("Vulkan: no device is called '{}'; {}", choice, names(devices));
}

Result<std::uint32_t> best(std::span<const DeviceInfo> devices) {
  for (const DeviceKind kind :
       {DeviceKind::discrete, DeviceKind::integrated, DeviceKind::virtual_gpu, DeviceKind::other, DeviceKind::software})
    for (std::uint32_t i = 0; i < devices.size(); ++i)
      if (devices[i].kind == kind && devices[i].unusable.empty()) return i;
  return fail("Vulkan: no device can be used; {}: {}", devices.front().name, devices.front().unusable);
}

}  // namespace

Result<std::uint32_t> choose_device(std::span<const DeviceInfo> devices, std::string_view choice) {
  if (devices.empty())
    return fail("Vulkan: no device on this machine; install a driver for its GPU, or mesa-vulkan-drivers for software");
  if (choice.empty()) return best(devices);
  const auto index = as_index(choice);
  if (index && *index >= devices.size()) return fail("Vulkan: there is no device {}; {}", *index, names(devices));
  THRONG_TRY(auto chosen, index ? Result<std::uint32_t>(*index) : by_name(devices, choice));
  const DeviceInfo& device = devices[chosen];
  if (!device.unusable.empty()) return fail("{}: cannot be used: {}", device.name, device.unusable);
  return chosen;
}

}  // namespace throng::detail::device
