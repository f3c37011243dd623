// SPDX-License-Identifier: Apache-2.0
#include "render/sheet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mannequins.h"
#include "render/bake_piece.h"
#include "throng/playback/deform.h"
#include "throng/scene/scene_view.h"

namespace throng {
namespace {

TEST(SheetPlan, FitsAnyNumberOfFramesAndKeepsThemReadable) {
  for (const std::uint32_t frames : {1u, 2u, 7u, 30u, 100u, 499u})
    for (const glm::uvec2 size : {glm::uvec2(1920, 1080), glm::uvec2(320, 180), glm::uvec2(800, 1200)}) {
      const SheetPlan plan = plan_sheet(frames, 1.0, 1.8, size.x, size.y);
      EXPECT_EQ(plan.shown, (frames + plan.step - 1) / plan.step);
      EXPECT_GE(plan.columns * plan.rows, plan.shown);
      EXPECT_LT(plan.columns * (plan.rows - 1), plan.shown) << "no empty row";
      EXPECT_LE(plan.left + plan.columns * plan.cell_width, size.x);
      EXPECT_LE(plan.top + plan.rows * plan.cell_height, size.y);
      EXPECT_LE(plan.pixels * 1.0, plan.cell_width);
      EXPECT_GE(plan.pixels * 1.8, 26.0) << frames << " in " << size.x;
      EXPECT_GE(plan.cell_width, text_width("0.00", plan.dot));
    }
  EXPECT_EQ(plan_sheet(30, 1.0, 1.8, 1920, 1080).step, 1u);
  EXPECT_EQ(plan_sheet(499, 1.0, 1.8, 1920, 1080).step, 1u);
  EXPECT_GT(plan_sheet(499, 1.0, 1.8, 320, 180).step, 1u);
}

TEST(SheetPlan, FillsThePicture) {
  for (const std::uint32_t frames : {1u, 12u, 30u, 60u}) {
    const SheetPlan plan = plan_sheet(frames, 1.0, 1.8, 1280, 720);
    const double across = plan.columns * plan.pixels * 1.0, down = plan.rows * plan.pixels * 1.8;
    EXPECT_GT(std::max(across / 1280, down / 720), 0.6) << frames;
  }
}

TEST(Sheet, ShowsEveryFrameFromTheSideWithItsNumberBelowItsFeet) {
  const Troupe troupe = make_troupe({test::mannequin()});
  const ClipId walk = test::mannequin().find_clip("walk").value();
  const Sheet sheet = stage_sheet(troupe, walk, 1280, 720).value();
  const std::uint32_t frames = test::mannequin().clips()[walk.value].frame_count;
  ASSERT_EQ(sheet.staged.crowd.size(), frames);
  EXPECT_TRUE(sheet.note.empty());
  ViewSettings settings;
  const glm::mat4 clip_from_world = scene_uniforms(sheet.staged.camera, settings, {}).clip_from_world;
  for (std::uint32_t i = 0; i < frames; ++i) {
    const glm::mat4 world(world_from_model(sheet.staged.crowd.instances(ModelId(0))[i]));
    const auto pixel = [&](const glm::vec3& p) {
      const glm::vec4 clip = clip_from_world * world * glm::vec4(p, 1.0f);
      return glm::dvec2((clip.x / clip.w * 0.5 + 0.5) * 1280, (clip.y / clip.w * 0.5 + 0.5) * 720);
    };
    const glm::dvec2 feet = pixel({0, 0, 0}), head = pixel({0, 1.8f, 0}), ahead = pixel({0, 0, 0.5f});
    EXPECT_GT(ahead.x, feet.x + 10.0) << "it looks to the right";
    EXPECT_NEAR(ahead.y, feet.y, 2.0);
    EXPECT_GT(head.y, 0.0);
    const Caption& number = sheet.captions[2 * i];
    EXPECT_EQ(number.text, std::to_string(i));
    const double right = troupe.players.front().measures.clips[walk.value].footprint.least.x;
    const double nearest = pixel({static_cast<float>(right), 0, 0}).y;
    EXPECT_GT(nearest, feet.y + 2.0) << "its right hand is nearer, and seen lower";
    EXPECT_GT(number.y, nearest) << "below the feet, and below what it holds";
    EXPECT_LT(number.y, nearest + 14.0);
    EXPECT_NEAR(number.x, feet.x, 0.6 * (feet.y - head.y));
    EXPECT_LT(number.y + kLetterHeight * number.dot, 720.0);
  }
}

TEST(Sheet, CountsFramesAsTheClipDoesWhereItShowsOnlySome) {
  const Troupe troupe = make_troupe({test::mannequin()});
  const ClipId walk = test::mannequin().find_clip("walk").value();
  const BakedClip& clip = test::mannequin().clips()[walk.value];
  const Sheet sheet = stage_sheet(troupe, walk, 200, 112).value();
  const auto shown = static_cast<std::uint32_t>(sheet.staged.crowd.size());
  ASSERT_LT(shown, clip.frame_count);
  const std::uint32_t step = (clip.frame_count + shown - 1) / shown;
  EXPECT_NE(sheet.note.find(fmt::format("one of every {} is shown", step)), std::string::npos) << sheet.note;
  for (std::uint32_t i = 0; i < shown; ++i) {
    EXPECT_EQ(sheet.captions[2 * i].text, std::to_string(i * step));
    EXPECT_EQ(sheet.captions[2 * i + 1].text, fmt::format("{:.2f}", i * step / clip.rate()));
  }
}

TEST(Sheet, KeepsWhoWalksAwayAboveItsNumbers) {
  const Character kept = test::baked(test::travelling_mannequin(), {.loops = {"walk"}});
  const ClipId walk = kept.find_clip("walk").value();
  const Sheet sheet = stage_sheet(make_troupe({kept}), walk, 1280, 720).value();
  const glm::mat4 clip_from_world = scene_uniforms(sheet.staged.camera, ViewSettings{}, {}).clip_from_world;
  const Deformer deformer(kept);
  std::vector<glm::vec3> positions(kept.vertices().size());
  for (std::uint32_t i = 0; i < sheet.staged.crowd.size(); ++i) {
    const InstanceRecord& record = sheet.staged.crowd.instances(ModelId(0))[i];
    const PlayRecord& play = sheet.staged.crowd.plays(ModelId(0))[i];
    ASSERT_TRUE(deformer.run(play, 0, {.positions = positions}, &record));
    Bounds box;
    for (const glm::vec3& position : positions) box.add(glm::dvec3(position));
    const glm::vec4 middle = clip_from_world * glm::vec4(glm::vec3(box.centre()), 1.0f);
    const glm::vec4 top = clip_from_world * glm::vec4(glm::vec3(box.max), 1.0f);
    const double tall = 720.0 * std::abs(middle.y / middle.w - top.y / top.w);
    EXPECT_NEAR((middle.x / middle.w * 0.5 + 0.5) * 1280.0, sheet.captions[2 * i].x, 0.15 * tall) << "frame " << i;
  }
}

// A body with a spear so thin that nobody leaves room for it in a crowd.
TEST(Sheet, KeepsSpearsInThePicture) {
  constexpr float kTip = 4.0f;
  PropMesh mesh;
  for (const glm::vec3& corner : {glm::vec3(0, 0, -0.2f),
                                  {0, 0, 0.2f},
                                  {0, 1.8f, 0.2f},
                                  {0, 1.8f, -0.2f},
                                  {0, 1.0f, 0.2f},
                                  {0, 1.005f, 0.2f},
                                  {0, 1.0f, kTip}}) {
    mesh.positions.push_back(corner);
    mesh.normals.emplace_back(1, 0, 0);
    mesh.colours.emplace_back(1, 1, 1);
  }
  mesh.indices = {0, 1, 2, 0, 2, 3, 4, 5, 6};
  const Character character = bake_piece({"body", std::move(mesh), "root"}).value();
  const Sheet sheet = stage_sheet(make_troupe({character}), ClipId(0), 640, 360).value();
  const glm::mat4 clip_from_world = scene_uniforms(sheet.staged.camera, ViewSettings{}, {}).clip_from_world;
  for (const InstanceRecord& record : sheet.staged.crowd.instances(ModelId(0)))
    for (const float z : {-0.2f, kTip}) {
      const glm::vec4 at = clip_from_world * glm::mat4(world_from_model(record)) * glm::vec4(0, 1, z, 1);
      EXPECT_LT(std::abs(at.x / at.w), 1.0f) << z;
    }
}

TEST(Letters, AreDrawnInInkAndCutAtTheEdges) {
  Image image{40, 20, std::vector<std::uint8_t>(40 * 20 * 4, 100)};
  draw_captions({{20.0, 6.0, 1, "1"}, {0.0, -3.0, 2, "W"}, {60.0, 40.0, 1, "x"}}, image);
  // A one is a stem in the middle of its five dots.
  const auto pixel = [&](int x, int y) {
    return static_cast<int>(image.rgba[static_cast<std::size_t>((y * 40 + x) * 4)]);
  };
  EXPECT_LT(pixel(20, 9), 60);
  EXPECT_GT(pixel(23, 9), 60);
  EXPECT_GT(pixel(21, 9), 200) << "a halo";
  EXPECT_EQ(pixel(35, 15), 100);
  EXPECT_EQ(text_width("12", 2), 22.0);
}

}  // namespace
}  // namespace throng
