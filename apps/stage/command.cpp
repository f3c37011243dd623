// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include "files.h"

namespace {

// The whole text, and nothing that is not finite.
std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Check number_between(double least, double most) {
  return [least, most](const std::string& text) -> std::string {
    const auto value = number_in(text);
    if (value && *value >= least && *value <= most) return "";
    return fmt::format("'{}' is no number from {} to {}", text, least, most);
  };
}

Check whole_number(std::uint64_t least, std::uint64_t most) {
  return [least, most](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec == std::errc() && read.ptr == end && value >= least && value <= most) return "";
    return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
  };
}

Check one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    return fmt::format("'{}' is none of: {}", text, fmt::join(words, ", "));
  };
}

std::string finite_number(const std::string& text) {
  return number_in(text) ? "" : fmt::format("'{}' is no number", text);
}

std::string moment(const std::string& text) {
  constexpr double kLongest = 1e9;  // seconds: thirty years either way
  const auto value = number_in(text);
  return value && std::abs(*value) <= kLongest ? "" : fmt::format("'{}' is no time in seconds of at most 1e9", text);
}

CLI::Option* add_choice(CLI::App& command, const std::string& name, std::vector<std::string> words,
                        std::function<void(std::size_t)> set, const std::string& help) {
  const auto choose = [words, set = std::move(set)](const std::string& text) {
    set(static_cast<std::size_t>(std::find(words.begin(), words.end(), text) - words.begin()));
  };
  return command.add_option_function<std::string>(name, choose, help)
      ->check(one_of(words))
      ->option_text(fmt::format("{}", fmt::join(words, "|")));
}

void add_console_options(CLI::App& command, Console& console) {
  CLI::Option* quiet = command.add_flag("-q,--quiet", console.quiet, "Say nothing but errors");
  CLI::Option* verbose =
      command.add_flag("-v,--verbose", console.verbose, "Say everything: each clip, note, name and reason");
  verbose->excludes(quiet);
  CLI::Option* colour = add_choice(
      command, "--color", {"auto", "always", "never"},
      [&console](std::size_t word) { console.colours = static_cast<Colours>(word); },
      "Colours in what is said (default: auto, which is on a terminal unless NO_COLOR is set)");
  for (CLI::Option* option : {quiet, verbose, colour}) option->group("Output");
}

void add_import_options(CLI::App& command, throng::ImportSettings& settings) {
  command.add_flag("--strict", settings.strict,
                   "Refuse what breaks a rule of its format, instead of mending it with a note");
  command
      .add_option_function<double>(
          "--budget",
          [&settings](double mebibytes) { settings.budget = static_cast<std::uint64_t>(mebibytes * 1048576.0); },
          "MiB of memory that each file may take, and work: 10 s of one core with 512, and 10 more for each 64 beyond "
          "(default: 512, and 128 for each MiB of a larger file)")
      ->check(number_between(1.0, 1e6))
      ->option_text("MIB");
}

void add_threads_option(CLI::App& command, unsigned& threads, const std::string& help) {
  constexpr std::uint64_t kMostThreads = 1024;
  command.add_option("--threads", threads, help)->check(whole_number(0, kMostThreads))->option_text("NUMBER");
}

void add_influences_option(CLI::App& command, throng::ImportSettings& settings) {
  add_choice(
      command, "--influences", {"4", "8"}, [&settings](std::size_t word) { settings.influences = word == 0 ? 4 : 8; },
      "Bones that a vertex follows at most; a bake of vertices holds 8 (default: 4)");
}

throng::Result<void> check_no_value_among(const CLI::App& command, const CLI::Option& files) {
  const std::vector<std::string>& words = files.results();
  if (words.size() < 2) return {};
  std::size_t next = 0;
  const CLI::Option* behind = nullptr;
  for (const CLI::Option* option : command.parse_order()) {
    if (option != &files) {
      behind = option->get_items_expected_max() > 0 ? option : nullptr;
      continue;
    }
    const std::string& word = words[next++];
    std::error_code ignored;
    if (behind == nullptr || word == kMannequin || throng::has_model_ending(word)) continue;
    if (std::filesystem::exists(word, ignored)) continue;
    const std::string& value = behind->get_option_text();
    return throng::fail("{}: is no file; {} takes one {}{}", word, behind->get_name(), value.empty() ? "value" : value,
                        behind->get_items_expected_max() > 1 ? ", so repeat it for more" : "");
  }
  return {};
}
