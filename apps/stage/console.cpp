// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>

namespace {

using Time = std::chrono::steady_clock;

constexpr auto kBeforeShowing = std::chrono::milliseconds(400);
constexpr auto kBetweenUpdates = std::chrono::milliseconds(80);

class ProgressLine {
 public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(std::string_view what, double done) {
    const auto now = Time::now();
    if (now - started_ < kBeforeShowing || (done < 1.0 && now - updated_ < kBetweenUpdates)) return;
    updated_ = now;
    shown_ = true;
    fmt::print(stderr, "\r\033[K{} {:3.0f} %", what, 100.0 * done);
    if (done >= 1.0) clear();
    std::fflush(stderr);
  }

 private:
  void clear() {
    if (shown_) fmt::print(stderr, "\r\033[K");
    shown_ = false;
  }

  Time::time_point started_ = Time::now();
  Time::time_point updated_;
  bool shown_ = false;
};

}  // namespace

void print_error(const throng::Error& error) { fmt::print(stderr, "throng: error: {}\n", printable(error.message)); }

void print_note(const std::string& note) { fmt::print(stderr, "throng: note: {}\n", printable(note)); }

void print_warning(const std::string& warning) { fmt::print(stderr, "throng: WARNING: {}\n", printable(warning)); }

std::string to_text(const nlohmann::ordered_json& json) {
  return throng::printable_json(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

throng::Progress console_progress() {
  if (::isatty(STDERR_FILENO) == 0) return {};
  return [line = std::make_shared<ProgressLine>()](std::string_view what, double done) { line->show(what, done); };
}

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string readable_bytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", value / 1e3);
  return fmt::format("{:.1f} MB", value / 1e6);
}

std::uint64_t peak_memory() {
  constexpr std::uint64_t kUnit = 1024;  // Linux counts in kilobytes
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * kUnit : 0;
}
