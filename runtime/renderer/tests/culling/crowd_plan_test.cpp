// SPDX-License-Identifier: Apache-2.0
// A plan made on the CPU is what the passes make of the same crowd: who is seen in which view, at which level, in which
// order, and between which frames.
#include <gtest/gtest.h>

#include <bit>
#include <glm/gtc/matrix_transform.hpp>
#include <numeric>

#include "culling/culling_stage.h"
#include "dice.h"
#include "mannequin_model.h"
#include "own_renderer.h"
#include "test_device.h"
#include "throng/bake/bake.h"
#include "throng/plan/crowd_plan.h"
#include "throng/plan/model_record.h"

namespace throng {
namespace {

constexpr double kStep = 0.3;       // seconds between changes, so that some fade and some have faded
constexpr float kRounding = 1e-4f;  // of a height in pixels: a driver's logarithm is not exact

// Which vertices hang together, whatever the level: each names another one of its piece, or itself.
std::vector<std::uint32_t> pieces_of(const Character& model) {
  std::vector<std::uint32_t> piece(model.vertices().size());
  std::iota(piece.begin(), piece.end(), 0u);
  const auto first = [&piece](std::uint32_t v) {
    while (piece[v] != v) v = piece[v] = piece[piece[v]];
    return v;
  };
  for (std::size_t i = 0; i + 2 < model.indices().size(); i += 3)
    for (std::size_t k = 1; k < 3; ++k) piece[first(model.indices()[i + k])] = first(model.indices()[i]);
  for (std::uint32_t v = 0; v < piece.size(); ++v) piece[v] = first(v);
  return piece;
}

// The mannequin, each of its pieces in one of two parts, which may be taken off.
Character mannequin_in_parts() {
  struct Stored {
    Character whole;
    std::vector<std::uint8_t> parts;
  };
  SerialExecutor executor;
  const auto stored = std::make_shared<Stored>(
      Stored{bake(test::mannequin_model(), {.max_error_mm = std::nullopt, .near = false}, executor).value(), {}});
  CharacterDraft draft = stored->whole.draft();
  std::array<Bounds, 2> bounds;
  const std::vector<std::uint32_t> pieces = pieces_of(stored->whole);
  for (std::size_t v = 0; v < pieces.size(); ++v) {
    stored->parts.push_back(static_cast<std::uint8_t>(pieces[v] % 2));
    bounds[stored->parts.back()].add(glm::dvec3(draft.vertices[v].position));
  }
  for (std::size_t i = 0; i < bounds.size(); ++i) draft.parts.push_back({i == 0 ? "even" : "odd", bounds[i]});
  draft.vertex_parts = stored->parts;
  draft.storage = SharedBytes(std::shared_ptr<const void>(stored), {});
  auto built = build_character(std::move(draft));
  EXPECT_TRUE(built) << built.error().message;
  return *std::move(built);
}

const Character& mannequin() {
  static const Character made = mannequin_in_parts();
  return made;
}

// All around the eye, near and far, large and small; some fade, some have faded, some are hidden or wear one part.
Crowd scattered(std::uint32_t count, unsigned seed) {
  test::Dice dice(seed);
  Crowd crowd(mannequin());
  const auto clips = static_cast<std::uint32_t>(mannequin().clips().size());
  std::vector<InstanceId> ids;
  for (std::uint32_t i = 0; i < count; ++i) {
    Spawn spawn;
    spawn.placement.position = glm::vec3(dice.point(std::exp2(dice.between(0.0, 9.0))) * glm::dvec3(1.0, 0.05, 1.0));
    spawn.placement.rotation = glm::quat(dice.turn());
    spawn.placement.scale = static_cast<float>(dice.between(0.5, 2.0));
    spawn.play = {.clip = ClipId(dice.below(clips)), .offset = dice.between(0.0, 3.0)};
    spawn.look.variation = dice.bits();
    ids.push_back(crowd.add(spawn, 0).value());
  }
  for (int step = 1; step <= 3; ++step) {
    const Ticks now = ticks_from_seconds(step * kStep);
    crowd.advance(now);
    for (const InstanceId id : ids) {
      const std::uint32_t what = dice.below(8);
      Result<void> done;
      if (what == 0) done = crowd.play(id, {.clip = ClipId(dice.below(clips)), .fade = kStep * 1.5}, now);
      if (what == 1) done = crowd.wear(id, PartMask(1u << dice.below(2)));
      if (what == 2) done = crowd.show(id, dice.below(2) == 0);
      EXPECT_TRUE(done);
    }
  }
  return crowd;
}

// What an eye in the middle sees, and the sun.
std::vector<glm::mat4> three_views() {
  const glm::mat4 eye = glm::perspectiveRH_ZO(1.0f, 1.5f, 0.1f, 300.0f) *
                        glm::lookAtRH(glm::vec3(0.0f), glm::vec3(1.0f, -0.1f, 0.4f), glm::vec3(0.0f, 1.0f, 0.0f));
  const glm::mat4 sun = glm::lookAtRH(glm::vec3(20.0f, 60.0f, 10.0f), glm::vec3(20.0f, 0.0f, 9.0f), glm::vec3(0, 1, 0));
  return {eye, glm::orthoRH_ZO(-30.0f, 30.0f, -30.0f, 30.0f, 0.0f, 120.0f) * sun,
          glm::orthoRH_ZO(-5.0f, 5.0f, -5.0f, 5.0f, 0.0f, 120.0f) * sun};
}

RendererImage renderer_image(const PlanImage& image) {
  RendererImage out;
  out.now = image.now;
  out.clip_from_world = image.views[0];
  out.shadows = image.views.subspan(1);
  out.eye = image.eye;
  out.pixels = image.pixels;
  out.culling = image.culling;
  out.pixel_error = image.pixel_error;
  out.speck_pixels = image.speck_pixels;
  out.vertex_budget = image.vertex_budget;
  return out;
}

std::uint32_t level_in(const LevelRanges& levels, std::size_t at) {
  std::uint32_t level = 0;
  while (at >= levels[level].first + levels[level].count) ++level;
  return level;
}

// The level of every character of a crowd; none of those nobody sees.
std::vector<std::optional<std::uint32_t>> levels_of(const PlannedModel& planned, std::size_t count) {
  std::vector<std::optional<std::uint32_t>> levels(count);
  for (std::size_t at = 0; at < planned.drawn.size(); ++at)
    levels[planned.drawn[at].index] = level_in(planned.levels, at);
  return levels;
}

void expect_same_moment(const PlannedCharacter& cpu, const gpu::DrawnWords& gpu, const gpu::FadingWords& fading) {
  EXPECT_EQ(cpu.instance.clips, gpu.clips);
  EXPECT_EQ(cpu.frame, gpu.frame);
  EXPECT_EQ(cpu.next, gpu.next);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(cpu.blend), std::bit_cast<std::uint32_t>(gpu.blend));
  EXPECT_NEAR(cpu.weight, gpu.weight, 1e-6f);
  EXPECT_EQ(cpu.quality & 0xFFu, gpu.first_vertex >> gpu::kFirstVertexBits);
  if (cpu.instance.clips >> 16 == gpu::kNoClip) return;
  EXPECT_EQ(cpu.previous_frame, fading.frame);
  EXPECT_EQ(cpu.previous_next, fading.next);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(cpu.previous_blend), std::bit_cast<std::uint32_t>(fading.blend));
}

