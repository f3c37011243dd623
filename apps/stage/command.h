// SPDX-License-Identifier: Apache-2.0
#pragma once
// A command adds its words to the command line and is run when they were said.

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "console.h"
#include "throng/base/result.h"
#include "throng/import/imported.h"

// Exit codes, for scripts.
inline constexpr int kSuccess = 0;
inline constexpr int kBadInput = 1;
inline constexpr int kWrongUsage = 2;

// What the chosen command does; its error is printed and becomes exit code 1.
using Action = std::function<throng::Result<void>()>;

// For CLI::Option::check: what is wrong with the text of an option, in a line that says what is possible. No number is
// infinite or NaN.
using Check = std::function<std::string(const std::string&)>;
Check number_between(double least, double most);
Check whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint32_t>::max());
Check one_of(std::vector<std::string> words);
std::string finite_number(const std::string& text);
std::string moment(const std::string& text);  // a time in seconds

// An option that takes one of a few words; help and completion list them. `set` gets the word's number.
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::vector<std::string> words,
                        std::function<void(std::size_t)> set, const std::string& help);

// Adds what every command has: --quiet, --verbose and --color.
void add_console_options(CLI::App& command, Console& console);
// What every command that reads models can be told about reading them: --strict and --budget.
void add_import_options(CLI::App& command, throng::ImportSettings& settings);
// --threads, for those that bake; `help` says what for.
void add_threads_option(CLI::App& command, unsigned& threads, const std::string& help);
// --influences, for those that have room for eight.
void add_influences_option(CLI::App& command, throng::ImportSettings& settings);

// `--clip Walk Run` names one clip, and Run among the files: where one of several is neither there nor called like a
// model, the option that it stands behind is said to take one value, and to be repeated if it may be.
throng::Result<void> check_no_value_among(const CLI::App& command, const CLI::Option& files);

void add_bake_command(CLI::App& app, Action& action);
void add_inspect_command(CLI::App& app, Action& action);
void add_graph_command(CLI::App& app, Action& action);
void add_pose_command(CLI::App& app, Action& action);
void add_render_command(CLI::App& app, Action& action);
void add_web_command(CLI::App& app, Action& action);
