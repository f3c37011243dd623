// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <gtest/gtest.h>

#include "bar_model.h"
#include "throng/bake/bake.h"

namespace throng {
namespace {

Character baked(const Model& model, BakeSettings settings = {}) {
  settings.levels = 1;
  SerialExecutor executor;
  return bake(model, settings, executor).value();
}

// A bone and its binding; meshes may follow it.
std::uint16_t add_bound_bone(ModelDraft& draft, const char* name) {
  draft.bones.push_back({name, 0u, {}});
  draft.bindings.push_back({static_cast<std::uint32_t>(draft.bones.size() - 1), glm::dmat4(1.0)});
  return static_cast<std::uint16_t>(draft.bindings.size() - 1);
}

// A mesh that follows one binding alone.
void add_solid(ModelDraft& draft, std::uint16_t binding) {
  Mesh mesh = bar_mesh();
  mesh.name = "sword";
  for (Influences& influences : mesh.influences) {
    influences.bindings = {binding, 0, 0, 0};
    influences.weights = {1.0f, 0.0f, 0.0f, 0.0f};
  }
  draft.meshes.push_back(std::move(mesh));
}

// A bar that sways for a second, and one that stands for a tenth.
ModelDraft two_clips() {
  ModelDraft draft = swaying_bar();
  draft.clips.push_back(clip_of("short", {turning(0, {1, 0, 0}, 2, 10.0, 0.0, [](double t) { return t; })}, false));
  return draft;
}

TEST(Report, CountsBonesOfSkinsAtThirtyFramesASecond) {
  ModelDraft draft = two_clips();
  const PlainCount plain = plain_count(baked(built(draft)));
  EXPECT_EQ(plain.items, 2u);
  EXPECT_EQ(plain.frames, 30u + 3u);
  add_bound_bone(draft, "nothing follows it");
  EXPECT_EQ(plain_count(baked(built(draft))).items, 3u) << "a classic layout has it, though it is not baked";
  add_solid(draft, add_bound_bone(draft, "sword"));
  const Character armed = baked(built(draft));
  EXPECT_EQ(plain_count(armed).items, 3u) << "the node of a sword is of no skin";
  EXPECT_EQ(plain_count(armed).frames, 33u);
  ModelDraft solid = two_clips();
  solid.meshes.clear();
  for (std::uint16_t binding = 0; binding < 2; ++binding) add_solid(solid, binding);
  EXPECT_EQ(plain_count(baked(built(solid))).items, 2u) << "without skins all nodes count";
}

TEST(Report, ComparesBakesByOneCountHoweverTheyWereMade) {
  ModelDraft draft = two_clips();
  add_bound_bone(draft, "nothing follows it");
  const Model model = built(draft);
  const Character fine = baked(model, {.encoding = Encoding::q16, .frame_rate = 60.0});
  const Character usual = baked(model);
  EXPECT_EQ(half_float_bytes(fine), 16u * 3u * 33u);
  EXPECT_EQ(half_float_bytes(usual), half_float_bytes(fine)) << "other rates and encodings of the same motion";
  for (const Character* one : {&fine, &usual}) {
    const auto all = static_cast<double>(frame_bytes(*one) + 16 * one->table().size());
    EXPECT_DOUBLE_EQ(bytes_an_item_and_frame(*one), all / (3.0 * 33.0));
    EXPECT_DOUBLE_EQ(report_json(*one)["bytes_an_item_and_frame"], all / (3.0 * 33.0));
  }
  // Two bones are baked; twice as many frames, and the last of the clip that does not loop. A pivot for each column.
  EXPECT_EQ(fine.bones().size(), 2u);
  const double stored = static_cast<double>(frame_total(fine));
  EXPECT_EQ(stored, 60.0 + 7.0);
  EXPECT_DOUBLE_EQ(bytes_a_stored_item(fine), 16.0 + 16.0 * static_cast<double>(fine.table().size()) / (2.0 * stored));
}

TEST(Report, CountsVerticesOfVertexMode) {
  const Character character = baked(built(two_clips()), {.mode = BakeMode::vertices, .frame_rate = 15.0});
  EXPECT_EQ(plain_count(character).items, 84u);
  EXPECT_EQ(half_float_bytes(character), 16u * 84u * 33u);
}

}  // namespace
}  // namespace throng