class CrowdPlans : public test::OnDevice {
 protected:
  // Of every view alone, so that the list of who is drawn is that view's, and of all together.
  void expect_same(const Crowd& crowd, const PlanImage& image) {
    test::CullingStage stage(context(), mannequin(), false, {.bones = 0});
    for (std::size_t view = 0; view < image.views.size(); ++view) {
      PlanImage one = image;
      one.views = image.views.subspan(view, 1);
      expect_same(stage, crowd, one);
    }
    expect_same(stage, crowd, image);
  }

  void expect_same(test::CullingStage& stage, const Crowd& crowd, const PlanImage& image) {
    const test::GpuPlan gpu = stage.plan(crowd.instances({}), crowd.plays({}), renderer_image(image));
    CrowdPlan plan;
    std::vector<std::vector<std::optional<std::uint32_t>>> levels;
    for (const float rounding : {-kRounding, kRounding, 0.0f}) {
      PlanImage near = image;
      near.pixels *= 1.0f + rounding;
      ASSERT_TRUE(plan.run(crowd, near));
      levels.push_back(levels_of(plan.model({}), crowd.size()));
    }
    const PlannedModel& cpu = plan.model({});
    std::vector<std::optional<std::uint32_t>> found(crowd.size());
    for (std::size_t at = 0; at < gpu.drawn.size(); ++at) {
      std::uint32_t level = 0;
      while (at >= gpu.record.bases[level] + gpu.record.totals[level]) ++level;
      found[gpu.drawn[at].instance] = level;
    }
    std::size_t otherwise = 0;  // at the edge of a level, where a driver rounds otherwise
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(found[i] == levels[0][i] || found[i] == levels[1][i] || found[i] == levels[2][i]) << i;
      if (found[i] != levels[2][i]) ++otherwise;
    }
    EXPECT_LE(otherwise, crowd.size() / 1000);
    expect_same_rows(cpu, gpu, otherwise);
    EXPECT_EQ(plan.counts().drawn, gpu.counts.drawn);
    EXPECT_EQ(plan.counts().in_picture, gpu.counts.in_picture);
    if (otherwise > 0) return;
    EXPECT_EQ(plan.counts().specks, gpu.counts.specks);
    EXPECT_EQ(plan.counts().vertices, gpu.counts.vertices);
    EXPECT_EQ(plan.counts().triangles, gpu.counts.triangles);
    for (std::size_t view = 0; view < image.views.size(); ++view)
      for (std::size_t level = 0; level < gpu::kMostLevels; ++level)
        EXPECT_EQ(cpu.views[view].levels[level].count, gpu.record.totals[(view + 1) * gpu::kMostLevels + level]);
  }

  // Row by row, where none is at another level, and each by its number otherwise.
  static void expect_same_rows(const PlannedModel& cpu, const test::GpuPlan& gpu, std::size_t otherwise) {
    ASSERT_EQ(cpu.drawn.size(), gpu.drawn.size());
    std::vector<std::size_t> row_of(gpu.record.drawn_count > 0 ? 1 : 0);
    for (std::size_t at = 0; at < gpu.drawn.size(); ++at) {
      row_of.resize(std::max<std::size_t>(row_of.size(), gpu.drawn[at].instance + 1));
      row_of[gpu.drawn[at].instance] = at;
    }
    for (std::size_t at = 0; at < cpu.meshed; ++at) {
      const std::size_t row = row_of[cpu.drawn[at].index];
      EXPECT_TRUE(otherwise > 0 || row == at) << "in the order of the crowd, level by level";
      if (row < gpu.record.meshed_count) expect_same_moment(cpu.drawn[at], gpu.drawn[row], gpu.fading[row]);
    }
  }
};

