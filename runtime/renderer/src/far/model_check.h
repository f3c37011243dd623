// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a character fits a device, before any of it is uploaded. Pure.

#include <volk.h>

#include "throng/base/result.h"
#include "throng/character/character.h"

namespace throng::detail::renderer {

Result<void> check_model(const Character& model, const VkPhysicalDeviceLimits& limits);

// Plays clips there are, at a finite place, larger than nothing. `i` names it in the error.
Result<void> check_character(const InstanceRecord& instance, const PlayRecord& play, std::size_t i,
                             std::size_t clip_count);

}  // namespace throng::detail::renderer
