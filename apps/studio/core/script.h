// SPDX-License-Identifier: Apache-2.0
#pragma once
// A script: what a user would do, line by line, for tests and for pictures of the window. docs/studio.md lists the
// words.

#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng::studio {

struct ScriptCommand {
  int line = 0;      // in the script, from 1
  std::string word;  // "open"
  std::string rest;  // of the line, without spaces around it
};

// Lines that are empty or begin with # are left out. Whether the words exist is for the runner to say.
std::vector<ScriptCommand> parse_script(std::string_view text);

// "walk | run" → walk, run.
std::vector<std::string> split_list(std::string_view text);

// "mode vertices" → mode, vertices.
std::pair<std::string, std::string> split_first(std::string_view text);

}  // namespace throng::studio
