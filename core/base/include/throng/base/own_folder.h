// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file that names others may reach what lies in its own folder and below, and nothing else.

#include <filesystem>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng {

// Maps `path` if it lies in `folder` or below once all links are followed, and fails before it is opened if not; nor is
// another folder looked into for names like it. An empty folder is the current one.
Result<SharedBytes> map_file_in(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace throng
