// SPDX-License-Identifier: Apache-2.0
// Whether crowds of any number fill their pictures, and whose colours are left alone.
#include "crowd/staging.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "crowd/crowding.h"
#include "mannequins.h"
#include "throng/playback/deform.h"
#include "throng/scene/scene_view.h"

namespace throng {
namespace {

constexpr double kAspect = 16.0 / 9.0;

const Troupe& mannequins() {
  static const Troupe troupe = make_troupe({test::mannequin()});
  return troupe;
}

// Where somebody stands in the picture: its feet and the top of its head, from 0 to 1 from the upper left.
struct Seen {
  glm::dvec2 feet, head;
};
std::vector<Seen> seen_in(const Staged& staged, double aspect) {
  ViewSettings settings;
  settings.height = 720;
  settings.width = static_cast<std::uint32_t>(720 * aspect);
  const glm::mat4 clip_from_world = scene_uniforms(staged.camera, settings, {}).clip_from_world;
  std::vector<Seen> all;
  for (const InstanceRecord& record : staged.crowd.instances(ModelId(0))) {
    const auto place = [&](double height) {
      const glm::vec4 clip = clip_from_world * glm::mat4(world_from_model(record)) * glm::vec4(0.0, height, 0.0, 1.0);
      return 0.5 * glm::dvec2(clip.x / clip.w, clip.y / clip.w) + 0.5;
    };
    all.push_back({place(0.0), place(1.8)});
  }
  return all;
}

struct Extent {
  glm::dvec2 least{1e9}, most{-1e9};
};
Extent extent_of(const std::vector<Seen>& all) {
  Extent extent;
  for (const Seen& seen : all)
    for (const glm::dvec2& p : {seen.feet, seen.head}) {
      extent.least = glm::min(extent.least, p);
      extent.most = glm::max(extent.most, p);
    }
  return extent;
}

double horizon_of(const Staged& staged) {
  const glm::dvec3 ahead = glm::normalize(staged.camera.target - staged.camera.eye);
  const double half = std::tan(glm::radians(0.5 * staged.camera.vertical_fov_degrees));
  return 0.5 + 0.5 * ahead.y / std::hypot(ahead.x, ahead.z) / half;
}

TEST(Staging, FewAreAllInThePictureAndFillIt) {
  for (const double aspect : {kAspect, 1.0, 0.6, 2.4})
    for (const std::uint32_t count : {1u, 2u, 3u, 5u, 12u, 20u, 39u}) {
      const Staged staged = stage_crowd(mannequins(), {.count = count}, View::crowd, aspect).value();
      const Extent extent = extent_of(seen_in(staged, aspect));
      EXPECT_GT(extent.least.x, 0.02) << count;
      EXPECT_LT(extent.most.x, 0.98) << count;
      EXPECT_GT(extent.least.y, 0.03) << count;
      EXPECT_LT(extent.most.y, 0.97) << count;
      const glm::dvec2 size = extent.most - extent.least;
      EXPECT_GT(std::max(size.x, size.y), aspect < 1.0 ? 0.48 : 0.55) << count << " in " << aspect;
    }
}

TEST(Staging, ManyFillThePictureUpToTheHorizonWhichIsInIt) {
  for (const std::uint32_t count : {40u, 120u, 199u, 200u, 300u, 1152u, 10000u}) {
    const Staged staged = stage_crowd(mannequins(), {.count = count}, View::crowd, kAspect).value();
    EXPECT_EQ(staged.crowd.size(), count);
    const auto all = seen_in(staged, kAspect);
    const Extent extent = extent_of(all);
    const double horizon = horizon_of(staged);
    EXPECT_GT(horizon, 0.08) << count;
    EXPECT_LT(horizon, 0.3) << count;
    EXPECT_LT(extent.least.y, horizon + 0.22) << count << ": heads of the last row near the horizon";
    EXPECT_GT(extent.most.y, 0.85) << count << ": feet of the first at the lower edge, or cut by it";
    EXPECT_LT(extent.least.x, 0.15) << count;
    EXPECT_GT(extent.most.x, 0.85) << count;
    const auto inside = std::ranges::count_if(all, [](const Seen& seen) {
      return seen.head.x > 0.0 && seen.head.x < 1.0 && seen.head.y > 0.0 && seen.head.y < 1.0;
    });
    EXPECT_GT(inside, 0.8 * count) << "hardly anybody stands where nobody sees it";
  }
}

TEST(Staging, FromAboveEverybodyIsSeen) {
  for (const std::uint32_t count : {1u, 5u, 30u, 120u, 1152u, 10000u}) {
    const Staged staged = stage_crowd(mannequins(), {.count = count}, View::above, kAspect).value();
    const Extent extent = extent_of(seen_in(staged, kAspect));
    EXPECT_GT(extent.least.x, -0.03) << count;
    EXPECT_LT(extent.most.x, 1.03) << count;
    EXPECT_GT(extent.least.y, -0.03) << count;
    EXPECT_LT(extent.most.y, 1.03) << count;
    const glm::dvec2 size = extent.most - extent.least;
    EXPECT_GT(std::max(size.x, size.y), 0.6) << count;
    if (count >= 120) {
      EXPECT_GT(std::min(size.x, size.y), 0.75) << count;
    }
  }
}

TEST(Staging, CloseShowsAFewLarge) {
  for (const std::uint32_t count : {1u, 2u, 5u, 39u, 200u, 1152u}) {
    const Staged staged = stage_crowd(mannequins(), {.count = count}, View::close, kAspect).value();
    double tallest = 0.0;
    for (const Seen& seen : seen_in(staged, kAspect))
      if (seen.head.x > 0.1 && seen.head.x < 0.9) tallest = std::max(tallest, seen.feet.y - seen.head.y);
    EXPECT_GT(tallest, 0.55) << count;
    EXPECT_LT(tallest, 1.3) << count;
  }
}

TEST(Staging, NobodyStandsInsideAnother) {
  for (const View view : {View::crowd, View::close, View::above})
    for (const std::uint32_t count : {2u, 5u, 20u, 39u, 120u, 300u}) {
      const Staged staged = stage_crowd(mannequins(), {.count = count}, view, kAspect).value();
      const Player& player = mannequins().players.front();
      struct Box {
        GroundBox box;
        bool walks;
      };
      std::vector<Box> boxes;
      const auto instances = staged.crowd.instances(ModelId(0));
      const auto plays = staged.crowd.plays(ModelId(0));
      for (std::size_t i = 0; i < instances.size(); ++i) {
        const glm::dmat4 world = world_from_model(instances[i]);
        const glm::dvec3 ahead = glm::normalize(glm::dvec3(world[2]));
        const ClipMeasures& clip = player.measures.clips[plays[i].track.clip];
        boxes.push_back({ground_box({world[3].x, world[3].z}, {ahead.x, ahead.z},
                                    clip.footprint.scaled(glm::length(glm::dvec3(world[0])))),
                         clip.gait.cycle > 0.0});
      }
      for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
          // Those who turn about in the procession have their own test: people, not boxes.
          if (boxes[i].walks && boxes[j].walks) continue;
          ASSERT_TRUE(apart(boxes[i].box, boxes[j].box)) << count << " " << i << " " << j;
        }
    }
}

TEST(Staging, OneAlonePlaysSomethingCalmFromItsStart) {
  const Staged staged = stage_crowd(mannequins(), {.count = 1}, View::close, kAspect).value();
  const PlayRecord& play = staged.crowd.plays(ModelId(0))[0];
  EXPECT_EQ(test::mannequin().clips()[play.track.clip].name, "idle");
  EXPECT_EQ(world_from_model(staged.crowd.instances(ModelId(0))[0]), glm::dmat4(1.0));
}

TEST(Staging, SeveralModelsShareTheSquare) {
  const Character other = test::baked(test::mannequin_model(), {.clips = {"walk", "idle", "cheer"}});
  const Troupe troupe = make_troupe({test::mannequin(), other});
  const Staged staged = stage_crowd(troupe, {.count = 1152}, View::crowd, kAspect).value();
  EXPECT_EQ(staged.crowd.size(), 1152u);
  for (const ModelId model : {ModelId(0), ModelId(1)}) {
    EXPECT_GT(staged.crowd.instances(model).size(), 450u);
    for (const PlayRecord& play : staged.crowd.plays(model))
      ASSERT_LT(play.track.clip, staged.crowd.character(model).clips().size());
  }
}

// Boxes may be thin: people keep two thirds of a metre between their middles whatever they do.
TEST(Staging, NobodyStandsCloserThanPeopleDo) {
  for (const std::uint32_t count : {120u, 1152u}) {
    const Staged staged = stage_crowd(mannequins(), {.count = count}, View::crowd, kAspect).value();
    const Player& player = mannequins().players.front();
    std::vector<glm::dvec2> places;
    const auto instances = staged.crowd.instances(ModelId(0));
    const auto plays = staged.crowd.plays(ModelId(0));
    for (std::size_t i = 0; i < instances.size(); ++i) {
      if (player.measures.clips[plays[i].track.clip].gait.cycle > 0.0) continue;  // walkers have lanes
      const glm::dmat4 world = world_from_model(instances[i]);
      places.emplace_back(world[3].x, world[3].z);
    }
    double closest = 1e9;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = i + 1; j < places.size(); ++j)
        closest = std::min(closest, glm::distance(places[i], places[j]));
    EXPECT_GT(closest, 0.64) << count;
    EXPECT_LT(closest, 0.7) << count << ": and no crowd is looser than that";
  }
}

