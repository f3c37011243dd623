// SPDX-License-Identifier: Apache-2.0
#pragma once
// The only place that talks to the operating system about files: map, read, replace atomically.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng {

// Maps a file read-only. The mapping lives as long as any copy of the result. A file that another program cuts short
// while it is mapped faults on access, as with every mapping; writers that replace atomically (as ours do) never cause
// that.
Result<SharedBytes> map_file(const std::filesystem::path& path);

Result<std::string> read_text_file(const std::filesystem::path& path);

// A file in the making: it has a name of its own beside `path` until it is kept, and is gone when it is not.
class DraftFile {
 public:
  static Result<DraftFile> beside(std::filesystem::path path);
  DraftFile(DraftFile&& other) noexcept;
  DraftFile& operator=(DraftFile&&) = delete;
  ~DraftFile();

  // For programs that write the file themselves.
  const std::string& name() const { return name_; }
  // Puts the bytes behind those written before.
  Result<void> write(std::span<const std::byte> bytes);

  // Syncs the draft and puts it in the place of `path`, atomically. Once.
  Result<void> keep();

 private:
  DraftFile(std::filesystem::path path, std::string name, int file)
      : path_(std::move(path)), name_(std::move(name)), file_(file) {}

  std::filesystem::path path_;
  std::string name_;  // empty: kept, or moved from
  int file_;
};

// Drafts, writes and keeps. On any failure the old file is untouched and the draft is gone.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
Result<void> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace throng
