#include "throng/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdlib>

#include "throng/base/descriptor.h"

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

}  // namespace

Result<SharedBytes> map_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  auto size = regular_file_size(path, file);
  if (!size) return fail(std::move(size));
  if (*size == 0) return SharedBytes{};
  void* const address = ::mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return fail("{}: cannot map: {}", path.string(), system_reason());
  const std::size_t length = *size;
  std::shared_ptr<const void> owner(address, [length](void* mapped) { ::munmap(mapped, length); });
  return SharedBytes(std::move(owner), {static_cast<const std::byte*>(address), length});
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  auto bytes = map_file(path);
  if (!bytes) return fail(std::move(bytes));
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<DraftFile> DraftFile::beside(std::filesystem::path path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    return fail("{}: cannot write: is a folder; name a file", path.string());
  }
  std::string name = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file) return fail("{}: cannot write: {}", path.string(), system_reason());
  DraftFile draft(std::move(path), std::move(name), file.release());
  // mkostemp makes files only their owner can read; give this one what a plain open would have given.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(draft.file_, 0666 & ~mask) != 0)
    return fail("{}: cannot write: {}", draft.path_.string(), system_reason());
  return draft;
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
  const bool kept =
      ::fsync(file_) == 0 && ::close(std::exchange(file_, -1)) == 0 && ::rename(name_.c_str(), path_.c_str()) == 0;
  if (!kept) return fail("{}: cannot write: {}", path_.string(), system_reason());
  name_.clear();
  sync_folder(path_.has_parent_path() ? path_.parent_path() : ".");
  return {};
}

Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  auto draft = DraftFile::beside(path);
  if (!draft) return fail(std::move(draft));
  if (auto written = draft->write(bytes); !written) return written;
  return draft->keep();
}

Result<void> write_file(const std::filesystem::path& path, std::string_view text) {
  return write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace throng
