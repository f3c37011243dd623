// SPDX-License-Identifier: Apache-2.0
#include "help_text.h"

#include <algorithm>

#include "table.h"
#include "throng/base/text.h"

namespace {

constexpr std::size_t kMargin = 28;  // where what things are for begins

// "  words        what they are for", which has a line of its own where the words are long.
std::string entry(const std::string& words, const std::string& help, const Paint& paint) {
  std::string text = "  " + words;
  if (text.size() + 2 > kMargin) {
    text += '\n' + std::string(kMargin, ' ');
  } else {
    text += std::string(kMargin - text.size(), ' ');
  }
  return text + wrapped(help, kMargin, paint.columns()) + '\n';
}

// The groups in the order in which they were first met.
std::vector<std::string> groups_of(const CommandUsage& command) {
  std::vector<std::string> groups;
  for (const OptionUsage& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

// What each does beside it, in a column, as far as there is room; else below it.
std::string examples_text(const std::vector<Example>& examples, const Paint& paint) {
  if (examples.empty()) return "";
  constexpr std::size_t kGap = 3;
  constexpr std::size_t kBelow = 6;
  const auto fits = [&](std::size_t column, const Example& example) {
    return 2 + column + kGap + throng::columns_of(example.what) <= paint.columns();
  };
  std::size_t column = 0;
  for (const Example& example : examples) {
    const std::size_t width = throng::columns_of(example.command);
    const bool all = std::ranges::all_of(examples, [&](const Example& other) {
      return throng::columns_of(other.command) > width || fits(width, other);
    });
    if (!example.what.empty() && all) column = std::max(column, width);
  }
  std::string text = fmt::format("\n{}\n", paint.heading("Examples:"));
  for (const Example& example : examples) {
    const std::size_t width = throng::columns_of(example.command);
    text += "  " + example.command;
    if (!example.what.empty() && width <= column)
      text += std::string(column - width + kGap, ' ') + paint.faint(example.what);
    else if (!example.what.empty())
      text += '\n' + std::string(kBelow, ' ') + paint.faint(wrapped(example.what, kBelow, paint.columns()));
    text += '\n';
  }
  return text;
}

}  // namespace

std::string synopsis(const CommandUsage& command) {
  std::string text = "throng";
  if (!command.name.empty()) text += ' ' + command.name;
  text += " [OPTIONS]";
  if (command.name.empty()) text += " COMMAND";
  for (const PositionalUsage& positional : command.positionals) {
    const std::string name = positional.name + (positional.repeatable ? "..." : "");
    text += positional.required ? ' ' + name : " [" + name + ']';
  }
  return text;
}

std::string option_words(const OptionUsage& option) {
  std::string text = option.short_name.empty()
                         ? "    "
                         : fmt::format("-{}{}", option.short_name, option.long_name.empty() ? "" : ", ");
  if (!option.long_name.empty())
    text += fmt::format("--{}{}", option.off_name.empty() ? "" : "[no-]", option.long_name);
  // Long lists of words go where there is room for them.
  if (!option.value.empty())
    text += ' ' + (option.value.size() > 24 && !option.choices.empty() ? "WORD" : option.value);
  return text;
}

std::string help_text(const ProgramUsage& usage, const CommandUsage& command, const Paint& paint) {
  std::string text = fmt::format("{}\n\n{} {}\n", wrapped(command.summary, 0, paint.columns()), paint.heading("Usage:"),
                                 synopsis(command));
  if (!command.positionals.empty()) text += '\n';
  for (const PositionalUsage& positional : command.positionals) text += entry(positional.name, positional.help, paint);
  if (command.name.empty()) {
    text += fmt::format("\n{}\n", paint.heading("Commands:"));
    for (const CommandUsage& one : usage.commands) text += entry(one.name, one.summary, paint);
  }
  for (const std::string& group : groups_of(command)) {
    text += fmt::format("\n{}\n", paint.heading(group + ':'));
    for (const OptionUsage& option : command.options) {
      if (option.group != group) continue;
      const bool listed = option_words(option).find(option.value) == std::string::npos;
      const std::string words = listed ? fmt::format("; one of {}", fmt::join(option.choices, ", ")) : "";
      text += entry(option_words(option), option.help + words, paint);
    }
  }
  text += examples_text(command.examples, paint);
  for (const std::string& paragraph : command.paragraphs) text += '\n' + wrapped(paragraph, 0, paint.columns()) + '\n';
  return text;
}
