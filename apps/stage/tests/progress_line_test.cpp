// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"

#include <gtest/gtest.h>

namespace {

TEST(ProgressText, SaysHowFarAndHowLongOrHowLongSoFar) {
  EXPECT_EQ(progress_text("measuring", 0.143, 3.0, 12.2), "measuring  14 %, 12 s left");
  EXPECT_EQ(progress_text("measuring", 0.02, 0.5, std::nullopt), "measuring   2 %");
  EXPECT_EQ(progress_text("drawing", 0.0, 0.7, std::nullopt), "drawing");
  EXPECT_EQ(progress_text("drawing", 0.0, 87.0, std::nullopt), "drawing, 1 min 27 s so far");
  EXPECT_EQ(progress_text("drawing", 1.0, 5.0, 0.1), "drawing  99 %, 1 s left") << "done is when it is gone";
}

TEST(ProgressLine, IsNoneWhereNobodyWouldSeeIt) {
  ProgressLine quiet({{"a", "a"}}, true);
  EXPECT_FALSE(quiet.progress());
}

}  // namespace
