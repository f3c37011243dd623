// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "throng/model/model.h"

namespace throng {
namespace {

// Two bones, one triangle, one clip with an event: everything a model can promise, once.
ModelDraft small_draft() {
  ModelDraft draft;
  draft.name = "small";
  draft.bones = {{"root", std::nullopt, {}}, {"tip", 0u, {}}};
  draft.bindings = {{0, glm::dmat4(1.0)}, {1, glm::dmat4(1.0)}};
  draft.materials = {{}};
  draft.materials[0].base_image = 0;
  draft.images = {{"picture", "image/png", {}}};
  Mesh mesh;
  mesh.name = "triangle";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals.assign(3, {0, 0, 1});
  mesh.tangents.assign(3, {1, 0, 0, -1});
  mesh.uvs.assign(3, {0, 0});
  mesh.colours.assign(3, {1, 1, 1, 1});
  mesh.influences.assign(3, {{0, 1, 0, 0}, {0.75f, 0.25f, 0.0f, 0.0f}});
  mesh.indices = {0, 1, 2};
  mesh.morph_targets = {{"smile", {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}, {}}};
  mesh.morph_weights = {0.0f};
  draft.meshes = {mesh};
  Clip clip;
  clip.name = "wave";
  clip.end = 1.0;
  BoneTrack track;
  track.bone = 1;
  track.rotation.times = {0.0f, 1.0f};
  track.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(0, 1, 0, 0)};
  clip.bones = {track};
  clip.morphs = {{0, {Interpolation::linear, {0.0f, 1.0f}, {0.0f, 1.0f}}}};
  clip.events = {{0.5, "middle"}};
  draft.clips = {clip};
  draft.sockets = {{"hand", 1, {}}};
  return draft;
}

TEST(BuildModel, AcceptsAModelThatKeepsEveryPromise) {
  const auto model = build_model(small_draft());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(*model->find_clip("wave"), 0u);
}

TEST(BuildModel, ListsTheClipsThereAreWhenOneIsUnknown) {
  const auto found = build_model(small_draft())->find_clip("wav");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "no clip is named 'wav'; did you mean 'wave'?");
}

// Four even weights and a fifth influence of `weight` on every vertex.
void add_fifths(ModelDraft& draft, float weight) {
  draft.meshes[0].influences.assign(3, {{0, 1, 0, 1}, {0.25f, 0.25f, 0.25f, 0.25f}});
  draft.meshes[0].extra_influences.assign(3, {{0, 0, 0, 0}, {weight, 0.0f, 0.0f, 0.0f}});
}

TEST(BuildModel, TakesEightInfluencesThatSumToOne) {
  ModelDraft draft = small_draft();
  draft.meshes[0].influences.assign(3, {{0, 1, 0, 1}, {0.125f, 0.125f, 0.125f, 0.125f}});
  draft.meshes[0].extra_influences.assign(3, {{1, 0, 1, 0}, {0.125f, 0.125f, 0.125f, 0.125f}});
  const auto model = build_model(std::move(draft));
  ASSERT_TRUE(model) << model.error().message;
}

TEST(StrongestFour, AreRescaledToOneAndLeftAloneWhereThereAreNoMore) {
  Mesh mesh;
  mesh.influences = {{{3, 2, 1, 0}, {0.4f, 0.2f, 0.1f, 0.1f}}, {{5, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}}};
  EXPECT_EQ(strongest_four(mesh)[0].weights, mesh.influences[0].weights);
  mesh.extra_influences = {{{4, 5, 6, 7}, {0.1f, 0.05f, 0.03f, 0.02f}}, {{0, 0, 0, 0}, {0.0f, 0.0f, 0.0f, 0.0f}}};
  const auto kept = strongest_four(mesh);
  ASSERT_EQ(kept.size(), 2u);
  const float expected[] = {0.5f, 0.25f, 0.125f, 0.125f};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(kept[0].weights[i], expected[i]);
  EXPECT_EQ(kept[0].bindings, mesh.influences[0].bindings);
  EXPECT_EQ(kept[1].weights, mesh.influences[1].weights);
}

TEST(ForEachInfluence, VisitsAllEightStrongestFirstAndNoneOfWeightZero) {
  Mesh mesh;
  mesh.influences = {{{7, 6, 5, 4}, {0.3f, 0.2f, 0.2f, 0.1f}}};
  mesh.extra_influences = {{{3, 2, 1, 0}, {0.1f, 0.1f, 0.0f, 0.0f}}};
  std::vector<std::pair<int, float>> seen;
  for_each_influence(mesh, 0, [&](std::uint16_t binding, float weight) { seen.emplace_back(binding, weight); });
  const std::vector<std::pair<int, float>> expected = {{7, 0.3f}, {6, 0.2f}, {5, 0.2f},
                                                       {4, 0.1f}, {3, 0.1f}, {2, 0.1f}};
  EXPECT_EQ(seen, expected);
}

struct Broken {
  const char* what;  // must appear in the message
  std::function<void(ModelDraft&)> break_it;
};

class BuildModelRefuses : public testing::TestWithParam<Broken> {};

TEST_P(BuildModelRefuses, ADraftThatBreaksOnePromise) {
  ModelDraft draft = small_draft();
  GetParam().break_it(draft);
  const auto model = build_model(std::move(draft));
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find(GetParam().what), std::string::npos) << model.error().message;
  EXPECT_EQ(model.error().message.find('\n'), std::string::npos);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

