#pragma once
// Names spelled like one that does not exist, for errors.

#include <string>
#include <string_view>
#include <vector>

namespace throng {

// At most three, nearest first: names that differ by a few letters (case aside), and names that hold the wanted one or
// that it holds.
std::vector<std::string> near_matches(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace throng
