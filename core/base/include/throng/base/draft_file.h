// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file in the making: it has a name of its own beside the file it will be until it is kept, and is gone when it is
// not. A draft that a killed program left behind is taken away by the next one that writes the same file; one that a
// living program is still at is left alone.

#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "throng/base/destination.h"
#include "throng/base/result.h"

namespace throng {

class DraftFile {
 public:
  // What find_destination() refuses is refused. Links are followed; what is no file but a device or a FIFO is opened,
  // and gets what is written at once.
  static Result<DraftFile> beside(const std::filesystem::path& path);
  DraftFile(DraftFile&& other) noexcept;
  DraftFile& operator=(DraftFile&&) = delete;
  ~DraftFile();

  // For programs that write the file themselves; empty for a device or a FIFO.
  const std::string& name() const { return name_; }
  // Puts the bytes behind those written before.
  Result<void> write(std::span<const std::byte> bytes);

  // Syncs the draft and puts it in the place of the file, atomically. Once.
  Result<void> keep();

 private:
  DraftFile(std::filesystem::path path, Destination destination, std::string name, int file)
      : path_(std::move(path)), destination_(std::move(destination)), name_(std::move(name)), file_(file) {}

  std::filesystem::path path_;  // as it was asked for
  Destination destination_;
  std::string name_;  // empty: kept, moved from, or a stream
  int file_;
};

// For a program that was told to end: takes away every draft that this process has in the making, having called
// `before`, which may end other programs that write to one. From before that and for as long as the lock is held, none
// is made, kept or taken away by anybody else.
[[nodiscard]] std::unique_lock<std::mutex> abandon_drafts(const std::function<void()>& before = {});

}  // namespace throng
