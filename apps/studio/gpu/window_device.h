// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Vulkan device that the window is drawn with. The preview has another one (preview/preview_stage.h), so
// neither waits for the other's queue.

#include "throng/gpu/device.h"

struct SDL_Window;

namespace throng::studio {

// A Device that shows in `window`, which must outlive it.
Result<Device> create_window_device(SDL_Window* window, DeviceSettings settings);

}  // namespace throng::studio
