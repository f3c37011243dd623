// SPDX-License-Identifier: Apache-2.0
#include "usage.h"

#include <algorithm>
#include <sstream>

#include "throng/base/text.h"

namespace {

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> pieces;
  std::istringstream stream(text);
  for (std::string piece; std::getline(stream, piece, between);) pieces.push_back(piece);
  return pieces;
}

// "crowd|close": words in lower case or digits with a bar between them.
std::vector<std::string> choices_in(const std::string& value) {
  if (value.find('|') == std::string::npos || value != throng::lower(value)) return {};
  return split(value, '|');
}

std::string value_name(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string& given = option.get_option_text();
  if (!given.empty()) return given;
  // As CLI11 names types; a list of words is in braces behind.
  const std::string type = option.get_type_name();
  const std::size_t list = type.find('{');
  if (list != std::string::npos && type.ends_with('}')) {
    std::string words = type.substr(list + 1, type.size() - list - 2);
    std::replace(words.begin(), words.end(), ',', '|');
    return words;
  }
  return type.starts_with("FLOAT") || type.starts_with("UINT") || type.starts_with("INT") ? "NUMBER" : "TEXT";
}

OptionUsage option_usage(const CLI::Option& option) {
  OptionUsage usage;
  for (const std::string& name : option.get_snames()) usage.short_name = name;
  for (const std::string& name : option.get_lnames()) {
    (usage.long_name.empty() ? usage.long_name : usage.off_name) = name;
  }
  usage.value = value_name(option);
  usage.choices = choices_in(usage.value);
  usage.group = option.get_group();
  usage.repeatable = !usage.value.empty() && option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  usage.help = option.get_description();
  const std::string value = option.get_default_str();
  if (!usage.value.empty() && !value.empty() && usage.help.find("default") == std::string::npos)
    usage.help += " (default: " + value + ")";
  if (usage.repeatable && usage.help.find("repeatable") == std::string::npos) usage.help += "; repeatable";
  return usage;
}

// "Examples:", then one a line, two spaces in, with what it does after two more; then paragraphs, each on one line.
void read_footer(const std::string& footer, CommandUsage& usage) {
  for (const std::string& line : split(footer, '\n')) {
    if (line.empty() || line == "Examples:") continue;
    if (!line.starts_with("  throng ")) {
      usage.paragraphs.push_back(line);
      continue;
    }
    const std::size_t end = line.find("  ", 2);
    Example example{line.substr(2, end == std::string::npos ? end : end - 2), ""};
    if (end != std::string::npos) example.what = line.substr(line.find_first_not_of(' ', end));
    usage.examples.push_back(std::move(example));
  }
}

CommandUsage command_usage(const CLI::App& app) {
  CommandUsage usage;
  usage.summary = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      const bool several = option->get_expected_max() >= CLI::detail::expected_max_vector_size;
      usage.positionals.push_back({option->get_name(true), option->get_description(), option->get_required(), several});
    } else {
      usage.options.push_back(option_usage(*option));
    }
  }
  read_footer(app.get_footer(), usage);
  return usage;
}

}  // namespace

ProgramUsage usage_of(const CLI::App& app) {
  ProgramUsage usage{command_usage(app), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    usage.commands.push_back(command_usage(*command));
    usage.commands.back().name = command->get_name();
  }
  return usage;
}

bool takes_file(const std::string& value_name) { return value_name == "FILE"; }
