// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files that a document is read from: itself, and those beside it that it names. Each is mapped and counted once,
// however many names lead to it.

#include <cstdint>
#include <filesystem>
#include <map>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng::detail::gltf {

class NamedFiles {
 public:
  NamedFiles() = default;
  // `path`: the document's own file, whose bytes are mapped already.
  NamedFiles(const std::filesystem::path& path, const SharedBytes& file);

  // The file, where it lies in the document's folder or below (map_file_in). The same bytes for all its names.
  Result<SharedBytes> map(const std::filesystem::path& path);

  // Of all files so far.
  std::uint64_t bytes() const { return bytes_; }

 private:
  SharedBytes add(const std::filesystem::path& path, const SharedBytes& file);

  std::filesystem::path folder_;
  std::map<std::filesystem::path, SharedBytes> files_;  // by where the name leads once links are followed
  std::uint64_t bytes_ = 0;
};

}  // namespace throng::detail::gltf
