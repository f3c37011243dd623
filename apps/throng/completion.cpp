// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <fmt/format.h>

#include <algorithm>

namespace {

constexpr const char* kMannequin = "builtin:mannequin";

// "-o --output", "--near --no-near"
std::vector<std::string> words_of(const OptionUsage& option) {
  std::vector<std::string> words;
  if (!option.short_name.empty()) words.push_back('-' + option.short_name);
  for (const std::string& name : {option.long_name, option.off_name}) {
    if (!name.empty()) words.push_back("--" + name);
  }
  return words;
}

std::vector<std::string> command_names(const ProgramUsage& usage) {
  std::vector<std::string> names;
  for (const CommandUsage& command : usage.commands) names.push_back(command.name);
  return names;
}

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

// Within single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

// What a value of an option may be: `case` patterns of bash, "bake,-o|bake,--output".
std::string bash_pattern(const CommandUsage& command, const OptionUsage& option) {
  std::vector<std::string> patterns;
  for (const std::string& word : words_of(option)) patterns.push_back(command.name + ',' + word);
  return joined(patterns, "|");
}

std::string bash_values(const CommandUsage& command) {
  std::string text;
  for (const OptionUsage& option : command.options) {
    if (option.value.empty()) continue;
    const std::string pattern = bash_pattern(command, option);
    if (!option.choices.empty()) {
      text += fmt::format("    {}) _throng_words '{}'; return ;;\n", pattern, joined(option.choices));
    } else if (takes_file(option.value)) {
      text += fmt::format("    {}) _throng_files; return ;;\n", pattern);
    } else {
      text += fmt::format("    {}) return ;;\n", pattern);
    }
  }
  return text;
}

std::vector<std::string> option_words(const CommandUsage& command) {
  std::vector<std::string> words;
  for (const OptionUsage& option : command.options) {
    for (std::string& word : words_of(option)) words.push_back(std::move(word));
  }
  return words;
}

bool is_help(const CommandUsage& command) { return command.name == "help"; }

// A text of zsh's _arguments: within brackets, and before a colon.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const OptionUsage& option) {
  if (option.value.empty()) return "";
  if (!option.choices.empty()) return fmt::format(":{}:({})", option.long_name, joined(option.choices));
  if (takes_file(option.value)) return fmt::format(":{}:_files", zsh_text(option.value));
  return fmt::format(":{}: ", zsh_text(option.value));
}

std::string zsh_options(const CommandUsage& command) {
  std::string text;
  for (const OptionUsage& option : command.options) {
    for (const std::string& word : words_of(option)) {
      const std::string spec =
          fmt::format("{}{}[{}]{}", option.repeatable ? "*" : "", word, zsh_text(option.help), zsh_value(option));
      text += fmt::format("      {} \\\n", quoted(spec));
    }
  }
  return text;
}

std::string fish_line(const std::string& condition, const OptionUsage& option) {
  std::string line = fmt::format("complete -c throng -n {}", quoted(condition));
  if (!option.short_name.empty()) line += " -s " + option.short_name;
  if (!option.long_name.empty()) line += " -l " + option.long_name;
  if (!option.choices.empty()) {
    line += " -x -a " + quoted(joined(option.choices));
  } else if (takes_file(option.value)) {
    line += " -r -F";
  } else if (!option.value.empty()) {
    line += " -x";
  }
  return line + " -d " + quoted(option.help) + '\n';
}

}  // namespace

std::string bash_completion(const ProgramUsage& usage) {
  std::string values;
  std::string options;
  for (const CommandUsage& command : usage.commands) {
    values += bash_values(command);
    options += fmt::format("    {}) options='{}' ;;\n", command.name, joined(option_words(command)));
  }
  return fmt::format(R"(# Completion of throng for bash, made by `throng --generate bash`.

_throng_words() {{
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}}

_throng_files() {{
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}}

_throng() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command='' options='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
      {commands})
        command=${{COMP_WORDS[i]}}
        break
        ;;
    esac
  done
  case $command,$previous in
{values}  esac
  case $command in
    '') options='{program}' ;;
{options}  esac
  if [[ $current == -* ]]; then
    _throng_words "$options"
  elif [[ -z $command || $command == help ]]; then
    _throng_words '{names}'
  else
    _throng_files
    [[ -n $current && {mannequin} == "$current"* ]] && COMPREPLY+=({mannequin})
    return 0
  fi
}}

complete -F _throng throng
)",
                     fmt::arg("commands", joined(command_names(usage), " | ")), fmt::arg("values", values),
                     fmt::arg("program", joined(option_words(usage.program))), fmt::arg("options", options),
                     fmt::arg("names", joined(command_names(usage))), fmt::arg("mannequin", kMannequin));
}

std::string zsh_completion(const ProgramUsage& usage) {
  std::string commands;
  std::string cases;
  for (const CommandUsage& command : usage.commands) {
    commands += fmt::format("    {}\n", quoted(command.name + ':' + zsh_text(command.summary)));
    const std::string rest = is_help(command) ? fmt::format("'1:command:({})'", joined(command_names(usage)))
                                              : std::string("'*:file:_files'");
    cases += fmt::format("    {})\n      _arguments -s -S \\\n{}      {}\n      ;;\n", command.name,
                         zsh_options(command), rest);
  }
  return fmt::format(R"(#compdef throng
# Completion of throng for zsh, made by `throng --generate zsh`.

_throng() {{
  local context state line
  local -a commands
  commands=(
{commands}  )
  _arguments -s -S -C \
{program}      '1: :->command' \
      '*:: :->rest' && return 0
  case $state in
    command)
      _describe -t commands 'command' commands
      return
      ;;
  esac
  case $line[1] in
{cases}  esac
}}

_throng "$@"
)",
                     fmt::arg("commands", commands), fmt::arg("program", zsh_options(usage.program)),
                     fmt::arg("cases", cases));
}

std::string fish_completion(const ProgramUsage& usage) {
  std::string text = "# Completion of throng for fish, made by `throng --generate fish`.\n\n";
  const std::string no_command = "not __fish_seen_subcommand_from " + joined(command_names(usage));
  text += fmt::format("complete -c throng -f -n {}\n", quoted(no_command));
  for (const OptionUsage& option : usage.program.options) text += fish_line(no_command, option);
  for (const CommandUsage& command : usage.commands)
    text += fmt::format("complete -c throng -n {} -a {} -d {}\n", quoted(no_command), command.name,
                        quoted(command.summary));
  for (const CommandUsage& command : usage.commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    text += '\n';
    if (is_help(command))
      text +=
          fmt::format("complete -c throng -f -n {} -a {}\n", quoted(condition), quoted(joined(command_names(usage))));
    for (const OptionUsage& option : command.options) {
      text += fish_line(condition, option);
      if (!option.off_name.empty())
        text += fish_line(condition, {.short_name = "",
                                      .long_name = option.off_name,
                                      .off_name = "",
                                      .value = "",
                                      .choices = {},
                                      .help = option.help,
                                      .group = ""});
    }
  }
  return text;
}
