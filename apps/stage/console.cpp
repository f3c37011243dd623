// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include "table.h"
#include "throng/bake/options.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

void say(const Paint& paint, std::string_view kind, const std::string& text) {
  const std::string before = kind == "error"     ? paint.bad(kind)
                             : kind == "WARNING" ? paint.doubtful(kind)
                                                 : std::string(kind);
  const std::string line = printable(text);
  // A program that reads it gets one line; a person, lines that are not too long.
  constexpr std::size_t kIndent = 4;
  const bool for_people = ::isatty(STDERR_FILENO) == 1;
  const std::string whole = fmt::format("throng: {}: {}", kind, line);
  const std::string laid_out = for_people ? wrapped(whole, kIndent, columns_for(stderr)) : whole;
  const std::size_t after = std::string_view("throng: ").size();
  fmt::print(stderr, "{}{}{}\n", laid_out.substr(0, after), before, laid_out.substr(after + kind.size()));
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value != nullptr && *value != '\0';
}

// What is left of a note without the names in it, which stand in quotes, and without numbers.
std::string kind_of(const std::string& note) {
  std::string kind;
  bool in_name = false;
  for (std::size_t i = 0; i < note.size(); ++i) {
    const char c = note[i];
    // An apostrophe within a word is none of the two.
    const bool within = i > 0 && i + 1 < note.size() && std::isalpha(static_cast<unsigned char>(note[i - 1])) != 0 &&
                        std::isalpha(static_cast<unsigned char>(note[i + 1])) != 0;
    if (c == '\'' && !within) in_name = !in_name;
    if (!in_name && std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.' && c != ',') kind += c;
  }
  return kind;
}

}  // namespace

std::size_t columns_for(std::FILE* stream) {
  constexpr std::size_t kNarrowest = 60;
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kMostColumns;
  return std::clamp<std::size_t>(size.ws_col, kNarrowest, kMostColumns);
}

bool Console::has_colours(std::FILE* stream) const {
  if (colours != Colours::automatic) return colours == Colours::always;
  const char* const terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !dumb && !is_set("NO_COLOR") && ::isatty(::fileno(stream)) == 1;
}

void Console::note(const std::string& note) const {
  if (!quiet) say(paint(stderr), "note", note);
}

void Console::notes(const std::vector<std::string>& notes) const {
  for (const std::string& one : verbose ? notes : condensed_notes(notes)) note(one);
}

void Console::warning(const std::string& warning) const {
  if (!quiet) say(paint(stderr), "WARNING", warning);
}

std::vector<std::string> condensed_notes(const std::vector<std::string>& notes, std::size_t most) {
  struct Kind {
    std::string kind;
    std::string first;
    std::size_t count = 0;
  };
  std::vector<Kind> kinds;
  for (const std::string& note : notes) {
    const std::string kind = kind_of(note);
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.kind == kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, note});
    ++found->count;
  }
  std::vector<std::string> told;
  std::size_t left = notes.size();
  for (const Kind& kind : kinds) {
    if (told.size() == most) break;
    told.push_back(kind.count == 1 ? kind.first : fmt::format("{} (and {} more like it)", kind.first, kind.count - 1));
    left -= kind.count;
  }
  if (left > 0) told.push_back(fmt::format("{} more: see --verbose", left));
  return told;
}

std::string with_option_names(std::string message) {
  message = throng::with_flags(std::move(message));
  // Not a setting of the bake, whose table does not have it.
  constexpr std::string_view kFunction = "`retarget_clips`";
  if (const std::size_t at = message.find(kFunction); at != std::string::npos)
    message.replace(at, kFunction.size(), "--retarget");
  return message;
}

void print_error(const throng::Error& error) {
  say(Console{}.paint(stderr), "error", with_option_names(error.message));
}

std::string to_text(const nlohmann::ordered_json& json) {
  return throng::printable_json(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string decimal(double value, int places) {
  constexpr double kReadable = 1e9;
  return std::abs(value) < kReadable ? fmt::format("{:.{}f}", value, places) : fmt::format("{:.2g}", value);
}

std::string readable_bytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1000) return counted(bytes, "byte");
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", value / 1e3);
  return fmt::format("{:.1f} MB", value / 1e6);
}

std::uint64_t peak_memory() {
  constexpr std::uint64_t kUnit = 1024;  // Linux counts in kilobytes
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * kUnit : 0;
}
