// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character's file that a benchmark writes and reads again.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

namespace throng::bench {

// A file in the temporary folder, with a name of this process's own; gone with this object.
struct TemporaryFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("throng-bench-{}.throng.glb", getpid());
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

}  // namespace throng::bench
