// SPDX-License-Identifier: Apache-2.0
#include "throng/base/destination.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <charconv>

#include "throng/base/descriptor.h"
#include "throng/base/try.h"

namespace throng {
namespace {

constexpr int kMostLinks = 40;  // as Linux counts

// "/dev/stdout" → 1. Such names are links that lead to whatever file the descriptor has open; to replace that file is
// not what is meant.
std::optional<int> own_descriptor(const std::string& name) {
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + folder.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

// The path with its last part followed for as long as that is a link, also to what is not there yet.
Result<std::filesystem::path> followed(std::filesystem::path path) {
  for (int links = 0; links < kMostLinks; ++links) {
    // Other processes' descriptors are no links that could be followed by their text.
    if (own_descriptor(path.native()) || path.native().starts_with("/proc/")) return path;
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error)) return path;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) return fail("{}", error.message());
    path = path.parent_path() / target;
  }
  return fail("its links lead in circles");
}

Result<void> check_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT) return fail("the folder {} does not exist", folder.string());
    return fail("the folder {}: {}", folder.string(), system_reason());
  }
  if (!S_ISDIR(status.st_mode)) return fail("{} is not a folder", folder.string());
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return {};
  return fail("the folder {} may not be written in: {}", folder.string(), system_reason());
}

Result<Destination> looked_up(const std::filesystem::path& path) {
  if (path.empty()) return fail("it has no name");
  THRONG_TRY(std::filesystem::path file, followed(path));
  if (const auto descriptor = own_descriptor(file.native())) {
    if (::fcntl(*descriptor, F_GETFD) < 0) return fail("it is closed");
    return Destination{std::move(file), false, true, descriptor};
  }
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return fail("{}", system_reason());
    if (!file.has_filename()) return fail("it is a folder; name a file");
    THRONG_CHECK(check_folder(file));
    return Destination{std::move(file)};
  }
  if (S_ISDIR(status.st_mode)) return fail("it is a folder; name a file");
  if (S_ISSOCK(status.st_mode)) return fail("it is a socket; name a file");
  if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0)
    return fail("{}", errno == EACCES ? "it is write-protected" : system_reason());
  if (!S_ISREG(status.st_mode)) return Destination{std::move(file), false, true};
  THRONG_CHECK(check_folder(file));
  return Destination{std::move(file), true};
}

}  // namespace

Result<Destination> find_destination(const std::filesystem::path& path) {
  return looked_up(path).map_error(
      [&path](Error error) { return with_context(path.string() + ": cannot write", std::move(error)); });
}

}  // namespace throng
