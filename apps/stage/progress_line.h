// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far long work is, on the last line of a terminal: "choosing encodings  43 %, 12 s left". It appears once the work
// has taken more than a moment, goes on while the work says nothing, and is gone when the work is done. In a pipe there
// is none.

#include <memory>
#include <vector>

#include "throng/base/progress.h"
#include "time_left.h"

class ProgressLine {
 public:
  // What there is to do, in order. A quiet one shows nothing.
  explicit ProgressLine(std::vector<Phase> phases, bool quiet = false);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  // For the work; empty where nothing is shown. Not to be called once this is gone.
  throng::Progress progress();

  // Takes the line away, for good: something is about to be printed.
  void finish();

 private:
  struct State;
  std::shared_ptr<State> state_;  // none: nothing is shown
};

// What the line says at `now` seconds.
std::string progress_text(std::string_view words, double done, double seconds_so_far, std::optional<double> left);

// Takes a line that is shown away from the terminal, whoever shows it: the program ends.
void clear_progress_line();
