// SPDX-License-Identifier: Apache-2.0
#include "film/process.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "throng/base/file.h"

namespace throng {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(ProcessInput, GivesTheProgramWhatIsWritten) {
  const auto path = std::filesystem::temp_directory_path() / "throng-process-test";
  auto process = ProcessInput::start({"sh", "-c", "cat > \"$0\"", path.string()});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_TRUE(process->write(bytes_of("one ")));
  EXPECT_TRUE(process->write(bytes_of("two")));
  EXPECT_TRUE(process->finish());
  EXPECT_EQ(*read_text_file(path), "one two");
  std::filesystem::remove(path);
}

TEST(ProcessInput, SaysWhatIsMissingAndWhatFailed) {
  const auto missing = ProcessInput::start({"throng-no-such-program"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "throng-no-such-program: cannot start: No such file or directory");
  auto failing = ProcessInput::start({"sh", "-c", "exit 3"});
  ASSERT_TRUE(failing);
  const auto finished = failing->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "sh: failed with exit code 3");
}

TEST(ProcessInput, SurvivesAProgramThatStopsReading) {
  auto process = ProcessInput::start({"true"});
  ASSERT_TRUE(process);
  const std::string much(1 << 20, 'x');
  const auto written = process->write(bytes_of(much));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "true: cannot be written to: Broken pipe");
}

TEST(ProcessInput, TellsTheLastLineOfAProgramThatFails) {
  const std::string says = "echo first >&2; printf 'the disk\\033[1m is full\\n\\n' >&2; ";
  auto reading = ProcessInput::start({"sh", "-c", says + "cat > /dev/null; exit 1"});
  ASSERT_TRUE(reading);
  EXPECT_TRUE(reading->write(bytes_of("x")));
  EXPECT_EQ(reading->finish().error().message, "sh: the disk [1m is full");
  auto deaf = ProcessInput::start({"sh", "-c", says + "exit 0"});
  ASSERT_TRUE(deaf);
  const std::string much(1 << 20, 'x');
  EXPECT_EQ(deaf->write(bytes_of(much)).error().message, "sh: the disk [1m is full");
}

}  // namespace
}  // namespace throng
