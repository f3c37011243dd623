// SPDX-License-Identifier: Apache-2.0
#include "core/files/recent_files.h"

#include <algorithm>
#include <cstdlib>

#include "files.h"
#include "throng/base/file.h"

namespace throng::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRemembered = 10;

}  // namespace

fs::path recent_files_path() {
  const char* state = std::getenv("XDG_STATE_HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const char* home = std::getenv("HOME");             // NOLINT(concurrency-mt-unsafe): nobody sets it
  fs::path folder;
  if (state != nullptr && *state == '/') {
    folder = state;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".local" / "state";
  } else {
    return {};
  }
  return folder / "throng" / "recent-models.txt";
}

std::vector<std::string> read_recent_files(const fs::path& list) {
  std::vector<std::string> files;
  const auto text = list.empty() ? Result<std::string>(std::string()) : read_text_file(list);
  if (!text) return files;
  for (std::size_t begin = 0; begin < text->size() && files.size() < kMostRemembered;) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    if (end > begin) files.push_back(text->substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

void remember_file(const fs::path& list, const std::string& file) {
  if (list.empty() || file.empty() || file.find('\n') != std::string::npos) return;
  std::error_code failed;
  const std::string path = file == kMannequin ? file : fs::absolute(file, failed).lexically_normal().string();
  if (failed) return;
  std::vector<std::string> files = read_recent_files(list);
  std::erase(files, path);
  files.insert(files.begin(), path);
  if (files.size() > kMostRemembered) files.resize(kMostRemembered);
  std::string text;
  for (const std::string& one : files) text += one + "\n";
  fs::create_directories(list.parent_path(), failed);
  static_cast<void>(write_file(list, text));
}

}  // namespace throng::studio
