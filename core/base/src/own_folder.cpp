// SPDX-License-Identifier: Apache-2.0
#include "throng/base/own_folder.h"

#include "throng/base/file.h"

namespace throng {

Result<SharedBytes> map_file_in(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  if (error) return map_file(path);  // which says why it cannot be opened
  const auto home = std::filesystem::canonical(folder.empty() ? std::filesystem::path(".") : folder, error);
  const auto way = error ? std::filesystem::path() : real.lexically_relative(home);
  if (way.empty() || *way.begin() == "..") {
    return fail("{}: a link leads out of the folder {}; put the file itself there", path.string(), folder.string());
  }
  return map_file(real);
}

}  // namespace throng
