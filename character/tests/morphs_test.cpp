// SPDX-License-Identifier: Apache-2.0
// Morph targets of bone mode: which rows a cursor is between, what they add to a vertex, and files that lie about them.
#include <algorithm>
#include <bit>

#include "hostile_case.h"
#include "throng/character/decode.h"
#include "throng/shaders/shared/morphs.h"

namespace throng {
namespace {

CharacterDraft draft_with_morphs() {
  CharacterDraft draft = small_draft();
  add_small_morphs(draft);
  return draft;
}

TEST(Morphs, ALoopHasAsManyRowsAsStepsAndLeadsBackToItsFirst) {
  BakedClip clip;
  clip.loops = true;
  clip.frame_count = 3;
  clip.first_frame = 10;
  clip.first_morph_row = 7;
  clip.morph_steps = 4;
  EXPECT_EQ(morph_rows(clip), 12u);
  const MorphPlace middle = morph_place(clip, {11, 12, 0.0f}, 0.3);  // 1.2 steps behind row 4
  EXPECT_EQ(middle.from, 7u + 5u);
  EXPECT_EQ(middle.to, 7u + 6u);
  EXPECT_NEAR(middle.blend, 0.2, 1e-12);
  const MorphPlace seam = morph_place(clip, {12, 10, 0.0f}, 0.875);
  EXPECT_EQ(seam.from, 7u + 11u);
  EXPECT_EQ(seam.to, 7u);
  EXPECT_NEAR(seam.blend, 0.5, 1e-12);
}

TEST(Morphs, AClipThatEndsHasARowForItsLastFrame) {
  BakedClip clip;
  clip.frame_count = 3;
  clip.morph_steps = 2;
  EXPECT_EQ(morph_rows(clip), 5u);
  const MorphPlace end = morph_place(clip, {2, 2, 0.0f}, 0.0);
  EXPECT_EQ(end.from, 4u);
  EXPECT_EQ(end.to, 4u) << "nothing lies behind it";
  clip.morph_steps = 0;
  EXPECT_EQ(morph_rows(clip), 1u);
  EXPECT_EQ(morph_place(clip, {1, 2, 0.0f}, 0.7).to, 0u);
}

TEST(Morphs, AddToTheVerticesBeforeBonesMoveThem) {
  const CharacterDraft draft = draft_with_morphs();
  // Half-way between the second and the third row of the first clip.
  const auto weights = morph_weights(draft, draft.clips[0], {1, 2, 0.0f}, 0.5);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_NEAR(weights[0], -0.25 + 1500.0 / 65536.0, 1e-9);
  EXPECT_NEAR(weights[1], (65535.0 - 7.0 * 2.5) / 32768.0, 1e-9);
  const MorphedMesh mesh = morphed_mesh(draft, weights);
  EXPECT_EQ(mesh.positions[0], glm::dvec3(draft.vertices[0].position));
  const glm::dvec3 moved = mesh.positions[1] - glm::dvec3(draft.vertices[1].position);
  EXPECT_NEAR(moved.x, weights[0] * 0.1, 1e-8);
  EXPECT_NEAR(moved.y, weights[0] * -0.2 + weights[1] * 3.2767, 1e-6);
  EXPECT_NEAR(mesh.normals[1].x, weights[1] * -0.65534, 1e-6);
  EXPECT_NEAR(mesh.normals[3].z, 1.0 + weights[1] * 6 * 2e-5, 1e-9);
}

TEST(Morphs, DecodedPosesHaveThemIn) {
  const CharacterDraft draft = draft_with_morphs();
  CharacterDraft without = draft;
  without.morphs = {};
  const Cursor cursor{2, 0, 0.0f};
  const auto with = decode_pose(draft, draft.clips[0], cursor, 0.25);
  const auto plain = decode_pose(without, without.clips[0], cursor, 0.25);
  const std::vector<ColumnMove> moves = decode_columns(draft, draft.clips[0], cursor, 0.25);
  const MorphedMesh mesh = morphed_mesh(draft, morph_weights(draft, draft.clips[0], cursor, 0.25));
  EXPECT_EQ(with.positions[0], plain.positions[0]);
  const BakedVertex& vertex = draft.vertices[1];
  glm::dvec3 expected(0.0);
  for (std::size_t i = 0; i < 2; ++i) {
    const ColumnMove& move = moves[vertex.bones[i]];
    expected += vertex.weights[i] / 65535.0 * (move.linear * mesh.positions[1] + move.offset);
  }
  EXPECT_LT(glm::distance(with.positions[1], expected), 1e-9);
  EXPECT_GT(glm::distance(with.positions[1], plain.positions[1]), 1.0);
}

TEST(Morphs, AreReadAsTheyWereWritten) {
  const Character in = test::built(draft_with_morphs());
  const auto read = decode_character(SharedBytes(file_of(in)));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  const BakedMorphs& a = in.morphs();
  const BakedMorphs& b = read->morphs();
  ASSERT_EQ(b.targets.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(a.targets[i].name, b.targets[i].name);
    EXPECT_EQ(a.targets[i].weight_min, b.targets[i].weight_min);
    EXPECT_EQ(a.targets[i].weight_step, b.targets[i].weight_step);
    EXPECT_EQ(a.targets[i].position_step, b.targets[i].position_step);
    EXPECT_EQ(a.targets[i].normal_step, b.targets[i].normal_step);
  }
  EXPECT_TRUE(std::ranges::equal(a.weights, b.weights));
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(a.vertices), std::as_bytes(b.vertices)));
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(a.deltas), std::as_bytes(b.deltas)));
  for (std::size_t i = 0; i < in.clips().size(); ++i) {
    EXPECT_EQ(in.clips()[i].first_morph_row, read->clips()[i].first_morph_row);
    EXPECT_EQ(in.clips()[i].morph_steps, read->clips()[i].morph_steps);
  }
}

