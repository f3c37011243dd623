// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a command says while it works: results on standard output, everything else on standard error.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/base/text.h"

using throng::counted;
using throng::grouped;
using throng::printable;

// Nothing a command prints for people is wider.
inline constexpr std::size_t kMostColumns = 100;
// As wide as the terminal, where the stream is one that is narrower; never so narrow that nothing can be read.
std::size_t columns_for(std::FILE* stream);

// Text in the colours of a terminal, or as it is, and how wide a line of it may be.
class Paint {
 public:
  explicit Paint(bool colours = false, std::size_t columns = kMostColumns) : colours_(colours), columns_(columns) {}
  std::string heading(std::string_view text) const { return in("1", text); }
  std::string good(std::string_view text) const { return in("32", text); }
  std::string doubtful(std::string_view text) const { return in("33", text); }
  std::string bad(std::string_view text) const { return in("1;31", text); }
  std::string faint(std::string_view text) const { return in("2", text); }
  std::size_t columns() const { return columns_; }

 private:
  std::string in(std::string_view code, std::string_view text) const {
    return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  bool colours_;
  std::size_t columns_;
};

enum class Colours : std::uint8_t { automatic, always, never };

// How much it says, and how.
struct Console {
  bool quiet = false;  // errors only
  bool verbose = false;
  Colours colours = Colours::automatic;

  void note(const std::string& note) const;
  // Notes of one kind are told as one, and a few kinds are enough unless it is verbose.
  void notes(const std::vector<std::string>& notes) const;
  void warning(const std::string& warning) const;
  // On terminals, unless NO_COLOR is set (no-color.org) or the terminal is dumb.
  bool has_colours(std::FILE* stream) const;
  // How text is laid out there.
  Paint paint(std::FILE* stream) const { return Paint(has_colours(stream), columns_for(stream)); }
};

// Notes that are alike but for names and numbers become their first, with how many more there are; at most so many
// kinds, then how many notes are left.
inline constexpr std::size_t kNotesTold = 8;
std::vector<std::string> condensed_notes(const std::vector<std::string>& notes, std::size_t most = kNotesTold);

// What the library says of its settings, in the command line's words: with_flags() of the bake's, and --retarget where
// it names retarget_clips().
std::string with_option_names(std::string message);

// With option names.
void print_error(const throng::Error& error);

// What a program may print as JSON, whatever bytes a path or a name is made of.
std::string to_text(const nlohmann::ordered_json& json);

// "1.234"; of numbers so large that nobody reads their digits, "1.2e+30".
std::string decimal(double value, int places);
// "1.2 MB"
std::string readable_bytes(std::uint64_t bytes);

// The most memory this process has held so far, in bytes; 0 where the system does not tell.
std::uint64_t peak_memory();
