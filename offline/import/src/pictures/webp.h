// SPDX-License-Identifier: Apache-2.0
#pragma once
// WebP becomes PNG on import, so that what a game ships reads two formats and no more.

#include <cstddef>
#include <span>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/image.h"

namespace throng::detail::import {

bool is_webp(std::span<const std::byte> bytes);

// Refuses what png_from_webp would refuse unseen.
Result<ImageSize> webp_size(std::span<const std::byte> bytes, std::uint64_t budget = 0);

// Without loss, for stills that take no more than `budget` bytes to decode; 0: than is usual for a file of this size.
Result<std::vector<std::byte>> png_from_webp(std::span<const std::byte> bytes, std::uint64_t budget = 0);

}  // namespace throng::detail::import
