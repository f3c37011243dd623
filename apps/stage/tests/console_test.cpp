// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include <gtest/gtest.h>

namespace {

using Notes = std::vector<std::string>;

TEST(CondensedNotes, TellThoseThatAreAlikeAsOne) {
  EXPECT_EQ(condensed_notes({"clip 'a' is baked as rows: bone 'x' scales by 1.5", "other",
                             "clip 'b' is baked as rows: bone 'it's' scales by 22"}),
            (Notes{"clip 'a' is baked as rows: bone 'x' scales by 1.5 (and 1 more like it)", "other"}));
}

TEST(CondensedNotes, AreAtMostEightAndSayHowManyAreLeft) {
  Notes notes;
  for (char c = 'a'; c <= 'h'; ++c) notes.push_back(std::string(1, c));
  EXPECT_EQ(condensed_notes(notes), notes);
  notes.push_back("i");
  notes.push_back("i");
  const Notes told = condensed_notes(notes);
  ASSERT_EQ(told.size(), 9u);
  EXPECT_EQ(told.back(), "2 more: see --verbose");
}

TEST(OptionNames, AreThoseOfTheCommandLineInsteadOfTheSettings) {
  EXPECT_EQ(with_option_names("bake with `near` and `max_error_mm`; `retarget_clips` would fit; `nothing`, near"),
            "bake with --near and --max-error; --retarget would fit; `nothing`, near");
}

TEST(ReadableBytes, KnowOneFromMany) {
  EXPECT_EQ(readable_bytes(1), "1 byte");
  EXPECT_EQ(readable_bytes(999), "999 bytes");
}

TEST(Colours, AreThereWhenTheyAreAskedForAndNotInAPipe) {
  EXPECT_TRUE((Console{.colours = Colours::always}.has_colours(stdout)));
  EXPECT_FALSE((Console{.colours = Colours::never}.has_colours(stdout)));
  std::FILE* const file = std::tmpfile();
  EXPECT_FALSE(Console{}.has_colours(file));
  EXPECT_EQ(columns_for(file), kMostColumns) << "a file has no width";
  std::fclose(file);
  EXPECT_EQ(Paint(true).bad("x"), "\033[1;31mx\033[0m");
  EXPECT_EQ(Paint(false).bad("x"), "x");
}

}  // namespace
