// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names people type: patterns with * and ?.

#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::bake {

// Whether the whole name is what the pattern says: * stands for any characters, ? for one character. Case matters.
bool matches(std::string_view pattern, std::string_view name);

// Which of the names a pattern means: those spelled exactly so when there are any, else those that match.
std::vector<bool> chosen_by(std::string_view pattern, const std::vector<std::string>& names);

// Which of the names any of the patterns means. `what` they name, "clip", is for the error where one means none.
Result<std::vector<bool>> meant_by(const std::vector<std::string>& patterns, std::string_view what,
                                   const std::vector<std::string>& names);

}  // namespace throng::detail::bake
