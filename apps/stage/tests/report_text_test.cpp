// SPDX-License-Identifier: Apache-2.0
#include "report_text.h"

#include <gtest/gtest.h>

#include "mannequins.h"

namespace throng {
namespace {

// Its report, in colours, where that is the largest error of all.
std::string painted(double mm, double degrees, std::optional<double> bound_mm = {}) {
  CharacterDraft draft = test::mannequin().draft();
  draft.error.at_frames.max_mm = 0.0;
  draft.error.between.max_mm = mm;
  draft.error.at_frames.normal_max_degrees = 0.0;
  draft.error.between.normal_max_degrees = degrees;
  const Character character = build_character(std::move(draft)).value();
  return report_text(character, {.paint = Paint(true), .bound_mm = bound_mm});
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ReportText, PaintsErrorsByWhatIsSeenOfThemWhereNoBoundWasAskedFor) {
  EXPECT_TRUE(holds(painted(0.99, 1.0), "\033[32m0.990 mm at most\033[0m"));
  EXPECT_TRUE(holds(painted(1.01, 1.0), "\033[33m1.010 mm at most\033[0m"));
  EXPECT_TRUE(holds(painted(4.99, 1.0), "\033[33m4.990 mm at most\033[0m"));
  EXPECT_TRUE(holds(painted(5.01, 1.0), "\033[1;31m5.010 mm at most\033[0m"));
}

TEST(ReportText, PaintsErrorsByTheBoundWhereThereIsOne) {
  EXPECT_TRUE(holds(painted(9.99, 1.0, 10.0), "\033[32m9.990 mm at most, within the bound of 10 mm\033[0m"));
  EXPECT_TRUE(holds(painted(0.11, 1.0, 0.1), "\033[1;31m0.110 mm at most, above the bound of 0.1 mm\033[0m"));
}

TEST(ReportText, PaintsNormalsThatLightShowsToBeWrong) {
  EXPECT_TRUE(holds(painted(1.0, 29.9), "  normals   29.9° off at most\n"));
  EXPECT_TRUE(holds(painted(1.0, 30.1), "  normals   \033[1;31m30.1° off at most\033[0m\n"));
}

// On 80 columns, too, clips that only differ behind the armature's name are told apart.
TEST(ReportText, LeavesOutTheArmatureThatEveryClipBeginsWith) {
  CharacterDraft draft = test::mannequin().draft();
  ASSERT_GT(draft.clips.size(), 2u);
  const std::string first = draft.clips[0].name;
  for (BakedClip& clip : draft.clips) clip.name = "CharacterArmature|" + clip.name;
  const Character character = build_character(std::move(draft)).value();
  const std::string text = report_text(character, {.paint = Paint(false, 80), .verbose = true});
  EXPECT_TRUE(holds(text, "\n  " + first + " ")) << text;
  EXPECT_TRUE(holds(text, "  every name begins with 'CharacterArmature|'\n")) << text;
  EXPECT_FALSE(holds(text, "CharacterArmature|" + first));
}

}  // namespace
}  // namespace throng
