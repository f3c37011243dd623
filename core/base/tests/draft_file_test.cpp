// SPDX-License-Identifier: Apache-2.0
#include "throng/base/draft_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "throng/base/file.h"

namespace throng {
namespace {

using Names = std::vector<std::string>;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

class Draft : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "throng-draft-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  // What writing there is refused for, without the path before it.
  static std::string refusal(const std::filesystem::path& path) {
    const auto found = find_destination(path);
    if (found) return "";
    const std::string before = path.string() + ": cannot write: ";
    EXPECT_TRUE(found.error().message.starts_with(before)) << found.error().message;
    EXPECT_FALSE(write_file(path, "x")) << "and is refused when it is tried";
    return found.error().message.substr(before.size());
  }

  std::filesystem::path folder_;
};

TEST_F(Draft, IsWrittenInPiecesThatNobodySeesUntilItIsKept) {
  const auto path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "old"));
  auto draft = DraftFile::beside(path);
  ASSERT_TRUE(draft.has_value());
  for (const std::string_view piece : {"one ", "", "two ", "three"}) {
    ASSERT_TRUE(draft->write(bytes_of(piece)));
    EXPECT_EQ(*read_text_file(path), "old");
  }
  ASSERT_TRUE(draft->keep());
  EXPECT_EQ(*read_text_file(path), "one two three");
}

TEST_F(Draft, ThatIsNotKeptLeavesNothing) {
  const auto path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "old"));
  {
    auto draft = DraftFile::beside(path);
    ASSERT_TRUE(draft.has_value());
    ASSERT_TRUE(draft->write(bytes_of("new")));
    EXPECT_EQ(files().size(), 2u);
  }
  EXPECT_EQ(files().size(), 1u);
  EXPECT_EQ(*read_text_file(path), "old");
}

