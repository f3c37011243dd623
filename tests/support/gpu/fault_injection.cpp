// SPDX-License-Identifier: Apache-2.0
#include "fault_injection.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string_view>

#include "throng/gpu/functions.h"

namespace throng::test {
namespace {

struct Injection {
  bool live = false;
  PFN_vkGetInstanceProcAddr real_entry = nullptr;
  PFN_vkGetDeviceProcAddr real_device_entry = nullptr;
  std::optional<Fault> fault;
  std::uint32_t calls = 0;
  std::string failed;
  Weakness weakness;
  StandInPipelines pipelines;
};

Injection injection;

// The result that this call of `function` has to return, when it must not succeed.
std::optional<VkResult> due(std::string_view function) {
  if (!injection.fault) return std::nullopt;
  const Fault& fault = *injection.fault;
  if (!fault.function.empty() && fault.function != function) return std::nullopt;
  ++injection.calls;
  const bool fails = injection.calls == fault.call || (fault.for_good && injection.calls > fault.call);
  if (!fails) return std::nullopt;
  if (injection.failed.empty()) injection.failed = function;
  return fault.result;
}

template <class Handle>
struct Destruction {
  using Function = void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*);
  static inline Function real = nullptr;

  static void VKAPI_CALL call(VkDevice device, Handle handle, const VkAllocationCallbacks* callbacks) {
    if (!injection.pipelines.destroyed(handle)) real(device, handle, callbacks);
  }
  static PFN_vkVoidFunction replace(PFN_vkVoidFunction function) {
    real = reinterpret_cast<Function>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(&call);
  }
};

// Stands in for one function: Member, of a table of functions, says which and of what type.
template <auto Member>
struct Hook;

template <class Owner, class... Args, VkResult (VKAPI_PTR* Owner::*Member)(Args...)>
struct Hook<Member> {
  static inline VkResult(VKAPI_PTR* real)(Args...) = nullptr;
  static inline const char* name = nullptr;
  static inline bool is_wait = false;

  static VkResult VKAPI_CALL call(Args... args) {
    const auto fails = due(name);
    if (fails && (!is_wait || *fails != VK_ERROR_DEVICE_LOST)) return *fails;
    if (const auto instead = injection.pipelines.create(args...)) return *instead;
    const VkResult result = real(args...);
    if (result == VK_SUCCESS) injection.pipelines.created(args...);
    return fails.value_or(result);
  }

  static PFN_vkVoidFunction replace(const char* function, PFN_vkVoidFunction real_function) {
    name = function;
    real = reinterpret_cast<decltype(real)>(real_function);
    is_wait = std::string_view(function).find("Wait") != std::string_view::npos;
    return reinterpret_cast<PFN_vkVoidFunction>(&call);
  }
};

struct Replacement {
  const char* name;
  PFN_vkVoidFunction (*replace)(const char*, PFN_vkVoidFunction);
};

using Table = VolkDeviceTable;
constexpr std::array kReplacements{
    Replacement{"vkAllocateMemory", &Hook<&Table::vkAllocateMemory>::replace},
    Replacement{"vkMapMemory", &Hook<&Table::vkMapMemory>::replace},
    Replacement{"vkBindBufferMemory", &Hook<&Table::vkBindBufferMemory>::replace},
    Replacement{"vkBindImageMemory", &Hook<&Table::vkBindImageMemory>::replace},
    Replacement{"vkCreateBuffer", &Hook<&Table::vkCreateBuffer>::replace},
    Replacement{"vkCreateBufferView", &Hook<&Table::vkCreateBufferView>::replace},
    Replacement{"vkCreateImage", &Hook<&Table::vkCreateImage>::replace},
    Replacement{"vkCreateImageView", &Hook<&Table::vkCreateImageView>::replace},
    Replacement{"vkCreateSampler", &Hook<&Table::vkCreateSampler>::replace},
    Replacement{"vkCreateShaderModule", &Hook<&Table::vkCreateShaderModule>::replace},
    Replacement{"vkCreatePipelineCache", &Hook<&Table::vkCreatePipelineCache>::replace},
    Replacement{"vkGetPipelineCacheData", &Hook<&Table::vkGetPipelineCacheData>::replace},
    Replacement{"vkMergePipelineCaches", &Hook<&Table::vkMergePipelineCaches>::replace},
    Replacement{"vkCreatePipelineLayout", &Hook<&Table::vkCreatePipelineLayout>::replace},
    Replacement{"vkCreateGraphicsPipelines", &Hook<&Table::vkCreateGraphicsPipelines>::replace},
    Replacement{"vkCreateComputePipelines", &Hook<&Table::vkCreateComputePipelines>::replace},
    Replacement{"vkCreateDescriptorSetLayout", &Hook<&Table::vkCreateDescriptorSetLayout>::replace},
    Replacement{"vkCreateDescriptorPool", &Hook<&Table::vkCreateDescriptorPool>::replace},
    Replacement{"vkAllocateDescriptorSets", &Hook<&Table::vkAllocateDescriptorSets>::replace},
    Replacement{"vkCreateQueryPool", &Hook<&Table::vkCreateQueryPool>::replace},
    Replacement{"vkGetQueryPoolResults", &Hook<&Table::vkGetQueryPoolResults>::replace},
    Replacement{"vkCreateSemaphore", &Hook<&Table::vkCreateSemaphore>::replace},
    Replacement{"vkWaitSemaphores", &Hook<&Table::vkWaitSemaphores>::replace},
    Replacement{"vkCreateFence", &Hook<&Table::vkCreateFence>::replace},
    Replacement{"vkCreateEvent", &Hook<&Table::vkCreateEvent>::replace},
    Replacement{"vkResetFences", &Hook<&Table::vkResetFences>::replace},
    Replacement{"vkWaitForFences", &Hook<&Table::vkWaitForFences>::replace},
    Replacement{"vkCreateCommandPool", &Hook<&Table::vkCreateCommandPool>::replace},
    Replacement{"vkResetCommandPool", &Hook<&Table::vkResetCommandPool>::replace},
    Replacement{"vkAllocateCommandBuffers", &Hook<&Table::vkAllocateCommandBuffers>::replace},
    Replacement{"vkBeginCommandBuffer", &Hook<&Table::vkBeginCommandBuffer>::replace},
    Replacement{"vkEndCommandBuffer", &Hook<&Table::vkEndCommandBuffer>::replace},
    Replacement{"vkQueueSubmit2", &Hook<&Table::vkQueueSubmit2>::replace},
    Replacement{"vkQueueWaitIdle", &Hook<&Table::vkQueueWaitIdle>::replace},
    Replacement{"vkDeviceWaitIdle", &Hook<&Table::vkDeviceWaitIdle>::replace},
    Replacement{"vkCreateDevice", &Hook<&InstanceFunctions::create_device>::replace},
    Replacement{"vkEnumeratePhysicalDevices", &Hook<&InstanceFunctions::enumerate_devices>::replace},
};

PFN_vkVoidFunction replaced(const char* name, PFN_vkVoidFunction real) {
  if (real == nullptr) return nullptr;
  for (const Replacement& one : kReplacements)
    if (std::string_view(one.name) == name) return one.replace(one.name, real);
  return real;
}

PFN_vkVoidFunction VKAPI_CALL device_entry(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = injection.real_device_entry(device, name);
  if (std::string_view(name) == "vkDestroyPipeline") return Destruction<VkPipeline>::replace(real);
  if (std::string_view(name) == "vkDestroyShaderModule") return Destruction<VkShaderModule>::replace(real);
  return replaced(name, real);
}

// What describes a device returns nothing to fail with; it is made to tell of a weaker one.
template <auto Member>
struct Description {
  using Function = std::remove_cvref_t<decltype(std::declval<InstanceFunctions&>().*Member)>;
  static inline Function real = nullptr;

