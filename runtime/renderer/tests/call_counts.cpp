// SPDX-License-Identifier: Apache-2.0
#include "call_counts.h"

#include <cstring>
#include <iterator>
#include <utility>

namespace throng::test {
namespace {

PFN_vkGetInstanceProcAddr real_instance_functions = nullptr;
PFN_vkGetDeviceProcAddr real_device_functions = nullptr;

// One of these for each function: it counts, then calls the real one.
template <std::size_t Index, class Function>
struct Counted;

constexpr const char* kNames[] = {"Draw",
                                  "DrawIndexed",
                                  "DrawIndirect",
                                  "DrawIndirectCount",
                                  "DrawIndexedIndirect",
                                  "DrawIndexedIndirectCount",
                                  "Dispatch",
                                  "DispatchIndirect",
                                  "CopyBuffer"};

template <std::size_t Index, class... Arguments>
struct Counted<Index, void(VKAPI_PTR*)(VkCommandBuffer, Arguments...)> {
  using Function = void(VKAPI_PTR*)(VkCommandBuffer, Arguments...);
  static inline Function real = nullptr;
  static VKAPI_ATTR void VKAPI_CALL call(VkCommandBuffer commands, Arguments... arguments) {
    ++call_counts()[kNames[Index]];
    real(commands, arguments...);
  }
  static PFN_vkVoidFunction between(PFN_vkVoidFunction function) {
    real = reinterpret_cast<Function>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(&call);
  }
};

template <class... Functions>
struct Hooks {
  template <std::size_t... Indices>
  static PFN_vkVoidFunction find(const char* name, PFN_vkVoidFunction real, std::index_sequence<Indices...>) {
    PFN_vkVoidFunction found = real;
    const bool any = ((std::string("vkCmd") + kNames[Indices] == name &&
                       (found = Counted<Indices, Functions>::between(real)) != nullptr) ||
                      ...);
    return any ? found : real;
  }
};

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_functions(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = real_device_functions(device, name);
  using All = Hooks<PFN_vkCmdDraw, PFN_vkCmdDrawIndexed, PFN_vkCmdDrawIndirect, PFN_vkCmdDrawIndirectCount,
                    PFN_vkCmdDrawIndexedIndirect, PFN_vkCmdDrawIndexedIndirectCount, PFN_vkCmdDispatch,
                    PFN_vkCmdDispatchIndirect, PFN_vkCmdCopyBuffer>;
  return All::find(name, real, std::make_index_sequence<std::size(kNames)>());
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_functions(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = real_instance_functions(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
  real_device_functions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(device_functions);
}

}  // namespace

std::map<std::string, std::uint32_t>& call_counts() {
  static std::map<std::string, std::uint32_t> counts;
  return counts;
}

std::uint32_t draw_calls() {
  std::uint32_t all = 0;
  for (const auto& [name, count] : call_counts())
    if (name.starts_with("Draw")) all += count;
  return all;
}

VulkanContext counted(VulkanContext context) {
  real_instance_functions = context.get_instance_proc_addr;
  context.get_instance_proc_addr = instance_functions;
  return context;
}

}  // namespace throng::test
