// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the end of a typed path could become.

#include <cstdint>
#include <string>
#include <vector>

namespace throng::studio {

struct Completion {
  std::string path;  // the whole text, completed
  std::string name;  // its last part
  bool folder = false;
  std::uintmax_t bytes = 0;  // of a file
};

// Folders first, then files that can be models, by name, of the folder that `typed` lies in, where the name begins with
// the rest of it (case does not matter; hidden names only when the dot is typed). A leading ~ is the home folder.
// Touches the disk.
std::vector<Completion> complete_path(const std::string& typed);

// Folders first, then files that can be models or assets, by name, of a folder whose path ends in '/'. Hidden names are
// left out. Touches the disk.
std::vector<Completion> list_folder(const std::string& folder);

// The path with a leading ~ written out.
std::string with_home(const std::string& typed);

}  // namespace throng::studio
