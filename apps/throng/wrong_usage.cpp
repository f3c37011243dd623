// SPDX-License-Identifier: Apache-2.0
#include "wrong_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "throng/base/text.h"

namespace {

// The command that was named, as far as one was.
const CLI::App* command_in(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? nullptr : parsed.front();
}

// Its long names, or its short ones.
std::vector<std::string> names_of(const CommandUsage& command, bool is_long) {
  std::vector<std::string> names;
  for (const OptionUsage& option : command.options) {
    for (const std::string& name : {option.long_name, option.off_name}) {
      if (is_long && !name.empty()) names.push_back("--" + name);
    }
    if (!is_long && !option.short_name.empty()) names.push_back('-' + option.short_name);
  }
  return names;
}

// "--fsp=60" → "--fsp"
std::string without_value(const std::string& word) { return word.substr(0, word.find('=')); }

std::string asked(const std::vector<std::string>& near) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == near.size() ? " or " : ", ", near[i]);
  return text + '?';
}

std::string unknown_option(const ProgramUsage& usage, const CommandUsage& command, const std::string& word) {
  const std::string name = without_value(word);
  const bool is_long = name.starts_with("--");
  const std::string who = command.name.empty() ? "throng" : command.name;
  const std::string help = command.name.empty() ? "throng --help" : "throng help " + command.name;
  // "-fps" is a long name with a dash too few.
  const bool one_dash = !is_long && name.size() > 2;
  const auto near = throng::near_matches(one_dash ? '-' + name : name, names_of(command, is_long || one_dash));
  if (!near.empty()) return fmt::format("{} has no option {}; {}", who, name, asked(near));
  for (const CommandUsage& other : usage.commands) {
    const auto names = names_of(other, is_long);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return fmt::format("{} has no option {}; {} has it", who, name, other.name);
  }
  return fmt::format("{} has no option {}; `{}` lists those it has", who, name, help);
}

std::string one_too_many(const CommandUsage& command, const std::string& word) {
  std::string takes;
  for (const PositionalUsage& positional : command.positionals)
    takes += fmt::format("{}{}", takes.empty() ? "" : " and ", positional.name);
  if (takes.empty()) return fmt::format("{} does not know what to do with '{}'", command.name, word);
  return fmt::format("'{}' is one word too many: {} takes one {}, and options one value each (repeat them for more)",
                     word, command.name, takes);
}

// Its text, made plain.
std::string understood(const CommandUsage& command, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string what = text.substr(0, text.find(" is required"));
    for (const PositionalUsage& positional : command.positionals) {
      if (positional.name == what) return fmt::format("{} needs {}: {}", command.name, what, positional.help);
    }
    return fmt::format("{} needs {}", command.name, what);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    // CLI11 says "json was given a disallowed flag override".
    if (const std::size_t end = text.find(" was given a disallowed"); end != std::string::npos)
      return fmt::format("{}{} takes no value", end == 1 ? "-" : "--", text.substr(0, end));
    for (const OptionUsage& option : command.options) {
      const std::string long_name = "--" + option.long_name;
      // CLI11 says "--fps: At Most 1 required but received 2" and the like.
      if (!text.starts_with(long_name + ':')) continue;
      if (text.find("At Most") != std::string::npos) return fmt::format("{} is given more than once", long_name);
      return fmt::format("{} needs a value: {}", long_name, option.value);
    }
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const std::size_t middle = text.find(" excludes ");
    if (middle != std::string::npos)
      return fmt::format("{} and {} cannot be given together", text.substr(0, middle), text.substr(middle + 10));
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const std::size_t middle = text.find(" requires ");
    if (middle != std::string::npos)
      return fmt::format("{} needs {} beside it", text.substr(0, middle), text.substr(middle + 10));
  }
  return text;
}

}  // namespace

std::optional<std::string> missing_value(const CLI::App& app) {
  const CLI::App* const parsed = command_in(app);
  if (parsed == nullptr) return {};
  for (const CommandUsage& command : usage_of(app).commands) {
    if (command.name != parsed->get_name()) continue;
    const std::vector<std::string> names = names_of(command, true);
    for (const OptionUsage& option : command.options) {
      if (option.value.empty()) continue;
      const std::string name = "--" + option.long_name;
      for (const std::string& value : parsed->get_option(name)->results()) {
        if (std::find(names.begin(), names.end(), without_value(value)) != names.end())
          return fmt::format("{} needs a value before {}: {}", name, without_value(value), option.value);
      }
    }
  }
  return {};
}

void refuse_values_of_flags(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_values_of_flags(*command);
}

std::string unknown_command(const ProgramUsage& usage, const std::string& word) {
  std::vector<std::string> names;
  for (const CommandUsage& command : usage.commands) names.push_back(command.name);
  const auto near = throng::near_matches(word, names);
  const std::string what = word.find_first_not_of(' ') == std::string::npos ? '\'' + word + '\'' : word;
  for (const OptionUsage& option : usage.program.options)
    if (option.long_name == word) return fmt::format("there is no command {}; did you mean --{}?", what, word);
  if (!near.empty()) return fmt::format("there is no command {}; {}", what, asked(near));
  return fmt::format("there is no command {}; there are {}", what, fmt::join(names, ", "));
}

std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (const auto missing = missing_value(app)) return *missing;
  const ProgramUsage usage = usage_of(app);
  const CLI::App* const parsed = command_in(app);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const std::vector<std::string> unknown = (parsed == nullptr ? app : *parsed).remaining();
  CommandUsage command = usage.program;
  for (const CommandUsage& one : usage.commands) {
    if (parsed != nullptr && one.name == parsed->get_name()) command = one;
  }
  // A word that is unknown shifts those after it: whatever else is wrong may be only that.
  const auto option = std::find_if(unknown.begin(), unknown.end(), is_option);
  if (option != unknown.end()) return unknown_option(usage, command, *option);
  if (parsed == nullptr && !unknown.empty()) return unknown_command(usage, unknown.front());
  if (parsed == nullptr) return "name a command; `throng help` lists them";
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (extras && !unknown.empty()) return one_too_many(command, unknown.front());
  return understood(command, error);
}
