// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keeps the Vulkan driver and its layers in memory to the end of the program. The loader would unload them with the
// last instance, and then a leak checker cannot name the library a leak of theirs came from, so tests/support/lsan.supp
// could not match it.

#include <dlfcn.h>

namespace throng::test {

inline void pin_drivers() {
  for (const char* library :
       {"libvulkan.so.1", "libvulkan_lvp.so", "libVkLayer_khronos_validation.so", "libVkLayer_MESA_device_select.so"})
    dlopen(library, RTLD_NOW | RTLD_NODELETE);  // one that is not here has nothing to pin
}

}  // namespace throng::test
