// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long work will still take, told from how far it has come. The clock is the caller's.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// One of the steps of some work, in their order.
struct Phase {
  std::string_view name;   // as the work reports it
  std::string_view words;  // as a person reads it
  double weight = 1.0;     // its usual share of the whole, against the others'
};

// A phase that goes on at the pace it has had ends when its own progress says so. Those after it take the time of those
// before in proportion to their weights; one that was passed over takes none. So a guess is only as wrong as the
// weights, less so with each phase, and in the last one not at all.
class TimeLeft {
 public:
  explicit TimeLeft(std::vector<Phase> phases) : phases_(std::move(phases)), seen_before_(phases_.size()) {}

  // What the work reports: `done` from 0 to 1 of a phase, at `now` seconds. A phase that comes again is done again; one
  // that is not in the list counts as work that nothing is known of.
  void see(double now, std::string_view phase, double done);

  // Seconds from `now`, or nothing while there is too little to tell from: in the first second, or when the phase does
  // not say how far it is. It follows what it learns over a few seconds, so that it does not jump about, and counts
  // down in between. `now` must not fall.
  std::optional<double> at(double now);

 private:
  std::optional<double> estimate(double now) const;

  std::vector<Phase> phases_;
  std::vector<bool> seen_before_;  // by phase
  std::optional<std::size_t> current_;
  double begun_ = 0.0;        // the first phase
  double phase_begun_ = 0.0;  // the current one
  double done_ = 0.0;
  double seen_ = 0.0;  // when done_ was that
  bool any_ = false;
  double past_seconds_ = 0.0;  // of the phases before it that were seen, and their weights
  double past_weight_ = 0.0;
  std::optional<double> told_;
  double told_at_ = 0.0;
};

// "8 s", "2 min 10 s", "1 h 5 min": no finer than an estimate deserves.
std::string readable_time(double seconds);
// The same of time that has passed: "37 s", "1 min 27 s".
std::string readable_elapsed(double seconds);