TEST(Morphs, WordsForShadersSayWhichVerticesAreMoved) {
  const CharacterDraft draft = draft_with_morphs();
  const std::vector<std::uint32_t> words = morph_words(draft);
  ASSERT_GT(words.size(), 8u);
  EXPECT_EQ(std::bit_cast<float>(words[gpu::kMorphHeaderWords]), -0.25f);
  EXPECT_EQ(words[words[gpu::kMorphBlocksWord]], 0b1010u);
  EXPECT_EQ(words[words[gpu::kMorphRunsWord] + 1], 2u);
  const std::uint32_t clip = words[gpu::kMorphClipsWord] + 1 * gpu::kMorphClipWords;
  EXPECT_EQ(words[words[clip]] & 0xFFFFu, 3000u) << "the first row of the second clip";
  EXPECT_EQ(words[clip + 1], 2u);
  EXPECT_EQ(words[clip + 2], draft.clips[1].first_frame);
  const std::uint32_t last = words[gpu::kMorphDeltasWord] + 2 * gpu::kMorphDeltaWords;
  EXPECT_EQ(words[last], 1u | 2u << 16);
  EXPECT_EQ(words[last + 3], 1u);
  EXPECT_EQ(words.size(), last + 4u);
  EXPECT_TRUE(morph_words(small_draft()).empty());
}

class HostileMorphs : public testing::TestWithParam<HostileCase> {};

TEST_P(HostileMorphs, AreRefused) { expect_refused(test::built(draft_with_morphs()), GetParam()); }

nlohmann::ordered_json& morphs_of(Halves& h) { return h.extension()["morphs"]; }

std::size_t view_in(Halves& h, const char* array) { return morphs_of(h)[array]["bufferView"].get<std::size_t>(); }

const HostileCase kMorphCases[] = {
    {"no_targets", [](Halves& h) { morphs_of(h)["targets"] = nlohmann::ordered_json::array(); }},
    {"targets_of_numbers",
     [](Halves& h) {
       morphs_of(h)["targets"] = {1, 2};
     }},
    {"one_target_fewer", [](Halves& h) { morphs_of(h)["targets"].erase(1); }},
    {"a_third_target_that_rows_lack",
     [](Halves& h) { morphs_of(h)["targets"].push_back(nlohmann::ordered_json(morphs_of(h)["targets"][0])); }},
    {"negative_step", [](Halves& h) { morphs_of(h)["targets"][0]["positionStep"] = -1e-3; }},
    {"huge_step", [](Halves& h) { morphs_of(h)["targets"][0]["positionStep"] = 1e36; }},
    {"huge_weight", [](Halves& h) { morphs_of(h)["targets"][1]["weightMin"] = -1e38; }},
    {"no_weights", [](Halves& h) { morphs_of(h).erase("weights"); }},
    {"no_deltas", [](Halves& h) { morphs_of(h).erase("deltas"); }},
    {"weights_cut", [](Halves& h) { h.json["bufferViews"][view_in(h, "weights")]["byteLength"] = 34; }},
    {"a_row_missing", [](Halves& h) { h.json["bufferViews"][view_in(h, "weights")]["byteLength"] = 32; }},
    {"view_missing", [](Halves& h) { morphs_of(h)["vertices"]["bufferView"] = 99; }},
    {"clip_past_the_rows", [](Halves& h) { h.extension()["clips"][1]["morphRow"] = 5; }},
    {"clip_wraps", [](Halves& h) { h.extension()["clips"][1]["morphRow"] = 4294967295u; }},
    {"clip_of_many_steps", [](Halves& h) { h.extension()["clips"][0]["morphSteps"] = 4294967295u; }},
    {"vertex_past_the_last", [](Halves& h) { poke(h, view_in(h, "vertices"), 8, std::uint32_t{4}); }},
    {"vertices_out_of_order", [](Halves& h) { poke(h, view_in(h, "vertices"), 8, std::uint32_t{1}); }},
    {"deltas_past_the_last", [](Halves& h) { poke(h, view_in(h, "vertices"), 12, std::uint32_t{2}); }},
    {"deltas_left_over", [](Halves& h) { poke(h, view_in(h, "vertices"), 4, std::uint32_t{1}); }},
    {"delta_of_no_target", [](Halves& h) { poke(h, view_in(h, "deltas"), 12, std::uint16_t{2}); }},
};

INSTANTIATE_TEST_SUITE_P(Files, HostileMorphs, testing::ValuesIn(kMorphCases), hostile_case_name);

}  // namespace
}  // namespace throng
