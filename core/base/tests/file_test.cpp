// SPDX-License-Identifier: Apache-2.0
#include "throng/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace throng {
namespace {

class File : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "throng-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(File, ReadsBackWhatWasWritten) {
  const auto path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "hello"));
  EXPECT_EQ(*read_text_file(path), "hello");
  EXPECT_EQ(map_file(path)->size(), 5u);
}

TEST_F(File, NamesWhatAMissingFileMayHaveBeenMeantToBe) {
  for (const char* name : {"knight.glb", "mage.glb", ".knight.glx"}) ASSERT_TRUE(write_file(folder_ / name, "x"));
  const auto says = [&](const char* name) {
    const std::string text = map_file(folder_ / name).error().message;
    const std::string begin = (folder_ / name).string() + ": cannot open: ";
    EXPECT_EQ(text.find(begin), 0u) << text;
    return text.substr(std::min(begin.size(), text.size()));
  };
  EXPECT_EQ(says("kinght.glb"), "No such file or directory; did you mean 'knight.glb'?");
  EXPECT_EQ(says("MAGE.GLB"), "No such file or directory; did you mean 'mage.glb'?");
  EXPECT_EQ(says("warrior.fbx"), "No such file or directory");
  EXPECT_EQ(says("none/knight.glb"), fmt::format("the folder {} does not exist", (folder_ / "none").string()));
  EXPECT_EQ(map_file("").error().message, "'': names no file");
}

TEST_F(File, SaysWhereALinkLeadsThatLeadsNowhere) {
  std::filesystem::create_symlink("gone.glb", folder_ / "link.glb");
  EXPECT_EQ(map_file(folder_ / "link.glb").error().message,
            (folder_ / "link.glb").string() + ": cannot open: it is a link to gone.glb, which does not exist");
}

TEST_F(File, ReplacesAFileThatIsStillMapped) {
  const auto path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "old contents"));
  const auto mapped = map_file(path);
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(std::to_integer<char>(mapped->span()[0]), 'o') << "the old mapping keeps the old file";
  EXPECT_EQ(*read_text_file(path), "new");
  EXPECT_EQ(files(), 1u) << "no temporary stays behind";
}

TEST_F(File, GivesAPlainFilesPermissions) {
  const auto path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "x"));
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(status.st_mode & 0777, 0666 & ~mask);
}

TEST_F(File, NamesTheFileAndTheReason) {
  const auto missing = map_file(folder_ / "missing");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("missing: cannot open: No such file"), std::string::npos);
  const auto folder = map_file(folder_);
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("is a folder"), std::string::npos);
  EXPECT_EQ(files(), 0u);
}

TEST_F(File, MapsAnEmptyFile) {
  ASSERT_TRUE(write_file(folder_ / "empty", ""));
  const auto bytes = map_file(folder_ / "empty");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 0u);
}

// A limit on file size fails a write half way, as a full disk does.
TEST_F(File, LeavesTheOldFileWhenTheDiskIsFull) {
  const auto path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "old"));
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto result = write_file(path, std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous);
  EXPECT_FALSE(result);
  EXPECT_EQ(*read_text_file(path), "old");
  EXPECT_EQ(files(), 1u) << "no temporary stays behind";
}

TEST_F(File, TwoThreadsThatWriteLeaveOneWholeFile) {
  const auto path = folder_ / "a";
  const std::string one(100000, '1');
  const std::string two(100000, '2');
  {
    std::jthread first([&] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(write_file(path, one));
    });
    std::jthread second([&] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(write_file(path, two));
    });
  }
  const std::string text = *read_text_file(path);
  EXPECT_TRUE(text == one || text == two);
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace throng
