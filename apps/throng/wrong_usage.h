// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is said of a command line that cannot be understood: one line that names the word and what it may have been
// meant to be.

#include <CLI/CLI.hpp>
#include <string>

std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error);
