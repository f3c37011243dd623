// SPDX-License-Identifier: Apache-2.0
#include "core/script.h"

namespace throng::studio {
namespace {

constexpr std::string_view kSpaces = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

// Cuts off what comes before `separator`, or all there is.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

std::pair<std::string, std::string> split_first(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(kSpaces), text.size());
  return {std::string(text.substr(0, end)), std::string(trimmed(text.substr(end)))};
}

std::vector<ScriptCommand> parse_script(std::string_view text) {
  std::vector<ScriptCommand> commands;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view content = trimmed(take_until(text, '\n'));
    if (content.empty() || content.starts_with('#')) continue;
    auto [word, rest] = split_first(content);
    commands.push_back({line, std::move(word), std::move(rest)});
  }
  return commands;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::string_view part = trimmed(take_until(text, '|'));
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace throng::studio
