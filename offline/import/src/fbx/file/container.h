// SPDX-License-Identifier: Apache-2.0
#pragma once
// The two containers of FBX, read into elements. Every length, offset and count is checked against the bytes there are
// before it is used.

#include <cstddef>
#include <span>

#include "fbx/file/element.h"
#include "throng/base/result.h"

namespace throng::detail::fbx {

// 6100 is FBX 2006, 7700 is FBX 2019 and later.
inline constexpr std::uint32_t kOldestVersion = 6100;
inline constexpr std::uint32_t kNewestVersion = 7700;

// Elements in elements, and values in all: far beyond any model, and little enough to hold.
inline constexpr int kDeepest = 32;
inline constexpr std::size_t kMostValues = std::size_t{1} << 27;

struct File {
  std::uint32_t version = 0;
  bool ascii = false;
  Element root;
};

bool is_fbx(std::span<const std::byte> bytes);

// Refuses what is no FBX file, another version, or damaged.
Result<File> read_file(std::span<const std::byte> bytes);

}  // namespace throng::detail::fbx
