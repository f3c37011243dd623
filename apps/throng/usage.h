// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the command line can be told, read once from the CLI::App that parses it. Help, man pages, completion and the
// messages about wrong words are made from it, so that none of them can leave anything out.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

struct OptionUsage {
  std::string short_name;            // "o", or empty
  std::string long_name;             // "output"
  std::string off_name;              // "no-near" where the option is on unless told otherwise
  std::string value;                 // "FILE"; empty: it takes none
  std::vector<std::string> choices;  // the words there are, where there are few
  std::string help;                  // with its default
  std::string group;
  bool repeatable = false;
};

struct PositionalUsage {
  std::string name;  // "MODEL"
  std::string help;
  bool required = false;
  bool repeatable = false;
};

struct Example {
  std::string command;
  std::string what;  // it does; may be empty
};

struct CommandUsage {
  std::string name;     // "bake"; empty: of the program itself
  std::string summary;  // one line
  std::vector<PositionalUsage> positionals;
  std::vector<OptionUsage> options;  // none that are hidden
  std::vector<Example> examples;
  std::vector<std::string> paragraphs;  // what there is to say besides
};

struct ProgramUsage {
  CommandUsage program;
  std::vector<CommandUsage> commands;
};

ProgramUsage usage_of(const CLI::App& app);

// Whether a value is the name of a file, as completion offers.
bool takes_file(const std::string& value_name);
