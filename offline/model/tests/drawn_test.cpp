// SPDX-License-Identifier: Apache-2.0
#include "throng/model/drawn.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

// A triangle that follows bones 0 to 3 strongest and bone 5 a little, on a skeleton of seven.
Model five_influences() {
  ModelDraft draft;
  draft.name = "tentacle";
  for (std::uint32_t bone = 0; bone < 7; ++bone) {
    draft.bones.push_back({"bone " + std::to_string(bone), std::nullopt, {}});
    draft.bindings.push_back({bone, glm::dmat4(1.0)});
  }
  draft.materials = {{}};
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.indices = {0, 1, 2};
  mesh.influences.assign(3, {{0, 1, 2, 3}, {0.25f, 0.25f, 0.25f, 0.125f}});
  mesh.extra_influences.assign(3, {{5, 6, 0, 0}, {0.125f, 0.0f, 0.0f, 0.0f}});
  Mesh unseen;  // without triangles
  unseen.positions = {{0, 0, 0}};
  unseen.influences = {bound_to(4)};
  draft.meshes = {mesh, unseen};
  return build_model(std::move(draft)).value();
}

TEST(DrawnBones, AreThoseOfAllEightInfluencesThatWeighAnything) {
  EXPECT_EQ(drawn_bones(five_influences()), (std::vector<bool>{true, true, true, true, false, true, false}));
}

TEST(DrawnMaterials, AreInTheirOrderAndTheirMeshesWithThem) {
  ModelDraft draft = five_influences().draft();
  draft.materials.resize(5);
  draft.meshes.resize(5, draft.meshes[0]);
  draft.meshes[1].indices.clear();
  const std::uint32_t of_mesh[] = {4, 0, 2, 4, 2};
  for (std::uint32_t i = 0; i < 5; ++i) {
    draft.meshes[i].primitive = i;
    draft.meshes[i].material = of_mesh[i];
  }
  const Model model = build_model(std::move(draft)).value();
  EXPECT_EQ(drawn_by_material(model), (std::vector<std::uint32_t>{2, 4, 0, 3}));
  EXPECT_EQ(drawn_materials(model), (std::vector<std::uint32_t>{2, 4}));
}

}  // namespace
}  // namespace throng
