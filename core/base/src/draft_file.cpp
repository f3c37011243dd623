// SPDX-License-Identifier: Apache-2.0
#include "throng/base/draft_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <set>

#include "throng/base/descriptor.h"
#include "throng/base/try.h"

namespace throng {
namespace {

constexpr int kMostDrafts = 100;           // of one file, by programs that all write it at the same time
constexpr std::size_t kLongestStem = 200;  // bytes of the file's name in its draft's: 255 are possible in all

// The drafts that this process has in the making. It outlives every thread that may have one.
struct Making {
  std::mutex mutex;
  std::set<std::string> names;
};

Making& making() {
  static Making* const drafts = new Making;
  return *drafts;
}

// Names are counted rather than random, so that whoever writes the file next finds those that were left behind.
std::string draft_name(const std::filesystem::path& file, int number) {
  const std::string stem = file.filename().string().substr(0, kLongestStem);
  const std::string ending = number == 1 ? "" : fmt::format("-{}", number);
  return (file.parent_path() / fmt::format("{}.throng-draft{}", stem, ending)).string();
}

bool is_same_file(const Descriptor& file, const std::string& name) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.get(), &opened) == 0 && ::lstat(name.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// Whoever makes a draft holds a lock on it for as long as it lives; the system lets go of it when the process ends, in
// whatever way. So a draft that can be locked is nobody's. False: it is somebody's, or of a file system without locks.
bool swept(const std::string& name) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return false;
  return is_same_file(file, name) && ::unlink(name.c_str()) == 0;
}

// A new draft, locked; or why not: EEXIST where the name is taken. It goes with this unless it is taken over.
struct Draft {
  std::string name;
  Descriptor file;
  int reason = 0;

  Draft(std::string named, Descriptor opened, int why = 0)
      : name(std::move(named)), file(std::move(opened)), reason(why) {}
  Draft(Draft&&) = default;
  Draft& operator=(Draft&&) = default;
  ~Draft() {
    if (file) ::unlink(name.c_str());
  }
};

Draft make_draft(std::string name) {
  // Not mkostemp(), whose files only their owner can read: what a new file may be is for the process's umask and the
  // folder to say.
  Descriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file) return {std::move(name), Descriptor(), errno};
  // Somebody who sweeps may have been there between the two calls.
  const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (!locked || !is_same_file(file, name)) return {std::move(name), Descriptor(), EEXIST};
  return {std::move(name), std::move(file)};
}

Result<Draft> make_first_free(const std::filesystem::path& file) {
  for (int number = 1; number <= kMostDrafts; ++number) {
    Draft draft = make_draft(draft_name(file, number));
    if (draft.reason == EEXIST && swept(draft.name)) draft = make_draft(draft.name);
    if (draft.reason == EEXIST) continue;
    if (!draft.file) return fail("{}", system_reason(draft.reason));
    // One that was made beside others, which have gone since.
    for (int later = number + 1; later <= number + 2; ++later) static_cast<void>(swept(draft_name(file, later)));
    return draft;
  }
  return fail("{} programs are writing it already", kMostDrafts);
}

tl::unexpected<Error> cannot_write(const std::filesystem::path& path, const std::string& reason) {
  return fail("{}: cannot write: {}", path.string(), reason);
}

// What may be done with the file that is replaced may be done with the one in its place.
void take_permissions(const std::filesystem::path& from, int to) {
  struct stat status {};
  if (::stat(from.c_str(), &status) == 0) static_cast<void>(::fchmod(to, status.st_mode & 0777));
}

// Makes the rename itself survive a power cut. A file system that cannot sync a folder is not an error.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) ::fsync(directory.get());
}

}  // namespace

Result<DraftFile> DraftFile::beside(const std::filesystem::path& path) {
  THRONG_TRY(Destination to, find_destination(path));
  if (to.is_stream) {
    const int stream = to.descriptor ? ::fcntl(*to.descriptor, F_DUPFD_CLOEXEC, 0)
                                     : ::open(to.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (stream < 0) return cannot_write(path, system_reason());
    return DraftFile(path, std::move(to), {}, stream);
  }
  const std::lock_guard lock(making().mutex);
  auto draft = make_first_free(to.path);
  if (!draft) return cannot_write(path, draft.error().message);
  DraftFile made(path, std::move(to), {}, -1);
  making().names.insert(draft->name);
  if (made.destination_.exists) take_permissions(made.destination_.path, draft->file.get());
  made.name_ = std::move(draft->name);
  made.file_ = draft->file.release();
  return made;
}

DraftFile::DraftFile(DraftFile&& other) noexcept
    : path_(std::move(other.path_)),
      destination_(std::move(other.destination_)),
      name_(std::exchange(other.name_, {})),
      file_(std::exchange(other.file_, -1)) {}

DraftFile::~DraftFile() {
  if (!name_.empty()) {
    const std::lock_guard lock(making().mutex);
    ::unlink(name_.c_str());
    making().names.erase(name_);
  }
  if (file_ >= 0) ::close(file_);
}

Result<void> DraftFile::write(std::span<const std::byte> bytes) {
  if (!write_all(file_, bytes)) return cannot_write(path_, system_reason());
  return {};
}

Result<void> DraftFile::keep() {
  if (destination_.is_stream) {
    if (::close(std::exchange(file_, -1)) != 0) return cannot_write(path_, system_reason());
    return {};
  }
  if (::fsync(file_) != 0) return cannot_write(path_, system_reason());
  const std::filesystem::path folder = destination_.path.parent_path();  // now: once it is renamed, nothing may fail
  {
    // Closed, and so unlocked, only once it has its own name.
    const std::lock_guard lock(making().mutex);
    if (::rename(name_.c_str(), destination_.path.c_str()) != 0) return cannot_write(path_, system_reason());
    making().names.erase(name_);
    name_.clear();
  }
  ::close(std::exchange(file_, -1));
  sync_folder(folder);
  return {};
}

std::unique_lock<std::mutex> abandon_drafts(const std::function<void()>& before) {
  std::unique_lock lock(making().mutex);
  if (before) before();
  for (const std::string& name : making().names) ::unlink(name.c_str());
  making().names.clear();
  return lock;
}

}  // namespace throng
