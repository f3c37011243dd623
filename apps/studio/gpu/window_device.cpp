// SPDX-License-Identifier: Apache-2.0
#include "gpu/window_device.h"

#include <SDL.h>
#include <SDL_vulkan.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace throng::studio {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL note(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* notes) {
  static_cast<ValidationNotes*>(notes)->add(data->pMessage == nullptr ? "" : data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(ValidationNotes* notes) {
  VkDebugUtilsMessengerCreateInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = note;
  info.pUserData = notes;
  return info;
}

bool validation_is_installed() {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::ranges::any_of(
      layers, [](const VkLayerProperties& layer) { return std::string_view(layer.layerName) == kValidationLayer; });
}

Result<std::vector<const char*>> extensions_for(SDL_Window* window) {
  unsigned count = 0;
  std::vector<const char*> names;
  if (SDL_Vulkan_GetInstanceExtensions(window, &count, nullptr) == SDL_TRUE) {
    names.resize(count);
    if (SDL_Vulkan_GetInstanceExtensions(window, &count, names.data()) == SDL_TRUE) return names;
  }
  return fail("Vulkan: this display cannot show what it draws: {}", SDL_GetError());
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A queue that draws and shows.
std::optional<std::uint32_t> queue_family_of(VkPhysicalDevice device, VkSurfaceKHR surface) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (std::uint32_t i = 0; i < count; ++i) {
    VkBool32 shows = VK_FALSE;
    if ((families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) continue;
    if (vkGetPhysicalDeviceSurfaceSupportKHR(device, i, surface, &shows) == VK_SUCCESS && shows == VK_TRUE) return i;
  }
  return std::nullopt;
}

bool has_swapchains(VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
  return std::ranges::any_of(all, [](const VkExtensionProperties& extension) {
    return std::string_view(extension.extensionName) == VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  });
}

bool can_draw(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties) {
  if (properties.apiVersion < VK_API_VERSION_1_3) return false;
  VkPhysicalDeviceVulkan13Features features13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features13};
  vkGetPhysicalDeviceFeatures2(device, &features);
  return features13.dynamicRendering == VK_TRUE && features13.synchronization2 == VK_TRUE && has_swapchains(device);
}

int rank(VkPhysicalDeviceType type) {
  constexpr std::array kBestFirst{VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
                                  VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_PHYSICAL_DEVICE_TYPE_CPU};
  return static_cast<int>(std::ranges::find(kBestFirst, type) - kBestFirst.begin());
}

}  // namespace

Result<void> check(VkResult result, const char* what) {
  if (result >= 0) return {};
  return fail("Vulkan: could not {}: error {}{}", what, static_cast<int>(result),
              result == VK_ERROR_DEVICE_LOST ? " (the device was lost; start again)" : "");
}

void ValidationNotes::add(std::string message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
}

std::vector<std::string> ValidationNotes::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

Result<void> WindowDevice::make_instance(SDL_Window* window, ValidationNotes* notes) {
  auto extensions = extensions_for(window);
  if (!extensions) return fail(std::move(extensions));
  VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "Throng Studio";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  VkDebugUtilsMessengerCreateInfoEXT listener = messenger_info(notes);
  const VkValidationFeatureEnableEXT enabled[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, .pNext = &listener};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enabled;
  if (notes != nullptr) {
    if (!validation_is_installed())
      return fail("Vulkan: {} is not installed; install vulkan-validationlayers", kValidationLayer);
    extensions->push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidationLayer;
  }
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions->size());
  info.ppEnabledExtensionNames = extensions->data();
  if (auto made = check(vkCreateInstance(&info, nullptr, &instance_), "make an instance"); !made) return made;
  volkLoadInstanceOnly(instance_);
  if (notes != nullptr) {
    if (auto made = check(vkCreateDebugUtilsMessengerEXT(instance_, &listener, nullptr, &messenger_), "listen"); !made)
      return made;
  }
  if (SDL_Vulkan_CreateSurface(window, instance_, &surface_) == SDL_TRUE) return {};
  return fail("Vulkan: this display cannot show what it draws: {}", SDL_GetError());
}

Result<void> WindowDevice::choose(const std::string& choice) {
  std::uint32_t count = 0;
  if (auto done = check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "list devices"); !done) return done;
  std::vector<VkPhysicalDevice> all(count);
  if (auto done = check(vkEnumeratePhysicalDevices(instance_, &count, all.data()), "list devices"); !done) return done;
  int best = std::numeric_limits<int>::max();
  std::string seen;
  for (VkPhysicalDevice device : all) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device, &properties);
    seen += (seen.empty() ? "" : ", ") + std::string(properties.deviceName);
    const bool meant = lower(properties.deviceName).find(lower(choice)) != std::string::npos;
    const auto family = queue_family_of(device, surface_);
    if (!meant || !family || rank(properties.deviceType) >= best || !can_draw(device, properties)) continue;
    best = rank(properties.deviceType);
    physical_ = device;
    queue_family_ = *family;
    name_ = properties.deviceName;
    is_software_ = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  }
  if (physical_ != VK_NULL_HANDLE) return {};
  return fail("Vulkan: no device{} has Vulkan 1.3 and can show in this window; there are: {}",
              choice.empty() ? "" : " named " + choice, seen.empty() ? "none" : seen);
}

Result<void> WindowDevice::make_device() {
  VkPhysicalDeviceVulkan13Features features13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features13.dynamicRendering = VK_TRUE;
  features13.synchronization2 = VK_TRUE;
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = queue_family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const char* swapchains = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features13};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &swapchains;
  if (auto made = check(vkCreateDevice(physical_, &info, nullptr, &device_), "make a device"); !made) return made;
  volkLoadDeviceTable(&table_, device_);
  table_.vkGetDeviceQueue(device_, queue_family_, 0, &queue_);
  return {};
}

Result<std::unique_ptr<WindowDevice>> WindowDevice::create(SDL_Window* window, const WindowDeviceSettings& settings) {
  volkInitializeCustom(reinterpret_cast<PFN_vkGetInstanceProcAddr>(SDL_Vulkan_GetVkGetInstanceProcAddr()));
  std::unique_ptr<WindowDevice> device(new WindowDevice);
  if (auto made = device->make_instance(window, settings.notes); !made) return fail(std::move(made));
  if (auto chosen = device->choose(settings.choice); !chosen) return fail(std::move(chosen));
  if (auto made = device->make_device(); !made) return fail(std::move(made));
  return device;
}

WindowDevice::~WindowDevice() {
  if (device_ != VK_NULL_HANDLE) {
    table_.vkDeviceWaitIdle(device_);
    table_.vkDestroyDevice(device_, nullptr);
  }
  if (surface_ != VK_NULL_HANDLE) vkDestroySurfaceKHR(instance_, surface_, nullptr);
  if (messenger_ != VK_NULL_HANDLE) vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

Result<VkDeviceMemory> WindowDevice::allocate(const VkMemoryRequirements& needs,
                                              VkMemoryPropertyFlags properties) const {
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
  VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size};
  for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
    const bool fits = (needs.memoryTypeBits >> type & 1u) != 0;
    if (!fits || (memory.memoryTypes[type].propertyFlags & properties) != properties) continue;
    info.memoryTypeIndex = type;
    VkDeviceMemory handle = VK_NULL_HANDLE;
    if (table_.vkAllocateMemory(device_, &info, nullptr, &handle) == VK_SUCCESS) return handle;
  }
  return fail("Vulkan: no memory for {} bytes on {}", needs.size, name_);
}

}  // namespace throng::studio
