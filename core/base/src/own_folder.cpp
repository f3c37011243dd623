// SPDX-License-Identifier: Apache-2.0
#include "throng/base/own_folder.h"

#include "throng/base/file.h"

namespace throng {
namespace {

namespace fs = std::filesystem;

// The first part of an absolute path that is a link, which then leads nowhere; else empty.
fs::path first_link(const fs::path& path) {
  fs::path part;
  std::error_code none;
  for (const fs::path& name : path) {
    part /= name;
    if (fs::is_symlink(part, none)) return part;
  }
  return {};
}

// Where a path leads once all links are followed, those too that lead to what is not there. Nothing is opened.
fs::path followed(fs::path path, std::error_code& error) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  for (int links = 0; links < kMostLinks; ++links) {
    fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
    const fs::path link = error ? fs::path() : first_link(real);
    if (link.empty()) return real;
    path = link.parent_path() / fs::read_symlink(link, error) / real.lexically_relative(link);
    if (error) return {};
  }
  error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
  return {};
}

}  // namespace

Result<SharedBytes> map_file_in(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path real = followed(path, error);
  if (error) return fail("{}: cannot open: {}", path.string(), error.message());
  const fs::path home = followed(folder.empty() ? fs::path(".") : folder, error);
  const fs::path way = error ? fs::path() : real.lexically_relative(home);
  if (way.empty() || *way.begin() == "..") {
    return fail("{}: a link leads out of the folder {}; put the file itself there", path.string(), folder.string());
  }
  // What is not there is answered with the name that the caller knows.
  return map_file(fs::exists(real, error) ? real : path);
}

}  // namespace throng
