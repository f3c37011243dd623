// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <cmath>

std::string finite_number(const std::string& text) {
  double value = 0.0;
  if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return "";
  return text + " is not a number";
}

std::string moment(const std::string& text) {
  constexpr double kLongest = 1e9;  // seconds: thirty years either way
  double value = 0.0;
  if (CLI::detail::lexical_cast(text, value) && std::abs(value) <= kLongest) return "";
  return text + " is not a time in seconds of at most 1e9";
}
