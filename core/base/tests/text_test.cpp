// SPDX-License-Identifier: Apache-2.0
#include "throng/base/text.h"

#include <fmt/format.h>
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
  EXPECT_EQ(listed(Names(9, "a")), "'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a' and 1 more");
}

TEST(Text, JoinsWordsWithAWordBeforeTheLast) {
  EXPECT_EQ(joined(Names{}, "and"), "");
  EXPECT_EQ(joined(Names{"a"}, "and"), "a");
  EXPECT_EQ(joined(Names{"a", "b"}, "or"), "a or b");
  EXPECT_EQ(joined(Names{"a", "b", "c"}, "and"), "a, b and c");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "layer"), "1 layer");
  EXPECT_EQ(counted(0, "layer"), "0 layers");
  EXPECT_EQ(counted(1234, "vertex", "vertices"), "1,234 vertices");
}

TEST(InNumber, TakesOfEachPairWhatFitsTheNumber) {
  constexpr std::string_view kText = "[mesh has|meshes have] no normals: computed from [its|their] triangles";
  EXPECT_EQ(in_number(1, kText), "1 mesh has no normals: computed from its triangles");
  EXPECT_EQ(in_number(0, kText), "0 meshes have no normals: computed from their triangles");
  EXPECT_EQ(in_number(1234567, kText), "1,234,567 meshes have no normals: computed from their triangles");
  EXPECT_EQ(in_number(1, "left out"), "1 left out");
  EXPECT_EQ(in_number(2, "[key|keys]"), "2 keys");
}

TEST(NearMatches, PutTheNearestFirst) {
  EXPECT_EQ(near_matches("wakl", Names{"talk", "walk", "idle"}), (Names{"walk"}));
  EXPECT_EQ(near_matches("Run", Names{"run_fast", "jump", "run"}), (Names{"run", "run_fast"}));
  EXPECT_EQ(near_matches("hip", Names{"Spine", "mixamorig:Hips"}), (Names{"mixamorig:Hips"}));
  EXPECT_EQ(near_matches("Knigt.glb", Names{"Knight.glb", "k", "gl"}), (Names{"Knight.glb"})) << "letters by chance";
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
  EXPECT_EQ(near_matches("arm", Names{"arm1", "arm1", "arm1", "arm2"}), (Names{"arm1", "arm2"})) << "each once";
}

TEST(DidYouMean, NamesWhatIsNearOrElseWhatThereIs) {
  EXPECT_EQ(did_you_mean("wlak", Names{"walk", "idle"}), "did you mean 'walk'?");
  EXPECT_EQ(did_you_mean("walk", Names{"walk_l", "walk_r"}), "did you mean 'walk_l' or 'walk_r'?");
  EXPECT_EQ(did_you_mean("a1", Names{"a1x", "a1y", "a1z"}), "did you mean 'a1x', 'a1y' or 'a1z'?");
  EXPECT_EQ(did_you_mean("swim", Names{"walk", "idle"}), "there are 'walk', 'idle'");
  EXPECT_EQ(did_you_mean("swim", Names{}), "there are none");
}

TEST(Printable, LeavesWhatIsOnlySeen) {
  for (const std::string text :
       {"walk_left.001", "Läufer → übung", "歩く", "\U0001F9CD\u200D\u2642", "a\u0301", "\u00A0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WritesOutEveryControlCharacterInEitherSpelling) {
  for (int c = 0; c < 0x20; ++c)
    EXPECT_EQ(printable(std::string(1, static_cast<char>(c))), fmt::format("\\x{:02x}", c));
  EXPECT_EQ(printable("\x7F"), "\\x7f");
  for (int c = 0x80; c < 0xA0; ++c) {
    EXPECT_EQ(printable(std::string(1, static_cast<char>(c))), fmt::format("\\x{:02x}", c)) << "as a byte";
    EXPECT_EQ(printable(std::string("\xC2") + static_cast<char>(c)), fmt::format("\\x{:02x}", c)) << "as UTF-8";
  }
}

TEST(Printable, WritesOutWhatTurnsOrBreaksTheLine) {
  for (const unsigned c : {0x61CU, 0x200EU, 0x200FU, 0x2028U, 0x2029U, 0x202AU, 0x202EU, 0x2066U, 0x2069U, 0xFEFFU}) {
    std::string text{static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                     static_cast<char>(0x80 | (c & 0x3F))};
    if (c < 0x800) text = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    EXPECT_EQ(printable(text), fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c)));
  }
}

TEST(Printable, WritesOutTagsWhichNobodySees) { EXPECT_EQ(printable("a\U000E0041"), "a\\U000e0041"); }

TEST(Printable, WritesOutBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xFFz"), "a\\xffz");
  EXPECT_EQ(printable("\xC3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xC0\x9B"), "\\xc0\\x9b") << "escape, spelled too long";
  EXPECT_EQ(printable("\xE0\x82\x9B"), "\\xe0\\x82\\x9b") << "CSI, spelled too long";
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "half of a pair of UTF-16";
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last character";
}

TEST(Printable, SpellsJsonSoThatItMeansTheSame) {
  EXPECT_EQ(printable_json("{\n  \"a\": \"\xC2\x9B"
                           "31m\u202E\x7F\"\n}"),
            "{\n  \"a\": \"\\u009b31m\\u202e\\u007f\"\n}");
  EXPECT_EQ(printable_json("\U000E0041"), "\\udb40\\udc41");
}

TEST(ColumnsOf, CountsWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("Läufer"), 6u);
  EXPECT_EQ(columns_of("歩く"), 4u);
  EXPECT_EQ(columns_of("a\u0301"), 1u);
}

TEST(OneLine, KeepsTextFromBreakingOrFloodingAMessage) {
  EXPECT_EQ(one_line("a\nb\tc\n"), "a b c");
  const std::string cut = one_line(std::string(599, 'x') + "ää");
  EXPECT_EQ(cut, std::string(599, 'x') + "…");
  EXPECT_EQ(one_line(std::string(600, 'x')), std::string(600, 'x'));
}

}  // namespace
}  // namespace throng
