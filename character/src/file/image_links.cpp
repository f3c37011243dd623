// SPDX-License-Identifier: Apache-2.0
#include "file/image_links.h"

#include <charconv>

#include "throng/base/own_folder.h"

namespace throng::detail::character {
namespace {

bool is_kept(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

bool is_link(std::string_view path) {
  // A colon would make a scheme or a drive of what is before it, a backslash a folder on some systems.
  if (path.find_first_of(std::string_view(":\\\0", 3)) != std::string_view::npos) return false;
  while (true) {
    const std::size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    if (is_kept(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

Result<std::string> path_of_uri(std::string_view uri) {
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const std::string_view digits = uri.substr(i + 1, 2);
    unsigned char value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) {
      return fail("'{}' is no URI: percents stand before two hexadecimal digits", uri);
    }
    path += static_cast<char>(value);
    i += 2;
  }
  if (!is_link(path)) return fail("'{}' does not lead to a file in the asset's folder", uri);
  return path;
}

Result<void> load_links(CharacterDraft& model, const std::filesystem::path& folder) {
  for (ImageSource& image : model.images) {
    if (image.uri.empty()) continue;
    image.file = folder / image.uri;
    auto bytes = map_file_in(folder, image.file);
    if (!bytes) return fail(with_context("a picture it links to is not there", std::move(bytes).error()));
    image.bytes = *std::move(bytes);
  }
  return {};
}

}  // namespace throng::detail::character
