// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that is told to end (Ctrl-C, SIGTERM, a terminal that closes) takes along what it has begun: programs it
// started, and drafts of files. To whoever started it, it ends as one that does not mind signals.

#include <sys/types.h>

#include <functional>
#include <utility>

// Call it at the start of main(), before there is a second thread.
void leave_nothing_when_told_to_end();

// Another program, which is ended before the drafts are taken away, since it may be writing one.
class EndsWithUs {
 public:
  // `start` starts it and returns its number, or −1 where it could not: the program cannot end in between.
  explicit EndsWithUs(const std::function<pid_t()>& start);
  EndsWithUs(EndsWithUs&& other) noexcept : process_(std::exchange(other.process_, -1)) {}
  EndsWithUs& operator=(EndsWithUs&&) = delete;
  ~EndsWithUs();

  pid_t process() const { return process_; }

 private:
  pid_t process_;
};

// Before something is said that may only be a consequence of the end, as that ffmpeg is gone: does not return when the
// program is about to end.
void wait_if_ending();