INSTANTIATE_TEST_SUITE_P(
    Each, BuildModelRefuses,
    testing::Values(
        Broken{"before its parent", [](ModelDraft& d) { d.bones[0].parent = 1; }},
        Broken{"before its parent", [](ModelDraft& d) { d.bones[1].parent = 1; }},
        Broken{"not finite", [](ModelDraft& d) { d.bones[1].rest.translation.x = NAN; }},
        Broken{"unit length", [](ModelDraft& d) { d.bones[1].rest.rotation = glm::dquat(0.5, 0, 0, 0); }},
        Broken{"names bone 2 of 2", [](ModelDraft& d) { d.bindings[0].bone = 2; }},
        Broken{"inverse bind matrix", [](ModelDraft& d) { d.bindings[1].bone_from_mesh[3][0] = INFINITY; }},
        Broken{"material 1 of 1", [](ModelDraft& d) { d.meshes[0].material = 1; }},
        Broken{"normals for 3", [](ModelDraft& d) { d.meshes[0].normals.pop_back(); }},
        Broken{"2 tangents for 3", [](ModelDraft& d) { d.meshes[0].tangents.pop_back(); }},
        Broken{"tangent is not finite", [](ModelDraft& d) { d.meshes[0].tangents[2].y = kNan; }},
        Broken{"tangent 1 has a side of 0", [](ModelDraft& d) { d.meshes[0].tangents[1].w = 0.0f; }},
        Broken{"texture coordinates", [](ModelDraft& d) { d.meshes[0].uvs.pop_back(); }},
        Broken{"colours for 3", [](ModelDraft& d) { d.meshes[0].colours.pop_back(); }},
        Broken{"influences for 3", [](ModelDraft& d) { d.meshes[0].influences.pop_back(); }},
        Broken{"position is not finite", [](ModelDraft& d) { d.meshes[0].positions[0].x = kNan; }},
        Broken{"normal is not finite", [](ModelDraft& d) { d.meshes[0].normals[0].x = kNan; }},
        Broken{"whole number of triangles", [](ModelDraft& d) { d.meshes[0].indices.pop_back(); }},
        Broken{"past the last", [](ModelDraft& d) { d.meshes[0].indices[2] = 3; }},
        Broken{"bound to 2 of 2", [](ModelDraft& d) { d.meshes[0].influences[0].bindings[3] = 2; }},
        Broken{"weights that sum to 0", [](ModelDraft& d) { d.meshes[0].influences[1] = {}; }},
        Broken{"sum to", [](ModelDraft& d) { d.meshes[0].influences[1].weights[0] = 0.8f; }},
        Broken{"zero or more",
               [](ModelDraft& d) {
                 d.meshes[0].influences[1].weights = {1.5f, -0.5f, 0.0f, 0.0f};
               }},
        Broken{"zero or more", [](ModelDraft& d) { d.meshes[0].influences[1].weights[0] = kNan; }},
        Broken{"out of order",
               [](ModelDraft& d) {
                 d.meshes[0].influences[1].weights = {0.25f, 0.75f, 0.0f, 0.0f};
               }},
        Broken{"2 sets of more influences for 3", [](ModelDraft& d) { d.meshes[0].extra_influences.assign(2, {}); }},
        Broken{"weights that sum to 1.0", [](ModelDraft& d) { add_fifths(d, 0.0625f); }},
        Broken{"out of order", [](ModelDraft& d) { add_fifths(d, 0.5f); }},
        Broken{"zero or more", [](ModelDraft& d) { add_fifths(d, -0.5f); }},
        Broken{"zero or more", [](ModelDraft& d) { add_fifths(d, kNan); }},
        Broken{"bound to 2 of 2",
               [](ModelDraft& d) {
                 add_fifths(d, 0.0f);
                 d.meshes[0].extra_influences[2].bindings[3] = 2;
               }},
        Broken{"morph weights", [](ModelDraft& d) { d.meshes[0].morph_weights.clear(); }},
        Broken{"one offset per vertex", [](ModelDraft& d) { d.meshes[0].morph_targets[0].positions.pop_back(); }},
        Broken{"image 0 of 0", [](ModelDraft& d) { d.images.clear(); }},
        Broken{"socket 'hand'", [](ModelDraft& d) { d.sockets[0].bone = 9; }},
        Broken{"runs from", [](ModelDraft& d) { d.clips[0].end = -1.0; }},
        Broken{"moves bone 7", [](ModelDraft& d) { d.clips[0].bones[0].bone = 7; }},
        Broken{"keys out of order", [](ModelDraft& d) { d.clips[0].bones[0].rotation.times[1] = 0.0f; }},
        Broken{"key at", [](ModelDraft& d) { d.clips[0].bones[0].rotation.times[0] = -1.0f; }},
        Broken{"values for 2 keys", [](ModelDraft& d) { d.clips[0].bones[0].rotation.values.pop_back(); }},
        Broken{"values for 2 keys",
               [](ModelDraft& d) { d.clips[0].bones[0].rotation.interpolation = Interpolation::cubic_spline; }},
        Broken{"rotation that is not of unit",
               [](ModelDraft& d) { d.clips[0].bones[0].rotation.values[0] = glm::quat(2, 0, 0, 0); }},
        Broken{"moves mesh 4", [](ModelDraft& d) { d.clips[0].morphs[0].mesh = 4; }},
        Broken{"weights curve", [](ModelDraft& d) { d.clips[0].morphs[0].weights.values.pop_back(); }},
        Broken{"event 'middle'", [](ModelDraft& d) { d.clips[0].events[0].time = 1.5; }}));

}  // namespace
}  // namespace throng
