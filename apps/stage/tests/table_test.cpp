// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <gtest/gtest.h>
#include <time.h>

#include <sstream>

#include "throng/base/text.h"

namespace {

using Kind = TableColumn::Kind;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, throng::columns_of(line));
  return widest;
}

TEST(Table, LinesUpColumnsUnderTheirHeadings) {
  EXPECT_EQ(table_text({{"clip", Kind::name}, {"frames", Kind::number}, {"plays"}},
                       {{{"walk", "30", "loop"}, {}}, {{"run_fast", "1,200", "once"}, {"why it is so"}}}),
            "  clip      frames  plays\n"
            "  walk          30  loop\n"
            "  run_fast   1,200  once\n"
            "    why it is so\n");
}

TEST(Table, CountsColumnsOfCharactersNotBytes) {
  EXPECT_EQ(table_text({{"clip", Kind::name}, {"n", Kind::number}}, {{{"läuft", "1"}, {}}, {{"歩く", "2"}, {}}}),
            "  clip   n\n"
            "  läuft  1\n"
            "  歩く   2\n");
}

TEST(Table, ShortensNamesUntilItFits) {
  const std::string text = table_text({{"clip", Kind::name}, {"bone", Kind::name}, {"frames", Kind::number}},
                                      {{{std::string(80, 'a'), std::string(60, 'b'), "1"}, {std::string(300, 'x')}}});
  EXPECT_LE(widest_line(text.substr(0, text.find("    x"))), kMostColumns);
  EXPECT_NE(text.find("a…a"), std::string::npos);
  EXPECT_NE(text.find("b…b"), std::string::npos);
}

TEST(Table, IsAsNarrowAsThePaintIs) {
  const std::vector<TableColumn> columns{{"clip", Kind::name}, {"frames", Kind::number}};
  const std::vector<TableRow> rows{{{std::string(60, 'a'), "1"}, {std::string(20, 'x') + ' ' + std::string(30, 'y')}}};
  EXPECT_EQ(widest_line(table_text(columns, rows, Paint(false, 40))), 40u);
  EXPECT_NE(table_text(columns, rows, Paint(false, 40)).find("x\n      y"), std::string::npos);
  EXPECT_EQ(widest_line(table_text(columns, rows)), 70u) << "and no narrower than it must";
}

TEST(Table, LeavesOutSpareColumnsWhereShortNamesDoNotHelp) {
  const std::vector<TableColumn> columns{
      {"clip", Kind::name}, {"fps", Kind::number, true}, {"plays", Kind::word, true}, {"kB", Kind::number}};
  const std::vector<TableRow> rows{{{"a_long_name_of_a_clip", "30", "loop", "1.2"}, {}}};
  EXPECT_EQ(table_text(columns, rows, Paint(false, 27)), "  clip      fps  plays   kB\n  a_lon…ip   30  loop   1.2\n");
  EXPECT_EQ(table_text(columns, rows, Paint(false, 26)), "  clip            fps   kB\n  a_long_na…clip   30  1.2\n");
  EXPECT_EQ(table_text(columns, rows, Paint(false, 18)), "  clip          kB\n  a_long_…lip  1.2\n");
  EXPECT_EQ(table_text(columns, rows, Paint(false, 10)), "  clip       kB\n  a_lon…ip  1.2\n") << "what is left stays";
}

TEST(Shortened, KeepsTheBeginningAndTheEnd) {
  EXPECT_EQ(shortened("walk", 4), "walk");
  EXPECT_EQ(shortened("1H_Melee_Attack_Slice_Diagonal", 16), "1H_Melee_A…gonal");
  EXPECT_EQ(throng::columns_of(shortened("歩く歩く歩く歩く", 10)), 9u)
      << "a wide character does not fit in half a column";
}