TEST_F(Draft, IsWrittenWhereALinkLeadsAndTheLinkStays) {
  ASSERT_TRUE(write_file(folder_ / "target", "old"));
  std::filesystem::create_symlink("target", folder_ / "near");
  std::filesystem::create_symlink(folder_ / "near", folder_ / "far");
  ASSERT_TRUE(write_file(folder_ / "far", "new"));
  EXPECT_EQ(*read_text_file(folder_ / "target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "far"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "near"));
  std::filesystem::create_symlink("not yet", folder_ / "dangling");
  ASSERT_TRUE(write_file(folder_ / "dangling", "new"));
  EXPECT_EQ(*read_text_file(folder_ / "not yet"), "new");
  EXPECT_EQ(files(), (Names{"dangling", "far", "near", "not yet", "target"}));
}

TEST_F(Draft, OfAFifoIsWhatTheReaderGets) {
  const auto path = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  ASSERT_TRUE(find_destination(path)->is_stream);
  std::string got;
  {
    std::jthread reader([&] {
      const int fifo = ::open(path.c_str(), O_RDONLY);
      char piece[64];
      for (ssize_t n = 0; (n = ::read(fifo, piece, sizeof piece)) > 0;) got.append(piece, static_cast<std::size_t>(n));
      ::close(fifo);
    });
    EXPECT_TRUE(write_file(path, "through the pipe"));
  }
  EXPECT_EQ(got, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

TEST_F(Draft, OfADeviceIsWrittenToItAndFailsAsItDoes) {
  // Asked first: a mistake would replace the machine's own.
  ASSERT_TRUE(find_destination("/dev/null")->is_stream);
  ASSERT_TRUE(find_destination("/dev/full")->is_stream);
  EXPECT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(write_file("/dev/full", "x").error().message, "/dev/full: cannot write: No space left on device");
  std::filesystem::create_symlink("/dev/null", folder_ / "nothing");
  EXPECT_TRUE(write_file(folder_ / "nothing", "x"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "nothing"));
}

// What a shell redirects to a file must not be replaced behind the shell's back.
TEST_F(Draft, OfADescriptorGoesBehindWhatWasWrittenToItBefore) {
  const int file = ::open((folder_ / "a").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  const auto to = find_destination(fmt::format("/dev/fd/{}", file));
  ASSERT_TRUE(to) << to.error().message;
  EXPECT_TRUE(to->is_stream);
  EXPECT_TRUE(write_file(fmt::format("/dev/fd/{}", file), "after"));
  EXPECT_TRUE(write_file(fmt::format("/proc/self/fd/{}", file), "wards"));
  ::close(file);
  EXPECT_EQ(*read_text_file(folder_ / "a"), "before afterwards");
  EXPECT_EQ(refusal(fmt::format("/dev/fd/{}", file)), "it is closed");
  EXPECT_EQ(find_destination("/dev/stdout")->descriptor, 1);
}

TEST_F(Draft, HasTheOldFilesPermissions) {
  ASSERT_TRUE(write_file(folder_ / "a", "old"));
  std::filesystem::permissions(folder_ / "a", std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_TRUE(write_file(folder_ / "a", "new"));
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Draft, OfANameAsLongAsANameCanBe) {
  const auto path = folder_ / std::string(255, 'n');
  EXPECT_TRUE(write_file(path, "x"));
  EXPECT_EQ(refusal(folder_ / std::string(256, 'n')), "File name too long");
}

TEST_F(Draft, IsRefusedBeforeTheWorkWhereItCannotBeWritten) {
  EXPECT_EQ(refusal(""), "it has no name");
  EXPECT_EQ(refusal(folder_), "it is a folder; name a file");
  EXPECT_EQ(refusal(folder_ / "new" / ""), "it is a folder; name a file");
  EXPECT_EQ(refusal(folder_ / "no" / "a"), fmt::format("the folder {} does not exist", (folder_ / "no").string()));
  ASSERT_TRUE(write_file(folder_ / "file", "x"));
  EXPECT_EQ(refusal(folder_ / "file" / "a"), fmt::format("{} is not a folder", (folder_ / "file").string()));
  std::filesystem::create_symlink("b", folder_ / "a");
  std::filesystem::create_symlink("a", folder_ / "b");
  EXPECT_EQ(refusal(folder_ / "a"), "its links lead in circles");
  EXPECT_FALSE(find_destination(folder_ / "fresh")->exists);
  EXPECT_TRUE(find_destination(folder_ / "file")->exists);
  EXPECT_EQ(files(), (Names{"a", "b", "file"})) << "asking changes nothing";
}

TEST_F(Draft, IsRefusedWithoutPermission) {
  if (::geteuid() == 0) {
    // Root may write everywhere: a child that is nobody asks.
    const pid_t child = ::fork();
    if (child == 0) {
      std::filesystem::permissions(folder_, std::filesystem::perms(0755));
      ASSERT_TRUE(write_file(folder_ / "file", "x"));
      if (::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
      const bool right = refusal(folder_ / "new") ==
                             fmt::format("the folder {} may not be written in: Permission denied", folder_.string()) &&
                         refusal(folder_ / "file") == "it is write-protected";
      ::_exit(right ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return;
  }
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  EXPECT_EQ(refusal(folder_ / "new"),
            fmt::format("the folder {} may not be written in: Permission denied", folder_.string()));
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
}

// As a program does that is killed: its lock is gone, its draft is not.
void leave_draft(const std::filesystem::path& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto draft = DraftFile::beside(path);
    if (draft) ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST_F(Draft, LeftByAKilledProgramIsSweptByTheNextThatWritesTheSameFile) {
  leave_draft(folder_ / "a");
  leave_draft(folder_ / "b");
  EXPECT_EQ(files(), (Names{"a.throng-draft", "b.throng-draft"}));
  ASSERT_TRUE(write_file(folder_ / "a", "new"));
  EXPECT_EQ(files(), (Names{"a", "b.throng-draft"}));
}

TEST_F(Draft, OfALivingProgramIsLeftAlone) {
  auto ours = DraftFile::beside(folder_ / "a");
  ASSERT_TRUE(ours);
  leave_draft(folder_ / "a");
  EXPECT_EQ(files(), (Names{"a.throng-draft", "a.throng-draft-2"}));
  ASSERT_TRUE(write_file(folder_ / "a", "theirs"));
  EXPECT_EQ(files(), (Names{"a", "a.throng-draft"})) << "the killed one's is gone, ours is not";
  ASSERT_TRUE(ours->write(bytes_of("ours")));
  ASSERT_TRUE(ours->keep());
  EXPECT_EQ(*read_text_file(folder_ / "a"), "ours");
  EXPECT_EQ(files(), (Names{"a"}));
}

TEST_F(Draft, LeftBesideAnotherIsSweptOnceThatIsDone) {
  {
    auto ours = DraftFile::beside(folder_ / "a");
    ASSERT_TRUE(ours);
    leave_draft(folder_ / "a");
  }
  EXPECT_EQ(files(), (Names{"a.throng-draft-2"}));
  ASSERT_TRUE(write_file(folder_ / "a", "new"));
  EXPECT_EQ(files(), (Names{"a"}));
}

TEST_F(Draft, IsTakenAwayByAProgramThatWasToldToEnd) {
  ASSERT_TRUE(write_file(folder_ / "a", "old"));
  auto draft = DraftFile::beside(folder_ / "a");
  ASSERT_TRUE(draft);
  {
    const auto held = abandon_drafts();
    EXPECT_EQ(files(), (Names{"a"}));
  }
  EXPECT_FALSE(draft->keep());
  EXPECT_EQ(*read_text_file(folder_ / "a"), "old");
}

TEST_F(Draft, CannotBeMadeOrKeptInAnyThreadWhileTheProgramEnds) {
  auto draft = DraftFile::beside(folder_ / "a");
  ASSERT_TRUE(draft);
  std::atomic<int> done = 0;
  auto held = abandon_drafts();
  std::jthread keeps([&] {
    static_cast<void>(draft->keep());
    ++done;
  });
  std::jthread makes([&] {
    static_cast<void>(DraftFile::beside(folder_ / "b"));
    ++done;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(done, 0);
  EXPECT_EQ(files(), Names{});
  held.unlock();
}

}  // namespace
}  // namespace throng
