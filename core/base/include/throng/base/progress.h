// SPDX-License-Identifier: Apache-2.0
#pragma once
// Long work reports how far it is through a callback; who asked decides whether to show it.

#include <algorithm>
#include <functional>
#include <mutex>
#include <string_view>

namespace throng {

// `done` runs from 0 to 1 and never falls within one `what`. Called from one thread at a time. May be empty.
using Progress = std::function<void(std::string_view what, double done)>;

// Tells that `what` is done so far, 0 … 1, where anybody listens.
inline void report(const Progress& progress, std::string_view what, double done) {
  if (progress) progress(what, done);
}

// For work that is a part of another's, from one share of it to another: what it says of `what` is told so.
inline Progress part_of(const Progress& whole, double from, double to) {
  if (!whole) return {};
  return [whole, from, to](std::string_view what, double done) { whole(what, from + (to - from) * done); };
}

// Work that several threads do a piece of: adds up what is done and reports it, one thread at a time.
class SharedProgress {
 public:
  // `total` is what the work of all threads adds up to.
  SharedProgress(const Progress& progress, std::string_view what, double total)
      : progress_(progress), what_(what), total_(total) {
    report(progress_, what_, 0.0);
  }

  // Adds finished work. Any thread may call it.
  void add(double work) {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    done_ += work;
    report(progress_, what_, total_ > 0.0 ? std::min(done_ / total_, 1.0) : 1.0);
  }

 private:
  const Progress& progress_;
  std::string_view what_;
  double total_;
  double done_ = 0.0;
  std::mutex mutex_;
};

}  // namespace throng