TEST(Shortened, KeepsNamesApartThatDifferWhereItIsCut) {
  const std::vector<std::string> names{"Character_Gun_Idle", "Character_Run_Idle", "Jump", "Character_Gun_Idle"};
  const std::vector<std::string> told = shortened_apart(names, 10);
  EXPECT_EQ(told[0], "C…Gun_Idle");
  EXPECT_EQ(told[1], "C…Run_Idle");
  EXPECT_EQ(told[2], "Jump");
  EXPECT_EQ(told[3], told[0]);
  EXPECT_EQ(shortened_apart({"Character_Gun_Idle"}, 10)[0], shortened("Character_Gun_Idle", 10));
  // No room to tell them by.
  EXPECT_EQ(shortened_apart({"ab_Character_Gun", "cd_Character_Gun"}, 4)[0], "ab…n");
  EXPECT_EQ(shortened_apart({"abcd", "abce"}, 0), (std::vector<std::string>{"", ""}));
}

TEST(Table, KeepsNamesApart) {
  const std::string text = table_text({{"clip", TableColumn::Kind::name}},
                                      {{{"Character_Gun_Idle"}, {}}, {{"Character_Run_Idle"}, {}}}, Paint(false, 14));
  EXPECT_NE(text.find("…Gun_Idle"), std::string::npos) << text;
  EXPECT_NE(text.find("…Run_Idle"), std::string::npos) << text;
}

TEST(SharedPrefix, IsTheArmatureThatAllNamesBeginWith) {
  EXPECT_EQ(shared_prefix({"Armature|Idle", "Armature|Ice"}), "Armature|");
  EXPECT_EQ(shared_prefix({"A|A|Idle", "A|A|Run"}), "A|A|");
  EXPECT_EQ(shared_prefix({"rig:walk", "rig:run"}), "rig:");
  EXPECT_EQ(shared_prefix({"Walk_Back", "Walk_Front"}), "");
  EXPECT_EQ(shared_prefix({"Armature|Idle", "Armature|Run", "Bend"}), "");
  EXPECT_EQ(shared_prefix({"Armature|", "Armature|Run"}), "") << "something must be left";
  EXPECT_EQ(shared_prefix({"Armature|Idle"}), "");
}

TEST(Wrapped, BreaksBetweenWordsAndKeepsTheIndent) {
  EXPECT_EQ(wrapped("one two three four", 2, 10), "one two\n  three\n  four");
  EXPECT_EQ(wrapped("a\nb", 2, 10), "a\n  b");
  EXPECT_EQ(wrapped("a  wide   gap", 0, 100), "a  wide   gap");
  EXPECT_EQ(wrapped("a " + std::string(20, 'x') + " b", 2, 10), "a\n  xxxxxxxx\n  xxxxxxxx\n  xxxx b");
  EXPECT_EQ(wrapped("", 4), "");
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// How many times as long four times the text takes. The least of a few measurements, for the machine may be busy.
template <class F>
double slowdown(const std::string& character, const F& work) {
  constexpr std::size_t kCharacters = 4000;
  constexpr double kMeasurable = 0.001;  // seconds
  const auto seconds = [&](std::size_t characters) {
    std::string text;
    for (std::size_t i = 0; i < characters; ++i) text += character;
    const double start = cpu_seconds();
    work(text);
    return std::max(cpu_seconds() - start, kMeasurable);
  };
  double least = 1e9;
  for (int i = 0; i < 3 && least > 6.0; ++i) {
    const double some = seconds(kCharacters);
    least = std::min(least, seconds(4 * kCharacters) / some);
  }
  return least;
}

// Names are as long as their file has them.
TEST(Table, FourTimesTheNameTakesAboutFourTimesTheTime) {
  constexpr double kMost = 8.0;  // between 4, which is linear, and 16, which is quadratic
  for (const char* character : {"a", "歩", "\u0301"}) {
    SCOPED_TRACE(character);
    const auto shorten = [](const std::string& name) { EXPECT_LE(throng::columns_of(shortened(name, 20)), 20u); };
    EXPECT_LT(slowdown(character, shorten), kMost);
    EXPECT_LT(slowdown(std::string("ab") + character, shorten), kMost);
    EXPECT_LT(slowdown(character, [](const std::string& name) { EXPECT_FALSE(wrapped(name, 2, 40).empty()); }), kMost);
  }
}

}  // namespace
