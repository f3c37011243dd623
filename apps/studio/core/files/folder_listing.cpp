// SPDX-License-Identifier: Apache-2.0
#include "core/files/folder_listing.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "files.h"
#include "throng/base/text.h"
#include "throng/import/import.h"

namespace throng::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostShown = 200;

bool fits(const std::string& name, const std::string& begin) {
  if (name.starts_with('.') && !begin.starts_with('.')) return false;
  return lower(name).starts_with(lower(begin));
}

// The part of the text up to and with its last slash.
std::string folder_part(const std::string& typed) {
  const std::size_t slash = typed.rfind('/');
  return slash == std::string::npos ? "" : typed.substr(0, slash + 1);
}

std::vector<Completion> list(const std::string& folder, const std::string& begin) {
  std::vector<Completion> found;
  std::error_code error;
  fs::directory_iterator entry(folder.empty() ? "." : with_home(folder), fs::directory_options::skip_permission_denied,
                               error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unreadable;
    const bool is_folder = entry->is_directory(unreadable);
    if (!fits(name, begin) || !(is_folder || has_model_ending(entry->path()))) continue;
    const std::uintmax_t bytes = is_folder ? 0 : entry->file_size(unreadable);
    found.push_back({folder + name + (is_folder ? "/" : ""), name, is_folder, unreadable ? 0 : bytes});
  }
  std::ranges::sort(found, [](const Completion& a, const Completion& b) {
    if (a.folder != b.folder) return a.folder;
    return lower(a.name) < lower(b.name);
  });
  return found;
}

}  // namespace

std::string with_home(const std::string& typed) {
  const bool at_home = typed == "~" || typed.starts_with("~/");
  const char* home = at_home ? std::getenv("HOME") : nullptr;  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return home == nullptr ? typed : home + typed.substr(1);
}

std::vector<Completion> list_folder(const std::string& folder) { return list(folder, ""); }

std::vector<Completion> complete_path(const std::string& typed) {
  const std::string folder = folder_part(typed);
  const std::string begin = typed.substr(folder.size());
  std::vector<Completion> found = list(folder, begin);
  const std::string mannequin = kMannequin;
  if (mannequin.starts_with(typed)) found.insert(found.begin(), {mannequin, mannequin, false, 0});
  if (found.size() > kMostShown) found.resize(kMostShown);
  return found;
}

}  // namespace throng::studio
