// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBeforeShowing = 0.5;  // seconds
constexpr auto kBetweenUpdates = std::chrono::milliseconds(200);

std::atomic<bool> line_is_shown = false;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

bool can_be_shown() {
  const char* const terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

struct ProgressLine::State {
  explicit State(std::vector<Phase> all) : phases(all), left(std::move(all)) {
    thread = std::thread([this] { run(); });
  }

  void see(std::string_view what, double share) {
    const std::lock_guard lock(mutex);
    const double now = seconds_between(begun, Clock::now());
    if (what != name) phase_begun = now;
    name = what;
    done = share;
    left.see(now, what, share);
  }

  void show() {
    const double now = seconds_between(begun, Clock::now());
    if (name.empty() || now < kBeforeShowing) return;
    std::string_view words = name;
    for (const Phase& phase : phases) {
      if (phase.name == name) words = phase.words;
    }
    line_is_shown = true;
    const std::string text = "\r\033[K" + progress_text(words, done, now - phase_begun, left.at(now));
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, kBetweenUpdates, [this] { return ends; })) show();
    clear_progress_line();
  }

  void finish() {
    {
      const std::lock_guard lock(mutex);
      ends = true;
    }
    wake.notify_one();
    if (thread.joinable()) thread.join();
  }

  std::vector<Phase> phases;
  TimeLeft left;
  Clock::time_point begun = Clock::now();
  std::string name;  // of the phase
  double phase_begun = 0.0;
  double done = 0.0;
  std::mutex mutex;
  std::condition_variable wake;
  bool ends = false;
  std::thread thread;
};

ProgressLine::ProgressLine(std::vector<Phase> phases, bool quiet)
    : state_(quiet || !can_be_shown() ? nullptr : std::make_shared<State>(std::move(phases))) {}

ProgressLine::~ProgressLine() { finish(); }

throng::Progress ProgressLine::progress() {
  if (!state_) return {};
  return [state = state_](std::string_view what, double done) { state->see(what, done); };
}

void ProgressLine::finish() {
  if (state_) state_->finish();
}

std::string progress_text(std::string_view words, double done, double seconds_so_far, std::optional<double> left) {
  if (done <= 0.0) {
    if (seconds_so_far < 1.0) return std::string(words);
    return fmt::format("{}, {} so far", words, readable_elapsed(seconds_so_far));
  }
  // 100 % would be done.
  const std::string share = fmt::format("{}  {:2.0f} %", words, std::min(100.0 * done, 99.0));
  return left ? fmt::format("{}, {} left", share, readable_time(*left)) : share;
}

void clear_progress_line() {
  if (!line_is_shown.exchange(false)) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}
