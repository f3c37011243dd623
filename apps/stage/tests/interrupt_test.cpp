// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, which <csignal> need not declare
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "throng/base/draft_file.h"
#include "throng/base/file.h"

namespace {

std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

// What a program does that is told to end in the middle of a file.
[[noreturn]] void write_and_be_told(const std::filesystem::path& file, int signal) {
  leave_nothing_when_told_to_end();
  auto draft = throng::DraftFile::beside(file);
  if (!draft || !draft->write(std::array<std::byte, 4>{}) || files_in(file.parent_path()).size() != 2) ::_exit(1);
  ::kill(::getpid(), signal);
  while (true) ::pause();
}

TEST(Interrupt, LeavesTheOldFileAndNothingElseAndEndsByItsSignal) {
  std::string folder = (std::filesystem::temp_directory_path() / "throng-interrupt-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::filesystem::path file = std::filesystem::path(folder) / "file";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ASSERT_TRUE(throng::write_file(file, "old"));
    const pid_t child = ::fork();
    if (child == 0) write_and_be_told(file, signal);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it exited with " << WEXITSTATUS(status);
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(files_in(folder), std::vector<std::string>{"file"});
    EXPECT_EQ(throng::read_text_file(file).value_or(""), "old");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
