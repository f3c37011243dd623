#include "one_line.h"

namespace throng {

std::string one_line(std::string text) {
  constexpr std::size_t kLongest = 600;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  while (text.ends_with(' ')) text.pop_back();
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  // Never inside a character: its later bytes all start with the bits 10.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace throng
