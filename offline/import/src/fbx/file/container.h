// SPDX-License-Identifier: Apache-2.0
#pragma once
// The two containers of FBX, read into elements. Every length, offset and count is checked against the bytes there are
// before it is used.

#include <cstddef>
#include <span>

#include "fbx/file/element.h"
#include "import_budget.h"
#include "mender.h"
#include "throng/base/result.h"

namespace throng::detail::fbx {

// 6100 is FBX 2006, 7700 is FBX 2019 and later.
inline constexpr std::uint32_t kOldestVersion = 6100;
inline constexpr std::uint32_t kNewestVersion = 7700;

inline constexpr int kDeepest = 32;  // elements in elements: far beyond any model

struct File {
  std::uint32_t version = 0;
  bool ascii = false;
  Element root;
};

bool is_fbx(std::span<const std::byte> bytes);

// Refuses what is no FBX file, another version, or damaged.
Result<File> read_file(std::span<const std::byte> bytes, import::Mender& mender, import::Budget& budget);

}  // namespace throng::detail::fbx
