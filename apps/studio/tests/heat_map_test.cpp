// SPDX-License-Identifier: Apache-2.0
#include "core/report/heat_map.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "preview/variant.h"
#include "throng/bake/bake.h"
#include "waiting.h"

namespace throng::studio {
namespace {

HeatQuestion baked(const BakeSettings& settings, const Model& model = test::mannequin()) {
  SerialExecutor executor;
  auto character = bake(model, settings, executor);
  EXPECT_TRUE(character) << character.error().message;
  BakeForm form;
  form.settings = settings;
  const auto result = std::make_shared<const BakeResult>(BakeResult{
      .model = *std::move(character), .sources = {}, .form = form, .events = {}, .seconds = 0.0, .from_file = false});
  return {result, std::make_shared<const Imported>(Imported{model, {}, {}, {}}), 0};
}

BakeSettings coarse_walk() {
  BakeSettings settings;
  settings.clips = {"walk"};
  settings.frame_rate = 8.0;
  settings.levels = 3;
  return settings;
}

std::uint64_t index_count(const std::vector<BakedDraw>& draws) {
  std::uint64_t count = 0;
  for (const BakedDraw& draw : draws) count += draw.index_count;
  return count;
}

// The bake's own report is measured by other code.
TEST(HeatMap, FindsTheErrorThatTheBakeReports) {
  const HeatQuestion question = baked(coarse_walk());
  const auto heat = find_heat(question);
  ASSERT_TRUE(heat) << heat.error().message;
  const Character& model = question.result->model;
  const ClipError& reported = model.clips()[0].error;
  ASSERT_EQ(heat->errors_mm.size(), model.vertices().size());
  EXPECT_GT(reported.between.max_mm, 1.0) << "eight frames a second are too few";
  EXPECT_GE(heat->worst_mm, 0.8 * reported.between.max_mm);
  EXPECT_LE(heat->worst_mm, 1.001 * reported.between.max_mm) << "which is meant to hold at any time";
  EXPECT_FLOAT_EQ(heat->errors_mm[heat->worst_vertex], static_cast<float>(heat->worst_mm));
  EXPECT_EQ(*std::ranges::max_element(heat->errors_mm), heat->errors_mm[heat->worst_vertex]);
  EXPECT_NEAR(heat->worst_seconds, reported.worst_time - model.clips()[0].source_start, 0.125)
      << "in the interval that the report names";
}

TEST(HeatMap, HoldsVerticesAgainstTheirOwnWhenRootMotionWasTakenOffOrVerticesAreBaked) {
  BakeSettings extracted = coarse_walk();
  extracted.root_motion = RootTreatment::extract;
  BakeSettings vertices = coarse_walk();
  vertices.mode = BakeMode::vertices;
  for (const BakeSettings& settings : {extracted, vertices}) {
    const HeatQuestion question = baked(settings);
    const auto heat = find_heat(question);
    ASSERT_TRUE(heat) << heat.error().message;
    EXPECT_LE(heat->worst_mm, 1.001 * question.result->model.clips()[0].error.between.max_mm);
  }
}

TEST(HeatMap, SaysWhatCannotBeCompared) {
  BakeSettings settings = coarse_walk();
  settings.root_motion = RootTreatment::strip;
  const auto stripped = find_heat(baked(settings));
  ASSERT_FALSE(stripped);
  EXPECT_NE(stripped.error().message.find("root motion"), std::string::npos);
  ModelDraft draft = test::mannequin().draft();
  std::erase_if(draft.clips, [](const Clip& clip) { return clip.name == "walk"; });
  HeatQuestion question = baked(coarse_walk());
  question.source = std::make_shared<const Imported>(Imported{build_model(std::move(draft)).value(), {}, {}, {}});
  const auto other = find_heat(question);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("walk"), std::string::npos);
}

TEST(HeatMap, PaintsFromGreenToRed) {
  const glm::vec3 none = heat_colour(0.0, 2.0);
  const glm::vec3 full = heat_colour(2.0, 2.0);
  EXPECT_GT(none.g, 2.0f * none.r);
  EXPECT_GT(full.r, 2.0f * full.g);
  EXPECT_EQ(heat_colour(50.0, 2.0), full) << "there is nothing redder";
  EXPECT_GT(heat_colour(1.0, 2.0).g, full.g);
  EXPECT_GT(heat_colour(1.0, 2.0).r, none.r);
}

TEST(Variant, PaintsEachVertexInTheColourOfItsError) {
  const HeatQuestion question = baked(coarse_walk());
  const auto heat = find_heat(question);
  ASSERT_TRUE(heat);
  const auto painted = with_heat(question.result->model, *heat, heat->worst_mm);
  ASSERT_TRUE(painted) << painted.error().message;
  const auto colour = [&](std::size_t vertex) { return painted->vertices()[vertex].colour; };
  EXPECT_GT(colour(heat->worst_vertex)[0], 150);
  EXPECT_LT(colour(heat->worst_vertex)[1], 50);
  const auto best = static_cast<std::size_t>(std::ranges::min_element(heat->errors_mm) - heat->errors_mm.begin());
  EXPECT_GT(colour(best)[1], colour(best)[0]);
  for (const Material& material : painted->materials()) EXPECT_FALSE(material.base_image);
  const HeatMap other{.errors_mm = {1.0f}, .worst_mm = 1.0, .worst_vertex = 0, .worst_seconds = 0.0};
  EXPECT_FALSE(with_heat(question.result->model, other, 1.0));
}

TEST(Variant, DrawsTheLevelThatIsAskedFor) {
  const HeatQuestion question = baked(coarse_walk());
  const Character& model = question.result->model;
  ASSERT_FALSE(model.levels().empty());
  for (std::uint32_t level = 0; level <= model.levels().size(); ++level) {
    const auto shown = at_level(model, level);
    ASSERT_TRUE(shown) << shown.error().message;
    EXPECT_EQ(index_count(shown->draws()), index_count(level == 0 ? model.draws() : model.levels()[level - 1].draws));
    EXPECT_TRUE(shown->levels().empty()) << "the distance chooses no other";
  }
  EXPECT_FALSE(at_level(model, static_cast<std::uint32_t>(model.levels().size()) + 1));
}

}  // namespace
}  // namespace throng::studio
