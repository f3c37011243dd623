// SPDX-License-Identifier: Apache-2.0
#pragma once
// How benchmarks measure and report: warm up, take the median of several runs, check the result that was timed, print a
// table and write JSON of the form {"benchmark", "small", "checked", "rows": [{"name", "value", "unit"}]}.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/file.h"

namespace throng::bench {

// What the command line of every benchmark says.
struct Options {
  std::string name;    // of the program
  bool gpu = false;    // also what only a GPU can show
  bool small = false;  // a size that takes seconds: for the tests, which look at the form and not at the figures
  std::string json;    // the file to write the rows to

  // `of_small` where the run is small, else `of_full`.
  template <class T>
  T sized(T of_full, T of_small) const {
    return small ? of_small : of_full;
  }
};

inline Options read_options(int argc, char** argv) {
  Options options;
  options.name = std::string_view(argv[0]).substr(std::string_view(argv[0]).find_last_of('/') + 1);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--gpu") {
      options.gpu = true;
    } else if (word == "--small") {
      options.small = true;
    } else if (word == "--json" && i + 1 < argc) {
      options.json = argv[++i];
    } else {
      fmt::print(stderr, "usage: {} [--gpu] [--small] [--json FILE]\n", options.name);
      std::exit(2);
    }
  }
  return options;
}

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double cpu_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The core's own time on this thread: others' work does not count. And on all threads of the program.
inline double thread_seconds() { return cpu_seconds(CLOCK_THREAD_CPUTIME_ID); }
inline double process_seconds() { return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID); }

inline double seconds_of(const std::function<void()>& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return seconds_since(begin);
}

// A wrong result makes the whole benchmark worthless: it ends there.
inline void require(bool right, std::string_view what) {
  if (right) return;
  fmt::print(stderr, "bench: wrong result: {}\n", what);
  std::exit(1);
}

template <class T>
T require(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "bench: {}\n", result.error().message);
  std::exit(1);
}

inline double median(std::vector<double> values) {
  require(!values.empty(), "there is no median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Median seconds of `runs` calls after `warm_up` more.
inline double median_seconds(int warm_up, int runs, const std::function<void()>& body) {
  for (int i = 0; i < warm_up; ++i) body();
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) seconds.push_back(seconds_of(body));
  return median(std::move(seconds));
}

// The median of what each of several measurements returns. They take turns, run by run, so that all see the same
// machine, after turns that are not counted for `settle` seconds: a GPU that slept takes that long to reach its clock.
inline std::vector<double> medians_in_turn(double settle, int runs,
                                           std::span<const std::function<double()>> measurements) {
  const auto begin = std::chrono::steady_clock::now();
  int warm_up = 0;
  do {
    for (const auto& measure : measurements) measure();
  } while (++warm_up < 2 || seconds_since(begin) < settle);
  std::vector<std::vector<double>> taken(measurements.size());
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < measurements.size(); ++i) taken[i].push_back(measurements[i]());
  }
  std::vector<double> medians;
  for (auto& values : taken) medians.push_back(median(std::move(values)));
  return medians;
}

// What a figure is to reach, on the machine that docs/measuring.md names.
struct Target {
  double value = 0.0;
  bool at_most = true;  // or at least
};
inline Target at_most(double value) { return {value, true}; }
inline Target at_least(double value) { return {value, false}; }

class Report {
 public:
  // What is measured is shown as it comes, to a file or a pipe as well.
  explicit Report(Options options) : options_(std::move(options)) { std::setvbuf(stdout, nullptr, _IOLBF, 0); }

  void add(std::string name, double value, std::string unit, std::string what) {
    fmt::print("{:<44} {:>10.3f}  {:<10} {}\n", name, value, unit, what);
    record(std::move(name), value, std::move(unit));
  }

  // With its target beside it, if it has one, and whether it misses that; a small run's figures mean nothing.
  void add(std::string name, double value, std::string unit, std::string what, const std::optional<Target>& target) {
    if (target) {
      const bool missed = !options_.small && (target->at_most ? value > target->value : value < target->value);
      what +=
          fmt::format("; at {} {:g}{}", target->at_most ? "most" : "least", target->value, missed ? ": MISSED" : "");
    }
    add(std::move(name), value, std::move(unit), std::move(what));
  }

  // For the JSON only: what a table shows already.
  void record(std::string name, double value, std::string unit) {
    rows_.push_back({{"name", std::move(name)}, {"value", value}, {"unit", std::move(unit)}});
  }

  // Writes the JSON where one was asked for. `checked`: the results that were timed are right. Returns the exit code.
  int finish(bool checked = true) const {
    if (options_.json.empty()) return checked ? 0 : 1;
    const nlohmann::ordered_json json{
        {"benchmark", options_.name}, {"small", options_.small}, {"checked", checked}, {"rows", rows_}};
    const auto written = write_file(options_.json, json.dump(2) + "\n");
    if (!written) fmt::print(stderr, "bench: {}\n", written.error().message);
    return written && checked ? 0 : 1;
  }

 private:
  Options options_;
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

}  // namespace throng::bench
