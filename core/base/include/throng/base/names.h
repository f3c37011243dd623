// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names people type: one of several things, or all that a pattern with * and ? means.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng {

// Whether the whole name is what the pattern says: * stands for any characters, ? for one character. Case matters.
bool matches_pattern(std::string_view pattern, std::string_view name);

// Which of the names a pattern means: those spelled exactly so when there are any, else those that are with their
// namespace left out ("Jump" for "CharacterArmature|Jump"), else those that match, else those that match without it.
std::vector<bool> chosen_by(std::string_view pattern, const std::vector<std::string>& names);

// Which of the names any of the patterns means. `what` they name, "clip", is for the error where one means none.
Result<std::vector<bool>> meant_by(const std::vector<std::string>& patterns, std::string_view what,
                                   const std::vector<std::string>& names);

// The one name that is meant: the first spelled exactly so, else the only one that chosen_by() finds. The error names
// what is near, or what is meant where that is more than one.
Result<std::size_t> find_name(std::string_view what, std::string_view wanted, const std::vector<std::string>& names);

}  // namespace throng
