// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files of the shared folder as test parameters. Where the folder is missing there is one empty parameter, and the test
// skips itself.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <string>

#include "paths.h"

namespace throng::test {

// A test name may hold letters, digits and underscores only.
inline std::string test_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text.empty() ? "absent" : text;
}

inline bool is_one_line(const std::string& text) {
  return !text.empty() && text.find_first_of("\r\n") == std::string::npos;
}

}  // namespace throng::test
