// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <gtest/gtest.h>

#include <array>

namespace {

constexpr std::array<std::string_view, 3> kEndings{".png", ".mp4", ".gif"};

TEST(WrongEnding, ListsTheEndingsThereAre) {
  for (const char* right : {"a.png", "A.PNG", "some/where.v2.mp4", "-", "/dev/null"})
    EXPECT_EQ(wrong_ending(right, kEndings), "") << right;
  EXPECT_EQ(wrong_ending("a.txt", kEndings), "'a.txt' must end in .png, .mp4 or .gif");
  EXPECT_EQ(wrong_ending(".png", kEndings), "'.png' must end in .png, .mp4 or .gif") << "it has no name before it";
  EXPECT_EQ(wrong_ending("", kEndings), "'' names no file; give it a name that ends in .png, .mp4 or .gif");
}

TEST(Output, KnowsStandardOutputByItsNames) {
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1"}) {
    const auto output = Output::find(name, Content::text);
    ASSERT_TRUE(output) << output.error().message;
    EXPECT_TRUE(output->is_standard_output());
    EXPECT_EQ(output->report_stream(), stderr) << "what is said does not go among the bytes";
  }
  const auto file = Output::find("/tmp/throng-no-such-file.png", Content::binary);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->is_standard_output());
  EXPECT_FALSE(file->replaces());
  EXPECT_EQ(file->report_stream(), stdout);
  EXPECT_EQ(Output::find("/tmp/throng-no-such-folder/a.png", Content::binary).error().message,
            "/tmp/throng-no-such-folder/a.png: cannot write: the folder /tmp/throng-no-such-folder does not exist");
}

}  // namespace
