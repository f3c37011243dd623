// SPDX-License-Identifier: Apache-2.0
#include "throng/base/text.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

using Names = std::vector<std::string>;

TEST(Text, LowersLettersAndLeavesOtherBytes) { EXPECT_EQ(lower("Left_Hand.001 Ärm"), "left_hand.001 Ärm"); }

TEST(Text, CutsOffWhatFilesPutBeforeAName) {
  EXPECT_EQ(without_namespace("mixamorig:Hips"), "Hips");
  EXPECT_EQ(without_namespace("rig|a:Hips"), "Hips");
  EXPECT_EQ(without_namespace("Hips"), "Hips");
  EXPECT_EQ(without_namespace("rig:"), "");
}

TEST(Text, ListsNamesInQuotesAndCountsTheRest) {
  EXPECT_EQ(listed(Names{}), "none");
  EXPECT_EQ(listed(Names{"a"}), "'a'");
  EXPECT_EQ(listed(Names{"a", "b", "c"}), "'a', 'b', 'c'");
  EXPECT_EQ(listed(Names{"a", "b", "c"}, 3), "'a', 'b', 'c'");
  EXPECT_EQ(listed(Names{"a", "b", "c"}, 2), "'a', 'b' and 1 more");
}

TEST(NearMatches, PutTheNearestFirst) {
  EXPECT_EQ(near_matches("wakl", Names{"talk", "walk", "idle"}), (Names{"walk"}));
  EXPECT_EQ(near_matches("Run", Names{"run_fast", "jump", "run"}), (Names{"run", "run_fast"}));
  EXPECT_EQ(near_matches("hip", Names{"Spine", "mixamorig:Hips"}), (Names{"mixamorig:Hips"}));
  EXPECT_EQ(near_matches("rig:hips", Names{"other:Hips"}), (Names{"other:Hips"}));
}

TEST(NearMatches, AreThoseOneThirdOfTheLettersAway) {
  EXPECT_EQ(near_matches("abcdef", Names{"abcdxy"}).size(), 1u);
  EXPECT_EQ(near_matches("abcdef", Names{"abcxyz"}).size(), 0u);
}

TEST(NearMatches, AreAtMostAsManyAsAskedFor) {
  const Names names{"arm1", "arm2", "arm3", "arm4"};
  EXPECT_EQ(near_matches("arm", names).size(), 3u);
  EXPECT_EQ(near_matches("arm", names, 1), (Names{"arm1"}));
}

TEST(DidYouMean, NamesWhatIsNearOrElseWhatThereIs) {
  EXPECT_EQ(did_you_mean("wlak", Names{"walk", "idle"}), "did you mean 'walk'?");
  EXPECT_EQ(did_you_mean("walk", Names{"walk_l", "walk_r"}), "did you mean 'walk_l' or 'walk_r'?");
  EXPECT_EQ(did_you_mean("a1", Names{"a1x", "a1y", "a1z"}), "did you mean 'a1x', 'a1y' or 'a1z'?");
  EXPECT_EQ(did_you_mean("swim", Names{"walk", "idle"}), "there are 'walk', 'idle'");
  EXPECT_EQ(did_you_mean("swim", Names{}), "there are none");
}

TEST(OneLine, KeepsTextFromBreakingOrFloodingAMessage) {
  EXPECT_EQ(one_line("a\nb\tc\n"), "a b c");
  const std::string cut = one_line(std::string(599, 'x') + "ää");
  EXPECT_EQ(cut, std::string(599, 'x') + "…");
  EXPECT_EQ(one_line(std::string(600, 'x')), std::string(600, 'x'));
}

}  // namespace
}  // namespace throng
