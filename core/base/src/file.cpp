// SPDX-License-Identifier: Apache-2.0
#include "throng/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "throng/base/descriptor.h"
#include "throng/base/draft_file.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng {
namespace {

// Why a file that is not there is not: its folder is not, it is a link to one that is not, or its name is spelled like
// another's.
Error missing(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return {"'': names no file"};
  constexpr std::size_t kMostLookedAt = 4096;
  const std::string reason = system_reason();
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code none;
  if (!fs::exists(folder, none))
    return {fmt::format("{}: cannot open: the folder {} does not exist", path.string(), folder.string())};
  if (fs::is_symlink(path, none)) {
    const fs::path target = fs::read_symlink(path, none);
    return {fmt::format("{}: cannot open: it is a link to {}, which does not exist", path.string(), target.string())};
  }
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, none), end; entry != end && !none; entry.increment(none)) {
    if (names.size() == kMostLookedAt) break;
    if (std::string name = entry->path().filename().string(); !name.starts_with('.')) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  const bool is_near = !near_matches(path.filename().string(), names).empty();
  return {fmt::format("{}: cannot open: {}{}", path.string(), reason,
                      is_near ? "; " + did_you_mean(path.filename().string(), names) : "")};
}

// The size of an open regular file.
Result<std::size_t> regular_file_size(const std::filesystem::path& path, const Descriptor& file) {
  if (!file) {
    if (errno == ENOENT) return fail(missing(path));
    return fail("{}: cannot open: {}", path.string(), system_reason());
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return fail("{}: cannot read: {}", path.string(), system_reason());
  if (S_ISDIR(status.st_mode)) return fail("{}: is a folder; name a file", path.string());
  if (!S_ISREG(status.st_mode))
    return fail("{}: is not a regular file; copy what comes out of it to one", path.string());
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

Result<SharedBytes> map_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  THRONG_TRY(const std::size_t length, regular_file_size(path, file));
  if (length == 0) return SharedBytes{};
  void* const address = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return fail("{}: cannot map: {}", path.string(), system_reason());
  std::shared_ptr<const void> owner(address, [length](void* mapped) { ::munmap(mapped, length); });
  return SharedBytes(std::move(owner), {static_cast<const std::byte*>(address), length});
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  THRONG_TRY(const SharedBytes bytes, map_file(path));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  THRONG_TRY(DraftFile draft, DraftFile::beside(path));
  THRONG_CHECK(draft.write(bytes));
  return draft.keep();
}

Result<void> write_file(const std::filesystem::path& path, std::string_view text) {
  return write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace throng
