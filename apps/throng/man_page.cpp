// SPDX-License-Identifier: Apache-2.0
#include "man_page.h"

#include <fmt/format.h>

#include "help_text.h"

namespace {

// Text that troff takes as it is: no line is a request, no backslash an escape, no hyphen anything but itself.
std::string plain(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i == 0 && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string option_line(const OptionUsage& option) {
  std::string line;
  if (!option.short_name.empty()) line += bold('-' + option.short_name);
  if (!option.long_name.empty()) line += (line.empty() ? "" : ", ") + bold("--" + option.long_name);
  if (!option.off_name.empty()) line += ", " + bold("--" + option.off_name);
  if (!option.value.empty()) line += ' ' + italic(option.value);
  return line;
}

}  // namespace

bool has_man_page(const CommandUsage& command) { return command.name != "help"; }

std::string man_page_name(const CommandUsage& command) {
  return command.name.empty() ? "throng" : "throng-" + command.name;
}

std::string man_page(const ProgramUsage& usage, const CommandUsage& command, const std::string& version) {
  const std::string name = man_page_name(command);
  std::string upper = name;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  // Without a date: the same sources give the same page.
  std::string text = fmt::format(".TH {} 1 \"\" \"Throng {}\" \"Throng\"\n", plain(upper), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(name), plain(command.summary));
  text += fmt::format(".SH SYNOPSIS\n{}\n", bold(synopsis(command)));
  text += ".SH DESCRIPTION\n" + plain(command.summary) + ".\n";
  for (const std::string& paragraph : command.paragraphs) text += ".PP\n" + plain(paragraph) + '\n';
  for (const PositionalUsage& positional : command.positionals)
    text += fmt::format(".TP\n{}\n{}\n", italic(positional.name), plain(positional.help));
  if (command.name.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandUsage& one : usage.commands)
      text += fmt::format(".TP\n{}\n{}\n", bold(one.name), plain(one.summary));
  }
  text += ".SH OPTIONS\n";
  std::string group;
  for (const OptionUsage& option : command.options) {
    if (option.group != group && option.group != "Options") text += ".SS \"" + plain(option.group) + "\"\n";
    group = option.group;
    text += fmt::format(".TP\n{}\n{}\n", option_line(option), plain(option.help));
  }
  if (!command.examples.empty()) text += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    if (!example.what.empty()) text += ".PP\n" + plain(example.what) + ":\n";
    text += ".PP\n.RS 4\n.nf\n" + plain(example.command) + "\n.fi\n.RE\n";
  }
  text +=
      ".SH EXIT STATUS\n.TP\n0\nIt is done.\n.TP\n1\nThe input is bad, or the result cannot be written.\n"
      ".TP\n2\nThe command line is wrong.\n.TP\n130, 143\nIt was interrupted, and left nothing behind.\n";
  text += ".SH SEE ALSO\n";
  std::string others = command.name.empty() ? "" : ".BR throng (1)";
  for (const CommandUsage& one : usage.commands) {
    if (one.name == command.name || !has_man_page(one)) continue;
    others += fmt::format("{}.BR {} (1)", others.empty() ? "" : ",\n", plain(man_page_name(one)));
  }
  return text + others + '\n';
}
