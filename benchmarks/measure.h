#pragma once
// How benchmarks measure and report: warm up, take the median of several runs, check the result that was timed, print a
// table and write JSON of the form {"rows": [{"name", "value", "unit"}]}.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "throng/base/file.h"

namespace throng::bench {

// Median seconds of `runs` calls after `warm_up` more.
inline double median_seconds(int warm_up, int runs, const std::function<void()>& body) {
  for (int i = 0; i < warm_up; ++i) body();
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[static_cast<std::size_t>(runs / 2)];
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

class Report {
 public:
  // What is measured is shown as it comes, to a file or a pipe as well.
  Report() { std::setvbuf(stdout, nullptr, _IOLBF, 0); }

  void add(std::string name, double value, std::string unit, std::string what) {
    fmt::print("{:<44} {:>10.3f}  {:<10} {}\n", name, value, unit, what);
    record(std::move(name), value, std::move(unit));
  }

  // For the JSON only: what a table shows already.
  void record(std::string name, double value, std::string unit) {
    rows_.push_back({{"name", std::move(name)}, {"value", value}, {"unit", std::move(unit)}});
  }

  // Writes the JSON when the command line ends in --json FILE. Returns the exit code.
  int finish(int argc, char** argv) const {
    if (argc < 3 || std::string_view(argv[argc - 2]) != "--json") return 0;
    const nlohmann::ordered_json json{{"rows", rows_}};
    const auto written = write_file(argv[argc - 1], json.dump(2) + "\n");
    if (!written) fmt::print(stderr, "bench: {}\n", written.error().message);
    return written ? 0 : 1;
  }

 private:
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

}  // namespace throng::bench
