// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is said of a command line that cannot be understood: one line that names the word and what it may have been
// meant to be.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "usage.h"

// An option that was left without its value took the option after it for one, which the parser lets pass.
std::optional<std::string> missing_value(const CLI::App& app);

// To be called when the app has all its options: none that takes no value is to be given one, as in --json=maybe.
void refuse_values_of_flags(CLI::App& app);

// "there is no command bkae; did you mean bake?"
std::string unknown_command(const ProgramUsage& usage, const std::string& word);

std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error);
