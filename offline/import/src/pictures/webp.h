// SPDX-License-Identifier: Apache-2.0
#pragma once
// WebP becomes PNG on import, so that what a game ships reads two formats and no more.

#include <cstddef>
#include <span>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/image_size.h"

namespace throng::detail::import {

bool is_webp(std::span<const std::byte> bytes);

// Refuses what png_from_webp would refuse unseen.
Result<ImageSize> webp_size(std::span<const std::byte> bytes);

// Without loss, for stills of at most 64 Mi pixels.
Result<std::vector<std::byte>> png_from_webp(std::span<const std::byte> bytes);

}  // namespace throng::detail::import
