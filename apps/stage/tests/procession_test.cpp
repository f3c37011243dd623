// SPDX-License-Identifier: Apache-2.0
// Those who walk: along their way, as fast as their feet, and not through one another.
#include "crowd/procession.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "crowd/square.h"
#include "crowd/staging.h"
#include "mannequins.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

TEST(ClosedPath, GoesAroundAndKeepsItsMeasure) {
  std::vector<glm::dvec2> circle;
  for (int i = 0; i < 360; ++i) {
    const double angle = i * std::numbers::pi / 180.0;
    circle.emplace_back(3.0 * std::sin(angle), 3.0 * std::cos(angle));
  }
  const ClosedPath path(circle);
  EXPECT_NEAR(path.length(), 6.0 * std::numbers::pi, 0.01);
  for (double gone = -30.0; gone < 60.0; gone += 0.37) {
    EXPECT_NEAR(glm::length(path.at(gone)), 3.0, 0.01);
    EXPECT_NEAR(glm::distance(path.at(gone), path.at(gone + path.length())), 0.0, 1e-6);
    EXPECT_NEAR(glm::distance(path.at(gone), path.at(gone + 0.1)), 0.1, 0.002);
    EXPECT_NEAR(glm::dot(path.ahead(gone), glm::normalize(path.at(gone))), 0.0, 0.02) << "along, not outwards";
    EXPECT_NEAR(glm::length(path.ahead(gone)), 1.0, 1e-9);
  }
}

TEST(LanePath, ComesDownOneSideOfTheWayAndGoesBackOnTheOther) {
  const ClosedPath lane = lane_path(1.5, 4.0, 40.0);
  bool came = false, went = false;
  for (double gone = 0.0; gone < lane.length(); gone += 0.25) {
    const glm::dvec2 at = lane.at(gone), ahead = lane.ahead(gone);
    EXPECT_GT(at.y, -42.0);
    EXPECT_LT(at.y, 6.0);
    EXPECT_GT(glm::dot(ahead, lane.ahead(gone + 0.25)), 0.9) << "no corners, at " << at.y;
    if (at.y < -39.0 || at.y > 3.0) continue;
    const double aside = at.x - way_at(at.y);
    EXPECT_NEAR(std::abs(aside), 1.5, 0.2);
    EXPECT_EQ(ahead.y > 0.0, aside < 0.0) << "who comes is on the left";
    came = came || ahead.y > 0.0;
    went = went || ahead.y < 0.0;
  }
  EXPECT_TRUE(came && went);
}

// A baked file may say that what it holds reaches as far as numbers go.
TEST(LanePath, OfAnyLengthTakesLimitedMemory) {
  for (const double aside : {1e6, 1e30, 1e300}) {
    const ClosedPath lane = lane_path(aside, aside, aside);
    EXPECT_GE(lane.length(), aside);
  }
}

TEST(LanePlan, KeepsLanesAsFarApartAsTheirWalkersAreWide) {
  const std::vector<Footprint> walkers{
      {{-0.3, -0.4}, {0.3, 0.4}}, {{-0.8, -0.5}, {0.6, 1.5}}, {{-0.2, -0.2}, {0.2, 0.2}}};
  const LanePlan plan = plan_lanes(walkers);
  ASSERT_EQ(plan.lanes.size(), 3u);
  for (std::size_t i = 0; i + 1 < 3; ++i) {
    const double wide =
        std::max(-walkers[i].least.x, walkers[i].most.x) + std::max(-walkers[i + 1].least.x, walkers[i + 1].most.x);
    EXPECT_GT(plan.lanes[i + 1].aside - plan.lanes[i].aside, wide);
  }
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(plan.lanes[i].spacing - walkers[i].size().y, 0.3, 0.03) << "half a step between one and the next";
  EXPECT_GT(plan.half, plan.lanes.back().aside + 0.2);
  EXPECT_GT(plan.lanes.front().aside, 0.3) << "those who come and those who go do not meet";
}

TEST(LanePlaces, AreLooseAndNeverTooClose) {
  const auto places = lane_places(100.0, 60, 1.2, 5);
  ASSERT_EQ(places.size(), 60u);
  double least = 1e9, most = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double next = i + 1 < places.size() ? places[i + 1] : places[0] + 100.0;
    least = std::min(least, next - places[i]);
    most = std::max(most, next - places[i]);
  }
  EXPECT_GE(least, 1.2);
  EXPECT_GT(most, 1.6);
  EXPECT_EQ(lane_places(100.0, 600, 1.2, 5).size(), 83u) << "no more than fit";
}

