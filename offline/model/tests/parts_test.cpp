// SPDX-License-Identifier: Apache-2.0
#include "throng/model/parts.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

Mesh triangle(std::string part, std::string name, std::vector<std::uint16_t> bindings) {
  Mesh mesh;
  mesh.name = std::move(name);
  mesh.part = std::move(part);
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (std::size_t i = 0; i < 3; ++i) mesh.influences.push_back(bound_to(bindings[i % bindings.size()]));
  mesh.indices = {0, 1, 2};
  return mesh;
}

// A body that bends, a sword of two materials in the hand, a face with a morph target, something without triangles.
Model armed() {
  ModelDraft draft;
  draft.name = "armed";
  draft.bones = {{"root", std::nullopt, {}}, {"hand", 0u, {}}};
  draft.bindings = {{0, glm::dmat4(1.0)}, {1, glm::dmat4(1.0)}};
  draft.materials = {{}};
  draft.meshes = {triangle("Body", "body", {0, 1}), triangle("Sword", "blade", {1}), triangle("Empty", "", {0}),
                  triangle("Sword", "hilt", {1}), triangle("", "face", {0})};
  draft.meshes[2].indices.clear();
  draft.meshes[4].morph_targets = {{"smile", {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}, {}}};
  draft.meshes[4].morph_weights = {0.0f};
  Clip clip;
  clip.name = "smile";
  clip.end = 1.0;
  clip.morphs = {{4, {Interpolation::linear, {0.0f, 1.0f}, {0.0f, 1.0f}}}};
  draft.clips = {clip};
  return build_model(std::move(draft)).value();
}

TEST(Parts, AreTheMeshesOfANodeWithTrianglesAndSayWhatTheyHangOn) {
  const auto parts = parts_of(armed());
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].name, "Body");
  EXPECT_EQ(parts[0].bone, std::nullopt) << "its vertices follow two bones";
  EXPECT_EQ(parts[1].name, "Sword");
  EXPECT_EQ(parts[1].meshes, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(parts[1].triangles, 2u);
  EXPECT_EQ(parts[1].bone, 1u);
  EXPECT_EQ(parts[2].name, "face") << "the mesh's own name where the node has none";
  EXPECT_EQ(parts[2].bone, 0u);
}

TEST(Parts, HangOnTheBoneAboveTheirOwn) {
  ModelDraft draft = armed().draft();
  draft.bones.push_back({"Sword", 1u, {}});
  draft.bindings[1].bone = 2;
  EXPECT_EQ(parts_of(build_model(std::move(draft)).value())[1].bone, 1u);
}

TEST(Parts, BendWhenAVertexFollowsASecondBone) {
  ModelDraft draft = armed().draft();
  draft.meshes[1].influences[2] = {{1, 0, 0, 0}, {0.75f, 0.25f, 0.0f, 0.0f}};
  EXPECT_EQ(parts_of(build_model(std::move(draft)).value())[1].bone, std::nullopt);
}

TEST(Parts, ThatAreNotKeptTakeTheirMeshesAndTheirMorphsAlong) {
  const Model unarmed = with_parts(armed(), {true, false, true}).value();
  ASSERT_EQ(unarmed.meshes().size(), 3u);
  EXPECT_EQ(unarmed.meshes()[0].name, "body");
  EXPECT_EQ(unarmed.meshes()[1].part, "Empty") << "no part: it stays";
  EXPECT_EQ(unarmed.meshes()[2].name, "face");
  ASSERT_EQ(unarmed.clips()[0].morphs.size(), 1u);
  EXPECT_EQ(unarmed.clips()[0].morphs[0].mesh, 2u) << "the face has moved up";

  const Model faceless = with_parts(armed(), {true, true, false}).value();
  EXPECT_TRUE(faceless.clips()[0].morphs.empty());
  EXPECT_EQ(faceless.meshes().size(), 4u);

  EXPECT_EQ(with_parts(armed(), {true}).error().message, "1 parts are chosen from, but the model has 3");
}

}  // namespace
}  // namespace throng
