// SPDX-License-Identifier: Apache-2.0
#include "film/process.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, which <csignal> need not declare
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>

#include "throng/base/text.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves declaring it to the caller

namespace throng {
namespace {

// Writing to a program that has ended must be an error, not the end of ours. The signal for it goes to the thread that
// writes, so it is blocked there for as long as this lives, and taken away if it came; nothing else of the process
// changes.
class BlockBrokenPipe {
 public:
  BlockBrokenPipe() {
    ::sigemptyset(&broken_pipe_);
    ::sigaddset(&broken_pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe_, &previous_);
  }
  BlockBrokenPipe(const BlockBrokenPipe&) = delete;
  BlockBrokenPipe& operator=(const BlockBrokenPipe&) = delete;
  ~BlockBrokenPipe() {
    const timespec no_time{};
    while (!was_pending_ && ::sigtimedwait(&broken_pipe_, nullptr, &no_time) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }

 private:
  sigset_t broken_pipe_;
  sigset_t previous_;
  bool was_pending_ = false;
};

}  // namespace

Result<ProcessInput> ProcessInput::start(const std::vector<std::string>& arguments) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail("{}: cannot make a pipe: {}", arguments[0], system_reason());
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);

  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  // What it says is told when it fails, and only then: it would stand in the middle of our own line.
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> words(std::tmpfile(), &std::fclose);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, read_end.get(), STDIN_FILENO);
  if (words) ::posix_spawn_file_actions_adddup2(&actions, ::fileno(words.get()), STDERR_FILENO);
  int error = 0;
  EndsWithUs process([&] {
    pid_t started = -1;
    error = ::posix_spawnp(&started, argv[0], &actions, nullptr, argv.data(), environ);
    return error == 0 ? started : -1;
  });
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail("{}: cannot start: {}", arguments[0], system_reason(error));
  return ProcessInput(arguments[0], std::move(process), write_end.release(),
                      Descriptor(words ? ::fcntl(::fileno(words.get()), F_DUPFD_CLOEXEC, 0) : -1));
}

ProcessInput::ProcessInput(ProcessInput&& other) noexcept
    : name_(std::move(other.name_)),
      process_(std::move(other.process_)),
      input_(std::exchange(other.input_, -1)),
      words_(std::move(other.words_)) {
  other.process_.reset();
}

ProcessInput::~ProcessInput() {
  if (process_) close_and_wait();
}

Result<void> ProcessInput::write(std::span<const std::byte> bytes) {
  const BlockBrokenPipe guard;
  if (write_all(input_, bytes)) return {};
  const std::string reason = system_reason();
  // It has ended, or nearly so: what it said of that tells more than that it does not listen.
  const int status = close_and_wait();
  if (const std::string last = last_words(); !last.empty()) return fail("{}: {}", name_, last);
  if (WIFSIGNALED(status)) return fail("{}: was ended by signal {}", name_, WTERMSIG(status));
  return fail("{}: cannot be written to: {}", name_, reason);
}

std::string ProcessInput::last_words() const {
  if (!words_) return {};
  std::array<char, 2048> end{};
  const off_t size = ::lseek(words_.get(), 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(end.size()));
  const ssize_t read = ::pread(words_.get(), end.data(), end.size(), from);
  std::string_view text(end.data(), static_cast<std::size_t>(std::max<ssize_t>(0, read)));
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return one_line(std::string(text.substr(text.find_last_of("\r\n") + 1)));
}

int ProcessInput::close_and_wait() {
  ::close(std::exchange(input_, -1));
  int status = 0;
  const pid_t process = process_->process();
  // First without letting go of its number, which another program could have the moment after.
  siginfo_t ended;
  while (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  process_.reset();
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Result<void> ProcessInput::finish() {
  const int status = close_and_wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFSIGNALED(status)) return fail("{}: was ended by signal {}", name_, WTERMSIG(status));
  if (const std::string last = last_words(); !last.empty()) return fail("{}: {}", name_, last);
  return fail("{}: failed with exit code {}", name_, WEXITSTATUS(status));
}

}  // namespace throng
