// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where writing to a path leads, asked before the work whose result goes there.

#include <filesystem>
#include <optional>

#include "throng/base/result.h"

namespace throng {

struct Destination {
  std::filesystem::path path;  // once all links are followed
  bool exists = false;         // a file that will be replaced
  // A device, a FIFO, or an open descriptor of this process (/dev/stdout, /dev/fd/3): it is written to, not replaced.
  bool is_stream = false;
  std::optional<int> descriptor = {};  // the one of this process
};

// Changes nothing. Refused, in words: a folder that is not there or that may not be written in, a folder in the file's
// own place, a file that is write-protected, links that lead in circles.
Result<Destination> find_destination(const std::filesystem::path& path);

}  // namespace throng
