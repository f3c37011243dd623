// SPDX-License-Identifier: Apache-2.0
#include "validation.h"

#include <algorithm>
#include <string_view>
#include "throng/base/try.h"

namespace throng::detail::device {
namespace {

VKAPI_ATTR VkBool32 VKAPI_CALL collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                       const VkDebugUtilsMessengerCallbackDataEXT* data, void* log) {
  static_cast<ValidationLog*>(log)->add(data->pMessage == nullptr ? "" : data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(const ValidationLog& log) {
  VkDebugUtilsMessengerCreateInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = collect;
  info.pUserData = const_cast<ValidationLog*>(&log);
  return info;
}

constexpr VkValidationFeatureEnableEXT kEnabled[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};

}  // namespace

void ValidationLog::add(std::string message) {
  const std::lock_guard lock(mutex_);
  if (listener_) listener_(message);
  messages_.push_back(std::move(message));
}

std::vector<std::string> ValidationLog::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

Result<void> ValidationRequest::prepare(const LoaderFunctions& functions, const ValidationLog& log) {
  std::uint32_t count = 0;
  functions.enumerate_layers(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  functions.enumerate_layers(&count, layers.data());
  const bool installed = std::ranges::any_of(
      layers, [&](const VkLayerProperties& layer) { return std::string_view(layer.layerName) == layers_[0]; });
  if (!installed)
    return fail("Vulkan: {} is not installed; install vulkan-validationlayers or do without validation", layers_[0]);
  messenger_ = messenger_info(log);
  features_.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  features_.pNext = &messenger_;
  features_.enabledValidationFeatureCount = 1;
  features_.pEnabledValidationFeatures = kEnabled;
  return {};
}

void ValidationRequest::add_to(VkInstanceCreateInfo& info, std::vector<const char*>& extensions) {
  info.pNext = &features_;
  info.enabledLayerCount = static_cast<std::uint32_t>(layers_.size());
  info.ppEnabledLayerNames = layers_.data();
  extensions.insert(extensions.end(), extensions_.begin(), extensions_.end());
}

Result<VkDebugUtilsMessengerEXT> create_messenger(const InstanceFunctions& functions, VkInstance instance,
                                                  ValidationLog& log) {
  const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(log);
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  THRONG_CHECK(check(functions.create_messenger(instance, &info, nullptr, &messenger), "listen to validation"));
  return messenger;
}

}  // namespace throng::detail::device
