// SPDX-License-Identifier: Apache-2.0
#pragma once
// What --help prints.

#include <string>

#include "console.h"
#include "usage.h"

// The help of a command, or of the program itself.
std::string help_text(const ProgramUsage& usage, const CommandUsage& command, const Paint& paint);

// "throng bake [OPTIONS] MODEL"
std::string synopsis(const CommandUsage& command);

// "-o, --output FILE"
std::string option_words(const OptionUsage& option);
