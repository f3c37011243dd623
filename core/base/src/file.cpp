// SPDX-License-Identifier: Apache-2.0
#include "throng/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <random>

#include "throng/base/descriptor.h"
#include "throng/base/try.h"

namespace throng {
namespace {

// The size of an open regular file.
Result<std::size_t> regular_file_size(const std::filesystem::path& path, const Descriptor& file) {
  if (!file) return fail("{}: cannot open: {}", path.string(), system_reason());
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return fail("{}: cannot read: {}", path.string(), system_reason());
  if (S_ISDIR(status.st_mode)) return fail("{}: is a folder; name a file", path.string());
  if (!S_ISREG(status.st_mode)) return fail("{}: is not a regular file", path.string());
  return static_cast<std::size_t>(status.st_size);
}

// Makes the rename itself survive a power cut. A file system that cannot sync a folder is not an error.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) ::fsync(directory.get());
}

constexpr int kMostTries = 100;  // for a name that is free; one in a thousand million is taken by chance

// A dot and six letters or digits.
std::string random_ending() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  std::string ending = ".";
  for (int i = 0; i < 6; ++i) ending += kLetters[letter(random)];
  return ending;
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

Result<DraftFile> DraftFile::beside(std::filesystem::path path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    return fail("{}: cannot write: is a folder; name a file", path.string());
  }
  // Not mkostemp(), whose files only their owner can read: what a new file may be is for the process's umask and the
  // folder to say.
  for (int tries = 0; tries < kMostTries; ++tries) {
    std::string name = path.string() + random_ending();
    Descriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file) return DraftFile(std::move(path), std::move(name), file.release());
    if (errno != EEXIST) break;
  }
  return fail("{}: cannot write: {}", path.string(), system_reason());
}

DraftFile::DraftFile(DraftFile&& other) noexcept
    : path_(std::move(other.path_)), name_(std::exchange(other.name_, {})), file_(std::exchange(other.file_, -1)) {}

DraftFile::~DraftFile() {
  if (file_ >= 0) ::close(file_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

Result<void> DraftFile::write(std::span<const std::byte> bytes) {
  if (!write_all(file_, bytes)) return fail("{}: cannot write: {}", path_.string(), system_reason());
  return {};
}

Result<void> DraftFile::keep() {
  // Before the file is in its place: nothing may fail afterwards.
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const bool kept =
      ::fsync(file_) == 0 && ::close(std::exchange(file_, -1)) == 0 && ::rename(name_.c_str(), path_.c_str()) == 0;
  if (!kept) return fail("{}: cannot write: {}", path_.string(), system_reason());
  name_.clear();
  sync_folder(folder);
  return {};
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
