// SPDX-License-Identifier: Apache-2.0
#pragma once
// The manual, as man(7) wants it.

#include <string>

#include "usage.h"

// The manual page of a command (throng-bake.1), or of the program itself (throng.1).
std::string man_page(const ProgramUsage& usage, const CommandUsage& command, const std::string& version);

// Whether a command has a page of its own: all do but `help`.
bool has_man_page(const CommandUsage& command);

// "throng-bake"
std::string man_page_name(const CommandUsage& command);
