// SPDX-License-Identifier: Apache-2.0
#include "time_left.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace {

// Work whose phases take so many seconds each, at a pace of their own: how far a phase is when a share of its time is
// over.
struct Step {
  const char* phase = "";
  double seconds = 0.0;
  std::function<double(double)> pace = [](double share) { return share; };
};

struct Told {
  double now = 0.0;
  std::optional<double> left;
  double truth = 0.0;
};

// What is told every tenth of a second.
std::vector<Told> play(std::vector<Phase> phases, const std::vector<Step>& steps) {
  TimeLeft left(std::move(phases));
  double total = 0.0;
  for (const Step& step : steps) total += step.seconds;
  std::vector<Told> told;
  double begun = 0.0;
  constexpr double kTick = 0.1;
  for (const Step& step : steps) {
    for (double t = 0.0; t < step.seconds; t += kTick) {
      left.see(begun + t, step.phase, step.pace(t / step.seconds));
      told.push_back({begun + t, left.at(begun + t), total - begun - t});
    }
    begun += step.seconds;
  }
  return told;
}

TEST(TimeLeft, IsRightWhereThePaceIsEvenAndTheWeightsAreTrue) {
  const auto all = play({{"a", "", 1.0}, {"b", "", 3.0}}, {{"a", 10.0}, {"b", 30.0}});
  for (const Told& told : all) {
    if (!told.left) continue;
    EXPECT_NEAR(*told.left, told.truth, 0.02 * told.truth + 0.2) << told.now;
  }
}

TEST(TimeLeft, IsNotToldBeforeThereIsSomethingToTellFrom) {
  for (const Told& told : play({{"a", "", 1.0}}, {{"a", 200.0}})) {
    if (told.now < 1.0 || told.now < 0.02 * 200.0) {
      EXPECT_FALSE(told.left) << told.now;
    } else {
      EXPECT_TRUE(told.left) << told.now;
    }
  }
  // A phase that does not say how far it is.
  TimeLeft left({{"draw", "", 1.0}});
  left.see(0.0, "draw", 0.0);
  EXPECT_FALSE(left.at(50.0));
  left.see(51.0, "unheard of", 0.5);
  EXPECT_FALSE(left.at(52.0));
}

// The second phase is five times as long as the weights say: the guess is wrong at first and gets better.
TEST(TimeLeft, GetsBetterWhereTheWeightsAreWrong) {
  const auto all = play({{"a", "", 1.0}, {"b", "", 1.0}}, {{"a", 10.0}, {"b", 50.0}});
  const auto off = [&all](double now) {
    const auto found = std::find_if(all.begin(), all.end(), [now](const Told& told) { return told.now >= now; });
    return std::abs(found->left.value_or(1e9) - found->truth) / found->truth;
  };
  EXPECT_GT(off(9.0), 0.5);
  EXPECT_LT(off(25.0), 0.05);
  EXPECT_LT(off(50.0), 0.05);
}

TEST(TimeLeft, DoesNotJumpWhereThePaceDoes) {
  // In fits and starts: twenty leaps.
  const auto leaps = [](double share) { return std::floor(share * 20.0) / 20.0; };
  // Slow, then fast.
  const auto late = [](double share) { return share * share; };
  for (const std::vector<Step>& steps : {std::vector<Step>{{"a", 40.0, leaps}, {"b", 20.0, leaps}},
                                         std::vector<Step>{{"a", 40.0, late}, {"b", 20.0, late}}}) {
    std::optional<double> before;
    double since = 0.0;
    for (const Told& told : play({{"a", "", 1.0}, {"b", "", 1.0}}, steps)) {
      if (before && told.left) {
        // Beyond what went by: a tenth of what is left in a second, at most.
        const double jump = *told.left - (*before - (told.now - since));
        EXPECT_LT(std::abs(jump), 0.1 * *before + 0.25) << told.now;
      }
      before = told.left;
      since = told.now;
    }
  }
}

TEST(TimeLeft, CountsDownWhileNothingIsReportedAndNeverBelowNothing) {
  TimeLeft left({{"a", "", 1.0}});
  left.see(0.0, "a", 0.0);
  left.see(5.0, "a", 0.5);
  const double first = *left.at(5.0);
  EXPECT_NEAR(first, 5.0, 1e-9);
  EXPECT_NEAR(*left.at(6.0), 4.0, 1e-9);
  for (double now = 6.0; now < 100.0; now += 1.0) EXPECT_GE(*left.at(now), 0.0);
}

// Clips that may not share frames after all are encoded and measured again.
TEST(TimeLeft, KnowsPhasesThatComeAgainAndThoseThatAreLeftOut) {
  const auto again = play({{"a", "", 1.0}, {"b", "", 1.0}}, {{"a", 10.0}, {"b", 10.0}, {"a", 10.0}, {"b", 10.0}});
  EXPECT_NEAR(*again.back().left, again.back().truth, 0.5);
  for (const Told& told : again) {
    EXPECT_LT(told.left.value_or(0.0), 45.0) << told.now;
  }
  const auto left_out = play({{"a", "", 1.0}, {"b", "", 5.0}, {"c", "", 1.0}}, {{"a", 10.0}, {"c", 10.0}});
  EXPECT_NEAR(*left_out.back().left, left_out.back().truth, 0.5);
}

TEST(ReadableTime, IsNoFinerThanAnEstimateDeserves) {
  const std::vector<std::pair<double, const char*>> times{
      {0.0, "1 s"},      {0.4, "1 s"},      {7.6, "8 s"},          {19.4, "19 s"},       {23.0, "25 s"},
      {57.4, "55 s"},    {57.6, "1 min"},   {64.0, "1 min"},       {66.0, "1 min 10 s"}, {130.0, "2 min 10 s"},
      {599.0, "10 min"}, {700.0, "12 min"}, {3599.0, "1 h 0 min"}, {7500.0, "2 h 5 min"}};
  for (const auto& [seconds, text] : times) EXPECT_EQ(readable_time(seconds), text) << seconds;
}

TEST(TimeLeft, GrowsWithAPhaseThatStandsStill) {
  // Half of the first of two alike after two seconds; nothing is heard for eight more. The first has taken ten seconds
  // at least, so the second will take ten.
  TimeLeft left({{"a", "first", 1.0}, {"b", "second", 1.0}});
  left.see(0.0, "a", 0.0);
  left.see(2.0, "a", 0.5);
  EXPECT_NEAR(left.at(10.0).value(), 10.0, 1e-9);
}

}  // namespace