  static PFN_vkVoidFunction replace(PFN_vkVoidFunction function, Function by) {
    real = reinterpret_cast<Function>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(by);
  }
};
using Features = Description<&InstanceFunctions::features>;
using Properties = Description<&InstanceFunctions::properties>;
using Formats = Description<&InstanceFunctions::format_properties>;

void VKAPI_CALL features(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* out) {
  Features::real(device, out);
  if (injection.weakness.features && out->pNext != nullptr) injection.weakness.features(*out);
}

void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
  Properties::real(device, out);
  if (injection.weakness.properties) injection.weakness.properties(*out);
}

void VKAPI_CALL formats(VkPhysicalDevice device, VkFormat format, VkFormatProperties2* out) {
  Formats::real(device, format, out);
  if (injection.weakness.formats && format == VK_FORMAT_D32_SFLOAT)
    injection.weakness.formats(in_chain<VkFormatProperties3>(out, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3));
}

PFN_vkVoidFunction VKAPI_CALL instance_entry(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = injection.real_entry(instance, name);
  const std::string_view wanted(name);
  if (wanted == "vkGetDeviceProcAddr") {
    injection.real_device_entry = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(&device_entry);
  }
  if (wanted == "vkGetPhysicalDeviceFeatures2") return Features::replace(real, &features);
  if (wanted == "vkGetPhysicalDeviceProperties2") return Properties::replace(real, &properties);
  if (wanted == "vkGetPhysicalDeviceFormatProperties2") return Formats::replace(real, &formats);
  return replaced(name, real);
}

}  // namespace

FaultyDevice::FaultyDevice() {
  EXPECT_FALSE(injection.live) << "only one device can be faulty at a time";
  injection = {};
  injection.live = true;
  injection.real_entry = system_loader().value();
}

FaultyDevice::~FaultyDevice() {
  // Objects made behind the entry may outlive this: their functions stay, and do what they are asked.
  injection.live = false;
  injection.fault.reset();
  injection.weakness = {};
}

PFN_vkGetInstanceProcAddr FaultyDevice::entry() { return &instance_entry; }

VulkanContext FaultyDevice::behind(VulkanContext healthy) {
  healthy.get_instance_proc_addr = entry();
  healthy.pipelines = nullptr;  // every renderer asks for its own, which may fail
  return healthy;
}

void FaultyDevice::set(Fault fault) {
  injection.fault = std::move(fault);
  injection.calls = 0;
  injection.failed.clear();
}

void FaultyDevice::heal() { injection.fault.reset(); }
bool FaultyDevice::happened() const { return !injection.failed.empty(); }
std::string FaultyDevice::failed_function() const { return injection.failed; }
std::uint32_t FaultyDevice::calls() const { return injection.calls; }
void FaultyDevice::weaken(Weakness weakness) { injection.weakness = std::move(weakness); }
void FaultyDevice::make_pipelines(PipelineKind kind) { injection.pipelines.kind = kind; }
std::size_t FaultyDevice::live_pipelines() const { return injection.pipelines.live(); }
void FaultyDevice::destroy_shared_pipelines() { injection.pipelines.destroy_shared(Destruction<VkPipeline>::real); }

}  // namespace throng::test
