// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/named_files.h"

#include "throng/base/own_folder.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {

NamedFiles::NamedFiles(const std::filesystem::path& path, const SharedBytes& file) : folder_(path.parent_path()) {
  add(path, file);
}

Result<SharedBytes> NamedFiles::map(const std::filesystem::path& path) {
  THRONG_TRY(const SharedBytes file, map_file_in(folder_, path));
  return add(path, file);
}

SharedBytes NamedFiles::add(const std::filesystem::path& path, const SharedBytes& file) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  const auto [entry, is_new] = files_.try_emplace(error ? path : real, file);
  if (is_new) bytes_ += entry->second.size();
  return entry->second;
}

}  // namespace throng::detail::gltf