TEST_F(CrowdPlans, AreWhatThePassesFindInEveryView) {
  const Crowd crowd = scattered(6000, 3);
  const std::vector<glm::mat4> views = three_views();
  PlanImage image{.now = ticks_from_seconds(3.4 * kStep), .views = views};
  expect_same(crowd, image);
  image.culling = false;
  image.pixel_error = 0.25f;
  expect_same(crowd, image);
}

TEST_F(CrowdPlans, AreWhatThePassesFindWhereVerticesAreShort) {
  const Crowd crowd = scattered(6000, 4);
  const std::vector<glm::mat4> views = three_views();
  expect_same(crowd, {.now = ticks_from_seconds(3.4 * kStep), .views = views, .vertex_budget = 100'000});
}

TEST(CrowdPlan, ListsInEachViewTheRowsOfThoseItSees) {
  const Crowd crowd = scattered(3000, 5);
  const std::vector<glm::mat4> views = three_views();
  CrowdPlan all;
  ASSERT_TRUE(all.run(crowd, {.now = 5, .views = views}));
  const PlannedModel& together = all.model({});
  for (std::size_t view = 0; view < views.size(); ++view) {
    CrowdPlan one;
    ASSERT_TRUE(one.run(crowd, {.now = 5, .views = std::span(views).subspan(view, 1)}));
    const PlannedModel& alone = one.model({});
    ASSERT_EQ(together.views[view].rows.size(), alone.drawn.size());
    EXPECT_GT(alone.drawn.size(), 20u);
    EXPECT_EQ(together.views[view].levels, alone.levels);
    for (std::size_t at = 0; at < alone.drawn.size(); ++at)
      EXPECT_EQ(together.drawn[together.views[view].rows[at]].index, alone.drawn[at].index);
  }
}

TEST(CrowdPlan, HasWholeRowsOfTexelsThatAreZeroBehindTheLastCharacter) {
  Crowd crowd(mannequin());
  std::vector<InstanceId> ids;
  for (int i = 0; i < 300; ++i) ids.push_back(crowd.add({}, 0).value());
  CrowdPlan plan;
  const std::vector<glm::mat4> views = three_views();
  ASSERT_TRUE(plan.run(crowd, {.views = views, .culling = false}));
  for (std::size_t i = 0; i < 200; ++i) ASSERT_TRUE(crowd.remove(ids[i]));
  ASSERT_TRUE(plan.run(crowd, {.views = views, .culling = false}));
  const PlannedModel& planned = plan.model({});
  ASSERT_EQ(planned.drawn.size(), 100u);
  ASSERT_EQ(planned.texels.size(), 1024u * 16u);
  EXPECT_EQ(static_cast<const void*>(planned.texels.data()), static_cast<const void*>(planned.drawn.data()));
  for (const std::byte behind : planned.texels.subspan(planned.drawn.size_bytes()))
    ASSERT_EQ(behind, std::byte{0}) << "no trace of those who were there before";
}

TEST(CrowdPlan, RefusesAnImageWithoutViewsOrWithTooMany) {
  CrowdPlan plan;
  EXPECT_EQ(plan.run(Crowd(), {}).error().message, "an image has 0 views; 1 to 8 are possible");
  const std::vector<glm::mat4> nine(9, glm::mat4(1.0f));
  EXPECT_EQ(plan.run(Crowd(), {.views = nine}).error().message, "an image has 9 views; 1 to 8 are possible");
}

}  // namespace
}  // namespace throng
