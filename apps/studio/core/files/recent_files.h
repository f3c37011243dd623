// SPDX-License-Identifier: Apache-2.0
#pragma once
// The models that were opened last, kept from one run to the next in the user's state folder.

#include <filesystem>
#include <string>
#include <vector>

namespace throng::studio {

// $XDG_STATE_HOME/throng/recent-models.txt, or the same in ~/.local/state; empty where neither is set.
std::filesystem::path recent_files_path();

// Newest first. A list that cannot be read is an empty one.
std::vector<std::string> read_recent_files(const std::filesystem::path& list);

// Puts a file first, by its absolute path; what is past the tenth goes. A list that cannot be written is left alone:
// nobody's work depends on it.
void remember_file(const std::filesystem::path& list, const std::string& file);

}  // namespace throng::studio
