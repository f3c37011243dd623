// SPDX-License-Identifier: Apache-2.0
#include "throng/base/names.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

using Names = std::vector<std::string>;

TEST(Patterns, StarsStandForAnyCharactersAndQuestionMarksForOne) {
  EXPECT_TRUE(matches_pattern("walk*", "walk"));
  EXPECT_TRUE(matches_pattern("walk*", "walk_left"));
  EXPECT_TRUE(matches_pattern("*left", "walk_left"));
  EXPECT_TRUE(matches_pattern("*a*b*c*", "xxaxbxbc"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("w?lk", "walk"));
  EXPECT_TRUE(matches_pattern("l?uft", "läuft")) << "one character, two bytes";
  EXPECT_TRUE(matches_pattern("*ab", "aab"));
  EXPECT_FALSE(matches_pattern("walk", "walk_left")) << "the whole name";
  EXPECT_FALSE(matches_pattern("alk", "walk"));
  EXPECT_FALSE(matches_pattern("walk?", "walk"));
  EXPECT_FALSE(matches_pattern("Walk", "walk")) << "case matters";
  EXPECT_FALSE(matches_pattern("*a*b", "bbba"));
  EXPECT_FALSE(matches_pattern("", "walk"));
}

// Were every star tried against every place, this would not end.
TEST(Patterns, ManyStarsDoNotTakeForever) {
  const std::string name(2000, 'a');
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "a*";
  EXPECT_TRUE(matches_pattern(pattern, name));
  EXPECT_FALSE(matches_pattern(pattern + "b", name));
}

TEST(FindName, TakesTheFirstThatIsSpelledSoBeforeAnyPattern) {
  EXPECT_EQ(*find_name("clip", "walk", Names{"run", "walk", "walk"}), 1u);
  EXPECT_EQ(*find_name("clip", "w*", Names{"walk", "w*", "wave"}), 1u) << "a star may be part of a name";
}

TEST(FindName, TakesTheOnlyOneThatMatches) {
  EXPECT_EQ(*find_name("clip", "Walk*", Names{"Run", "Walking_A", "Idle"}), 1u);
  EXPECT_EQ(*find_name("clip", "?dle", Names{"Run", "Walking_A", "Idle"}), 2u);
}

TEST(FindName, NeedsNoNamespaceWhereTheNameIsEnough) {
  const Names names{"Rig|Run", "Rig|Run_Gun", "Rig|Jump", "Hips", "mixamorig:Hips", "odd|"};
  EXPECT_EQ(*find_name("clip", "Run", names), 0u) << "spelled so, before all that match";
  EXPECT_EQ(*find_name("clip", "Rig|Jump", names), 2u);
  EXPECT_EQ(*find_name("clip", "Ju*", names), 2u);
  EXPECT_EQ(*find_name("bone", "Hips", names), 3u) << "one without a namespace comes before one with it";
  EXPECT_EQ(find_name("clip", "Run", Names{"a|Run", "b|Run"}).error().message,
            "'Run' may be 'a|Run', 'b|Run': name one clip");
  EXPECT_EQ(find_name("clip", "Run*", names).error().message, "'Run*' may be 'Rig|Run', 'Rig|Run_Gun': name one clip");
  EXPECT_FALSE(find_name("clip", "", names)) << "nothing names nothing";
  EXPECT_EQ(chosen_by("Run*", names), (std::vector<bool>{true, true, false, false, false, false}));
  EXPECT_EQ(chosen_by("*Run", names), (std::vector<bool>{true, false, false, false, false, false}))
      << "a pattern of whole names is none of what is left of others";
  EXPECT_EQ(chosen_by("*", names), std::vector<bool>(6, true));
}

TEST(FindName, ListsThoseThatMatchWhereItCannotChoose) {
  EXPECT_EQ(find_name("clip", "wa*", Names{"walk", "run", "wave"}).error().message,
            "'wa*' may be 'walk', 'wave': name one clip");
  const Names many(11, "walk");
  EXPECT_EQ(find_name("clip", "*", many).error().message,
            "'*' may be 'walk', 'walk', 'walk', 'walk', 'walk', 'walk', 'walk', 'walk' and 3 more: name one clip");
}

TEST(FindName, NamesWhatIsNear) {
  EXPECT_EQ(find_name("clip", "wlak", Names{"walk", "run"}).error().message,
            "no clip is named 'wlak'; did you mean 'walk'?");
  EXPECT_EQ(find_name("clip", "fly*", Names{"walk", "run"}).error().message,
            "no clip is named 'fly*'; there are 'walk', 'run'");
  EXPECT_EQ(find_name("socket", "hand", Names{}).error().message, "no socket is named 'hand'; there are none");
}

}  // namespace
}  // namespace throng
