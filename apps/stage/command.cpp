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

void add_import_options(CLI::App& command, throng::ImportSettings& settings) {
  command.add_flag("--strict", settings.strict,
                   "Refuse what breaks a rule of its format, instead of mending it with a note");
  command
      .add_option_function<double>(
          "--budget",
          [&settings](double mebibytes) { settings.budget = static_cast<std::uint64_t>(mebibytes * 1048576.0); },
          "MiB of memory that reading a model may take (default: 512, and 64 for each MiB of a larger file)")
      ->check(CLI::Range(1.0, 1e6))
      ->option_text("MIB");
}

void add_influences_option(CLI::App& command, throng::ImportSettings& settings) {
  command
      .add_option("--influences", settings.influences,
                  "Bones that a vertex follows at most: 4, or 8, which a bake of vertices holds")
      ->check(CLI::IsMember({4u, 8u}))
      ->capture_default_str();
}
