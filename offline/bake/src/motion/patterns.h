#pragma once
// Names people type: patterns with * and ?, and lists of what there is instead.

#include <string>
#include <string_view>
#include <vector>

namespace throng::detail::bake {

// Whether the whole name is what the pattern says: * stands for any characters, ? for one character. Case matters.
bool matches(std::string_view pattern, std::string_view name);

// Which of the names a pattern means: those spelled exactly so when there are any, else those that match.
std::vector<bool> chosen_by(std::string_view pattern, const std::vector<std::string>& names);

// "a, b, c and 12 more"; "none" for an empty list.
std::string listed(const std::vector<std::string>& names, std::size_t most = 8);

// The few names that are spelled most like this one, nearest first.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& names,
                                       std::size_t most = 5);

}  // namespace throng::detail::bake
