// SPDX-License-Identifier: Apache-2.0
// volk's own code for the window, which calls Vulkan through its global functions; the library keeps one of its own.
#define VOLK_IMPLEMENTATION
#include <volk.h>
