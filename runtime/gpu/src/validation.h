// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Khronos validation layer, asked for synchronisation errors too, and what it said.

#include <array>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "throng/gpu/functions.h"

namespace throng::detail::device {

class ValidationLog {
 public:
  using Listener = std::function<void(const std::string&)>;
  explicit ValidationLog(Listener listener) : listener_(std::move(listener)) {}

  void add(std::string message);
  std::vector<std::string> messages() const;

 private:
  mutable std::mutex mutex_;  // drivers may report from threads of their own
  std::vector<std::string> messages_;
  Listener listener_;
};

// What an instance must be created with; keeps the structures alive that the create info points to.
class ValidationRequest {
 public:
  // Fails when the layer is not installed.
  Result<void> prepare(const LoaderFunctions& functions, const ValidationLog& log);
  // Sets all of `info` but its extensions, which go to those that the caller has already.
  void add_to(VkInstanceCreateInfo& info, std::vector<const char*>& extensions);

 private:
  std::array<const char*, 1> layers_{"VK_LAYER_KHRONOS_validation"};
  std::array<const char*, 2> extensions_{VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  VkValidationFeaturesEXT features_{};
  VkDebugUtilsMessengerCreateInfoEXT messenger_{};
};

Result<VkDebugUtilsMessengerEXT> create_messenger(const InstanceFunctions& functions, VkInstance instance,
                                                  ValidationLog& log);

}  // namespace throng::detail::device
