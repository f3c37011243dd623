// SPDX-License-Identifier: Apache-2.0
// How far vertices are moved that follow fewer of their bones.
#include "mesh/mesh_models.h"
#include "vertices/vertex_models.h"

namespace throng {
namespace {

// A sphere whose vertices follow four bones, the strongest first. Bone i moves along x by i, in the middle of the clip;
// in all poses it hangs at the origin otherwise. One half follows its first bone alone.
ModelDraft pulled_sphere() {
  ModelDraft draft = still_draft(two_coloured_sphere(32, 32));
  Clip clip;
  clip.name = "pull";
  clip.end = 2.0;
  for (std::uint32_t bone = 1; bone < 4; ++bone) {
    draft.bones.push_back({fmt::format("bone {}", bone), std::nullopt, {}});
    draft.bindings.push_back({bone, glm::dmat4(1.0)});
    BoneTrack track;
    track.bone = bone;
    track.translation.times = {0.0f, 1.0f, 2.0f};
    track.translation.values = {glm::vec3(0.0f), {static_cast<float>(bone), 0.0f, 0.0f}, glm::vec3(0.0f)};
    clip.bones.push_back(track);
  }
  draft.clips = {clip};
  for (Influences& influences : draft.meshes[0].influences) {
    influences = {{0, 1, 2, 3}, {0.4f, 0.3f, 0.2f, 0.1f}};
  }
  return draft;
}

BakeSettings quick() {
  BakeSettings settings;
  settings.max_error_mm.reset();
  settings.near = false;
  settings.levels = 4;
  return settings;
}

// At 1 s all four bones have it at 0.3 + 2 · 0.2 + 3 · 0.1 = 1; the first alone at 0, two at 0.3 / 0.7, three at 0.7 /
// 0.9.
void expect_pulled(const std::optional<FewerBones>& moved) {
  ASSERT_TRUE(moved.has_value());
  EXPECT_NEAR((*moved)[0], 1.0, 1e-4);
  EXPECT_NEAR((*moved)[1], 1.0 - 0.3 / 0.7, 1e-4);
  EXPECT_NEAR((*moved)[2], 1.0 - 0.7 / 0.9, 1e-4);
}

TEST(FewerBonesOf, EveryLevelAreWhatAPoseMakesOfThem) {
  const Character out = baked(built(pulled_sphere()), quick());
  ASSERT_FALSE(out.levels().empty());
  expect_pulled(out.fewer_bones());
  for (const BakedLevel& level : out.levels()) expect_pulled(level.fewer_bones);
}

// Only vertices of a level count for it: the half that hangs on four bones is so small that it goes.
TEST(FewerBonesOf, ALevelAreThoseOfItsOwnVertices) {
  ModelDraft draft = pulled_sphere();
  for (Influences& influences : draft.meshes[0].influences) influences = bound_to(0);
  Mesh& mesh = draft.meshes[0];
  // A grain above the pole.
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const glm::vec3 corner : {glm::vec3(0.0f), {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}) {
    mesh.positions.push_back(glm::vec3(0.0f, 1.01f, 0.0f) + 0.002f * corner);
    mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
    mesh.uvs.emplace_back(0.5f, 0.5f);
    mesh.influences.push_back({{0, 1, 2, 3}, {0.4f, 0.3f, 0.2f, 0.1f}});
  }
  for (const std::uint32_t corner : {0u, 2u, 1u, 0u, 1u, 3u, 0u, 3u, 2u, 1u, 2u, 3u}) {
    mesh.indices.push_back(first + corner);
  }
  draft.clips[0].bones.resize(2);  // less than the sphere is large: a level without the grain is no other shape
  draft.clips[0].bones[0].translation.values[1] = {0.02f, 0.0f, 0.0f};
  draft.clips[0].bones[1].translation.values[1] = {0.02f, 0.0f, 0.0f};
  const Character out = baked(built(std::move(draft)), quick());
  ASSERT_TRUE(out.fewer_bones());
  EXPECT_NEAR((*out.fewer_bones())[0], 0.01, 1e-4);
  ASSERT_FALSE(out.levels().empty());
  EXPECT_EQ(out.levels().back().fewer_bones, FewerBones{});
}

TEST(FewerBonesOf, VerticesAreNotTold) {
  BakeSettings settings = quick();
  settings.mode = BakeMode::vertices;
  const Character out = baked(built(pulled_sphere()), settings);
  ASSERT_FALSE(out.levels().empty());
  EXPECT_FALSE(out.fewer_bones());
  EXPECT_FALSE(out.levels()[0].fewer_bones);
}

}  // namespace
}  // namespace throng