TEST(Procession, TurnsWhoeverWalksSoThatItsClipLeadsAlongTheLane) {
  const std::vector<ClosedPath> lanes{lane_path(1.5, 4.0, 40.0)};
  const Procession procession(lanes, 2.0);
  for (const glm::dvec2 ahead : {glm::dvec2(0, 1), glm::dvec2(1, 0), glm::dvec2(0, -1), glm::dvec2(0.6, -0.8)})
    for (double seconds = 0.0; seconds < 60.0; seconds += 3.1) {
      const Walker walker{.start = 2.0, .gait = {.cycle = 1.5, .ahead = ahead}, .rate = 1.0};
      const Placement placement = procession.place_of(walker, seconds, {.position = {0.0f, 7.0f, 0.0f}});
      const glm::dvec2 way = lanes[0].ahead(gone_after(walker, seconds));
      const glm::vec3 led = placement.rotation * glm::vec3(ahead.x, 0.0, ahead.y);
      EXPECT_NEAR(led.x, way.x, 1e-5) << "a clip that leads to " << ahead.x << ", " << ahead.y;
      EXPECT_NEAR(led.z, way.y, 1e-5);
      const glm::dvec2 at = 2.0 * lanes[0].at(gone_after(walker, seconds));
      EXPECT_NEAR(placement.position.x, at.x, 1e-5);
      EXPECT_NEAR(placement.position.z, at.y, 1e-5);
      EXPECT_EQ(placement.position.y, 7.0f);
    }
}

class Walking : public testing::Test {
 protected:
  static Staged staged(const Character& model) {
    return stage_crowd(make_troupe({model}), {.count = 400}, View::crowd, 16.0 / 9.0).value();
  }
  // Where all of them are then.
  static std::vector<glm::vec3> places(Staged& stage, double seconds) {
    EXPECT_TRUE(stage.procession.move_to(seconds, stage.crowd));
    std::vector<glm::vec3> places;
    for (const InstanceRecord& record : stage.crowd.instances(ModelId(0)))
      places.emplace_back(world_from_model(record)[3]);
    return places;
  }
};

TEST_F(Walking, MovesTheProcessionAndNobodyElse) {
  Staged stage = staged(test::mannequin());
  ASSERT_GT(stage.procession.size(), 40u);
  const auto before = places(stage, 2.0), after = places(stage, 2.5);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const float way = glm::distance(before[i], after[i]);
    if (way == 0.0f) continue;
    ++moved;
    EXPECT_NEAR(way, 0.5 * test::kMannequinWalk, 0.12) << "half a second of a walk";
  }
  EXPECT_EQ(moved, stage.procession.size());
  EXPECT_EQ(places(stage, 2.0), before) << "where they are depends on the time alone";
}

TEST_F(Walking, NobodyWalksThroughAnother) {
  Staged stage = staged(test::mannequin());
  for (double seconds = 0.0; seconds < 40.0; seconds += 1.7) {
    auto at = places(stage, seconds);
    std::ranges::sort(at, {}, [](const glm::vec3& p) { return p.x; });
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = i + 1; j < at.size() && at[j].x - at[i].x < 0.55f; ++j)
        ASSERT_GT(glm::distance(at[i], at[j]), 0.55f) << "at " << seconds << " s";
  }
}

// How fast what stands on the ground slides over it, in the middle, of all walkers at all moments.
double sliding(Staged& stage, const Character& model) {
  const Deformer deformer(model);
  std::vector<double> speeds;
  const std::size_t count = model.vertices().size();
  std::vector<glm::vec3> before(count), now(count);
  constexpr double kStep = 1.0 / 60.0;
  for (double seconds = 0.0; seconds < 1.2; seconds += 0.1) {
    const auto pose = [&](double at, std::vector<glm::vec3>& positions, std::uint32_t who) {
      EXPECT_TRUE(stage.procession.move_to(at, stage.crowd));
      const InstanceRecord& record = stage.crowd.instances(ModelId(0))[who];
      EXPECT_TRUE(
          deformer.run(stage.crowd.plays(ModelId(0))[who], ticks_from_seconds(at), {.positions = positions}, &record));
    };
    const auto last = static_cast<std::uint32_t>(stage.crowd.size() - 1);  // walkers come last
    for (std::uint32_t who = last; who > last - 6; --who) {
      pose(seconds, before, who);
      pose(seconds + kStep, now, who);
      glm::vec3 sum(0.0f);
      float feet = 0.0f;
      for (std::size_t v = 0; v < count; ++v) {
        if (std::max(before[v].y, now[v].y) > 0.012f) continue;
        sum += now[v] - before[v];
        feet += 1.0f;
      }
      if (feet > 0.0f) speeds.push_back(glm::length(glm::vec2(sum.x, sum.z) / feet) / kStep);
    }
  }
  std::ranges::sort(speeds);
  return speeds[speeds.size() / 2];
}

TEST_F(Walking, FeetDoNotSlide) {
  Staged on_the_spot = staged(test::mannequin());
  EXPECT_LT(sliding(on_the_spot, test::mannequin()), 0.2) << "metres a second; a treadmill's is 1.25";
}

TEST_F(Walking, FeetDoNotSlideWithRootMotionEither) {
  const Character taken_off =
      test::baked(test::travelling_mannequin(), {.loops = {"walk"}, .root_motion = RootTreatment::extract});
  Staged moved = staged(taken_off);
  EXPECT_LT(sliding(moved, taken_off), 0.2);
  const Character kept = test::baked(test::travelling_mannequin(), {.loops = {"walk"}});
  Staged in_poses = staged(kept);
  EXPECT_LT(sliding(in_poses, kept), 0.2);
}

}  // namespace
}  // namespace throng
