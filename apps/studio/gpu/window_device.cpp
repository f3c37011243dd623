// SPDX-License-Identifier: Apache-2.0
#include "gpu/window_device.h"

#include <SDL_vulkan.h>

#include "throng/base/try.h"

namespace throng::studio {
namespace {

Result<std::vector<const char*>> extensions_for(SDL_Window* window) {
  unsigned count = 0;
  std::vector<const char*> names;
  if (SDL_Vulkan_GetInstanceExtensions(window, &count, nullptr) == SDL_TRUE) {
    names.resize(count);
    if (SDL_Vulkan_GetInstanceExtensions(window, &count, names.data()) == SDL_TRUE) return names;
  }
  return fail("Vulkan: this display cannot show what it draws: {}", SDL_GetError());
}

Result<VkSurfaceKHR> create_surface(SDL_Window* window, VkInstance instance) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (SDL_Vulkan_CreateSurface(window, instance, &surface) == SDL_TRUE) return surface;
  return fail("Vulkan: this display cannot show what it draws: {}", SDL_GetError());
}

}  // namespace

Result<Device> create_window_device(SDL_Window* window, DeviceSettings settings) {
  THRONG_TRY(auto extensions, extensions_for(window));
  settings.get_instance_proc_addr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(SDL_Vulkan_GetVkGetInstanceProcAddr());
  settings.window = WindowSurface{.extensions = std::move(extensions),
                                  .create = [window](VkInstance instance) { return create_surface(window, instance); }};
  return Device::create(settings);
}

}  // namespace throng::studio
