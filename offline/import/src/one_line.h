#pragma once
// Names from a file may hold anything; a message is one printable line of bounded length.

#include <string>

namespace throng {

std::string one_line(std::string text);

}  // namespace throng
