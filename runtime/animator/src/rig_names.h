#pragma once
// Names looked up by those who type them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace throng {

// What is left of a name without its namespace: what follows the last ':' or '|'.
std::string_view short_name(std::string_view name);

// The few names spelled most like one that does not exist, nearest first, as a list in quotes; and how many there are.
std::string spelled_like(std::string_view name, const std::vector<std::string>& names);

}  // namespace throng