TEST(Tints, LeaveWhatAnArtistPaintedAloneUnlessAsked) {
  CharacterDraft draft = test::mannequin().draft();
  draft.name = "pug";
  const Character pug = build_character(std::move(draft)).value();
  EXPECT_EQ(tinting_for(test::mannequin(), Tinting::automatic), Tinting::strong);
  EXPECT_EQ(tinting_for(pug, Tinting::automatic), Tinting::none);
  EXPECT_EQ(tinting_for(pug, Tinting::gentle), Tinting::gentle);
  EXPECT_EQ(tinting_for(pug, Tinting::strong), Tinting::strong);
  Scatter scatter(1);
  bool dyed = false;
  for (std::uint32_t i = 1; i < 50; ++i) {
    const Person person{.part = i % 2 == 0 ? Part::procession : Part::group, .company = i};
    const auto is_white = [](const Tint& tint) { return tint.red == 255 && tint.green == 255 && tint.blue == 255; };
    const Look gentle = look_of(pug, Tinting::gentle, person, i, scatter);
    EXPECT_TRUE(is_white(gentle.tint));
    EXPECT_EQ(gentle.variation, i);
    const Look none = look_of(pug, Tinting::none, person, i, scatter);
    EXPECT_TRUE(is_white(none.tint));
    EXPECT_EQ(none.variation, 0u) << "exactly as it was made";
    dyed = dyed || !is_white(look_of(pug, Tinting::strong, person, i, scatter).tint);
  }
  EXPECT_TRUE(dyed);
}

