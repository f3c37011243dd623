// SPDX-License-Identifier: Apache-2.0
#pragma once
// A command adds its words to the command line and is run when they were said.

#include <CLI/CLI.hpp>
#include <functional>

#include "throng/base/result.h"
#include "throng/import/imported.h"

// Exit codes, for scripts.
inline constexpr int kSuccess = 0;
inline constexpr int kBadInput = 1;
inline constexpr int kWrongUsage = 2;

// What the chosen command does; its error is printed and becomes exit code 1.
using Action = std::function<throng::Result<void>()>;

// For options that take a number: infinities and NaN are wrong usage.
std::string finite_number(const std::string& text);

// The same for times in seconds.
std::string moment(const std::string& text);

// What every command that reads models can be told about reading them: --strict and --budget.
void add_import_options(CLI::App& command, throng::ImportSettings& settings);
// --influences, for those that have room for eight.
void add_influences_option(CLI::App& command, throng::ImportSettings& settings);

void add_bake_command(CLI::App& app, Action& action);
void add_inspect_command(CLI::App& app, Action& action);
void add_graph_command(CLI::App& app, Action& action);
void add_pose_command(CLI::App& app, Action& action);
void add_render_command(CLI::App& app, Action& action);
