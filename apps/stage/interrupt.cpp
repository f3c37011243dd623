// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, which <csignal> need not declare
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "progress_line.h"
#include "throng/base/draft_file.h"

namespace {

// It outlives main(), as does the thread that waits.
struct Ending {
  std::atomic<bool> begun = false;
  std::mutex mutex;
  std::set<pid_t> processes;
};

Ending& ending() {
  static Ending* const state = new Ending;
  return *state;
}

void end_processes() {
  const std::lock_guard lock(ending().mutex);
  for (const pid_t process : ending().processes) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
}

void end_when_told(sigset_t signals) {
  int signal = 0;
  while (::sigwait(&signals, &signal) != 0) {
  }
  ending().begun = true;
  const auto held = throng::abandon_drafts(end_processes);
  clear_progress_line();
  // The signal's own way to end a program: a shell then knows that it was one.
  ::signal(signal, SIG_DFL);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
}

}  // namespace

void leave_nothing_when_told_to_end() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    // What is ignored stays so: nohup, and jobs that a script puts in the background.
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) ::sigaddset(&signals, signal);
  }
  // Blocked in every thread that comes after, so that only the one below takes them. Programs that are started inherit
  // it: on a terminal Ctrl-C reaches them too, and it is for us to end them.
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(end_when_told, signals).detach();
}

EndsWithUs::EndsWithUs(const std::function<pid_t()>& start) : process_(-1) {
  std::unique_lock lock(ending().mutex);
  if (ending().begun) {
    lock.unlock();
    wait_if_ending();
  }
  process_ = start();
  if (process_ >= 0) ending().processes.insert(process_);
}

EndsWithUs::~EndsWithUs() {
  const std::lock_guard lock(ending().mutex);
  ending().processes.erase(process_);
}

void wait_if_ending() {
  while (ending().begun) ::pause();
}
