// SPDX-License-Identifier: Apache-2.0
#include "time_left.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "bake_phases.h"
#include "files.h"

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

// What a bake said, and when.
struct Heard {
  double at = 0.0;
  const char* phase = "";
  double done = 0.0;
};

// As they were heard of the default bake of these models, on two cores.
// Knight, 7.3 s.
const std::vector<Heard> kKnight{
    {0.00, "read", 0.00},    {0.23, "sample", 0.00}, {0.31, "levels", 0.00}, {0.61, "levels", 0.02},
    {0.93, "levels", 0.08},  {1.24, "levels", 0.13}, {1.55, "levels", 0.15}, {1.86, "levels", 0.17},
    {2.18, "levels", 0.20},  {2.51, "levels", 0.25}, {2.81, "levels", 0.31}, {3.15, "levels", 0.41},
    {3.46, "levels", 0.64},  {3.77, "levels", 0.85}, {4.07, "levels", 0.97}, {4.38, "levels", 0.99},
    {4.68, "levels", 1.00},  {4.79, "levels", 1.00}, {4.85, "choose", 0.00}, {5.17, "choose", 0.12},
    {5.48, "choose", 0.26},  {5.79, "choose", 0.36}, {6.09, "choose", 0.51}, {6.40, "choose", 0.67},
    {6.73, "choose", 0.79},  {7.04, "choose", 0.95}, {7.13, "choose", 1.00}, {7.13, "encode", 0.00},
    {7.14, "measure", 0.00}, {7.26, "write", 0.00}};
// Mannequin, 2.9 s.
const std::vector<Heard> kMannequin{
    {0.00, "read", 0.00},   {0.26, "sample", 0.00},  {0.27, "levels", 0.00}, {0.39, "levels", 0.05},
    {0.51, "levels", 0.13}, {0.63, "levels", 0.17},  {0.75, "levels", 0.22}, {1.04, "levels", 0.38},
    {1.16, "levels", 0.41}, {1.28, "levels", 0.44},  {1.40, "levels", 0.48}, {1.52, "levels", 0.51},
    {1.64, "levels", 0.54}, {1.76, "levels", 0.57},  {1.91, "levels", 0.59}, {2.03, "levels", 0.64},
    {2.15, "levels", 0.68}, {2.27, "levels", 0.73},  {2.39, "levels", 0.77}, {2.51, "levels", 0.86},
    {2.62, "levels", 0.94}, {2.63, "choose", 0.00},  {2.76, "choose", 0.64}, {2.84, "choose", 1.00},
    {2.84, "encode", 0.00}, {2.84, "measure", 0.00}, {2.85, "write", 0.00}};
// Trex, 2.7 s.
const std::vector<Heard> kTrex{
    {0.00, "read", 0.00},   {0.03, "surface", 0.08}, {0.08, "sample", 0.00},  {0.08, "levels", 0.00},
    {0.20, "levels", 0.06}, {0.31, "levels", 0.19},  {0.52, "levels", 0.23},  {0.63, "levels", 0.34},
    {0.91, "levels", 0.49}, {1.02, "levels", 0.53},  {1.13, "levels", 0.56},  {1.25, "levels", 0.60},
    {1.37, "levels", 0.64}, {1.49, "levels", 0.69},  {1.67, "levels", 0.71},  {1.78, "levels", 0.75},
    {1.89, "levels", 0.79}, {2.02, "levels", 0.83},  {2.13, "levels", 0.86},  {2.24, "levels", 0.90},
    {2.33, "levels", 0.94}, {2.35, "choose", 0.00},  {2.53, "choose", 0.47},  {2.70, "choose", 0.85},
    {2.70, "choose", 1.00}, {2.70, "encode", 0.00},  {2.70, "measure", 0.00}, {2.71, "write", 0.00}};
// CesiumMan, 1.0 s.
const std::vector<Heard> kCesiumMan{
    {0.00, "read", 0.00},   {0.00, "sample", 0.00}, {0.01, "levels", 0.00}, {0.09, "levels", 0.00},
    {0.13, "levels", 0.05}, {0.17, "levels", 0.08}, {0.22, "levels", 0.12}, {0.26, "levels", 0.16},
    {0.30, "levels", 0.20}, {0.35, "levels", 0.23}, {0.39, "levels", 0.25}, {0.44, "levels", 0.27},
    {0.48, "levels", 0.28}, {0.53, "levels", 0.29}, {0.59, "levels", 0.43}, {0.80, "levels", 0.63},
    {0.84, "levels", 0.69}, {0.89, "levels", 0.77}, {0.93, "levels", 0.87}, {0.96, "levels", 0.94},
    {0.97, "choose", 0.00}, {1.00, "choose", 1.00}, {1.00, "encode", 0.00}, {1.00, "measure", 0.00},
    {1.01, "write", 0.00}};
// Player, 1.4 s.
const std::vector<Heard> kPlayer{
    {0.00, "read", 0.00},   {0.02, "sample", 0.00},  {0.03, "levels", 0.00}, {0.09, "levels", 0.01},
    {0.15, "levels", 0.13}, {0.21, "levels", 0.21},  {0.27, "levels", 0.24}, {0.41, "levels", 0.24},
    {0.51, "levels", 0.36}, {0.81, "levels", 0.52},  {0.88, "levels", 0.60}, {0.94, "levels", 0.68},
    {1.00, "levels", 0.72}, {1.11, "levels", 0.72},  {1.17, "levels", 0.81}, {1.22, "levels", 0.90},
    {1.25, "levels", 0.94}, {1.25, "choose", 0.00},  {1.32, "choose", 0.61}, {1.35, "choose", 1.00},
    {1.35, "encode", 0.00}, {1.35, "measure", 0.00}, {1.35, "write", 0.00}};

struct Worst {
  double factor = 1.0;  // told too much or too little, but for a second
  double at = 0.0;
  int told = 0;
};

// As on a machine so many times slower, told every fifth of a second.
Worst replay(const std::vector<Heard>& bake, double slower) {
  std::vector<Phase> phases(kReadPhases.begin(), kReadPhases.end());
  phases.insert(phases.end(), kBakePhases.begin(), kBakePhases.end());
  TimeLeft left(phases);
  Worst worst;
  auto next = bake.begin();
  const double total = slower * bake.back().at;
  for (double now = 0.0; now < total; now += 0.2) {
    for (; next != bake.end() && slower * next->at <= now; ++next) left.see(slower * next->at, next->phase, next->done);
    const std::optional<double> told = left.at(now);
    if (!told) continue;
    ++worst.told;
    const double factor = (*told + 1.0) / (total - now + 1.0);
    if (std::max(factor, 1.0 / factor) <= worst.factor) continue;
    worst.factor = std::max(factor, 1.0 / factor);
    worst.at = now;
  }
  return worst;
}

TEST(TimeLeft, OfABakeIsRightWithinAFactorFromItsFirstSecondOn) {
  for (const auto& [name, bake] : {std::pair{"Knight", kKnight},
                                   {"mannequin", kMannequin},
                                   {"Trex", kTrex},
                                   {"CesiumMan", kCesiumMan},
                                   {"player", kPlayer}}) {
    for (const double slower : {1.0, 1.5, 3.0, 5.0}) {
      const Worst worst = replay(bake, slower);
      EXPECT_LT(worst.factor, 3.0) << name << ", " << slower << " times slower: at " << worst.at << " s";
      if (slower >= 3.0) {
        EXPECT_GT(worst.told, 8) << name;
      }
    }
  }
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
