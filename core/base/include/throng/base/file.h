// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files: map, read, replace atomically. This and its neighbours descriptor.h, destination.h, draft_file.h and
// own_folder.h are the only places that talk to the operating system about them.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng {

// Maps a file read-only. The mapping lives as long as any copy of the result. A file that another program cuts short
// while it is mapped faults on access, as with every mapping; writers that replace atomically (as ours do) never cause
// that.
Result<SharedBytes> map_file(const std::filesystem::path& path);

Result<std::string> read_text_file(const std::filesystem::path& path);  // all of a file as text

// Drafts, writes and keeps. On any failure the old file is untouched and the draft is gone.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
Result<void> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace throng