TEST(Tints, OnlyLeanOnThePicturesOfAModel) {
  CharacterDraft draft = test::mannequin().draft();
  draft.images.push_back({.name = "skin", .mime_type = "image/png", .bytes = {}, .uri = "skin.png"});
  const Character painted = build_character(std::move(draft)).value();
  Scatter scatter(1);
  int darkest = 255;
  for (std::uint32_t i = 1; i < 500; ++i) {
    const Tint tint = look_of(painted, Tinting::strong, {.part = Part::procession, .company = i}, i, scatter).tint;
    darkest = std::min({darkest, int{tint.red}, int{tint.green}, int{tint.blue}});
  }
  // The darkest dye of a procession has 38 of 255: a third of what it takes away is left.
  EXPECT_NEAR(darkest, 255 - (255 - 38) / 3, 3);
}

TEST(Framing, LeavesASeventhOfThePictureToTheSkyAboveACrowd) {
  for (const std::uint32_t count : {200u, 1152u, 10000u}) {
    const Composition composition = compose(View::crowd, count, 1.0, kAspect);
    const glm::dvec3 ahead = composition.camera.target - composition.camera.eye;
    const double half = std::tan(glm::radians(0.5 * composition.camera.vertical_fov_degrees));
    const double horizon = 0.5 + 0.5 * ahead.y / std::hypot(ahead.x, ahead.z) / half;
    EXPECT_NEAR(horizon, 1.0 / 7.0, 0.02) << count;
  }
}

TEST(Framing, ShowsAPersonOfTheFirstRowOnFourFifthsOfACloseView) {
  const Camera camera = compose(View::close, 300, 1.0, kAspect).camera;
  const glm::dvec3 ahead = glm::normalize(camera.target - camera.eye);
  const glm::dvec3 up(0.0, -ahead.z, ahead.y);
  const auto height_of = [&](double y) {
    const glm::dvec3 from_eye = glm::dvec3(0.0, y, 0.0) - camera.eye;
    return 0.5 * glm::dot(from_eye, up) / glm::dot(from_eye, ahead) /
           std::tan(glm::radians(0.5 * camera.vertical_fov_degrees));
  };
  EXPECT_NEAR(height_of(1.8) - height_of(0.0), 0.8, 0.02);
}

TEST(Framing, LeavesMoreRoomAboveASubjectThanBelowIt) {
  // So wide that the sides decide the distance: the rest of the height is free.
  const Bounds low{{-3.0, 0.0, -0.1}, {3.0, 1.0, 0.1}};
  const Camera camera =
      fit_camera(std::span(&low, 1), kAspect, 0.0, 0.0, 28.0, {.side = 0.0, .top = 0.0, .bottom = 0.0});
  const double half = std::tan(glm::radians(14.0)) * (camera.eye.z - 0.1);
  const double above = camera.eye.y + half - 1.0;
  const double below = 0.0 - (camera.eye.y - half);
  ASSERT_GT(below, 0.1);
  EXPECT_NEAR(above / (above + below), 0.7, 0.02) << "as portraits have it";
}

}  // namespace
}  // namespace throng
