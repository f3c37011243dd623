// SPDX-License-Identifier: Apache-2.0
// What of a model's meshes is packed for near characters, and that far ones have the same.
#include "chain_of_bars.h"
#include "near_stage.h"

namespace throng {
namespace {

// A bar with a target that its clip moves.
Model blinking(bool has_normals) {
  ModelDraft draft = test::bar_that_blinks().draft();
  Mesh& mesh = draft.meshes[0];
  mesh.morph_targets[0].normals.assign(mesh.positions.size(), {0.0f, 0.5f, 0.0f});
  if (!has_normals) mesh.normals.clear();
  return build_model(std::move(draft)).value();
}

// As the reference has it: where a mesh has no normals of its own there is nothing to add to.
TEST(NearPacking, NormalsOfMorphTargetsNeedThoseOfTheirMeshNearAndFar) {
  for (const bool has_normals : {true, false}) {
    SerialExecutor executor;
    const Character character = bake(blinking(has_normals), {.levels = 1}, executor).value();
    const NearMesh near = character.near_mesh().value();
    ASSERT_FALSE(near.data().deltas.empty());
    ASSERT_FALSE(character.morphs().deltas.empty());
    EXPECT_EQ(
        std::ranges::any_of(near.data().deltas, [](const auto& delta) { return delta.normal != glm::vec3(0.0f); }),
        has_normals);
    EXPECT_EQ(std::ranges::any_of(character.morphs().deltas, [](const auto& delta) { return delta.normal[1] != 0; }),
              has_normals);
  }
}

}  // namespace
}  // namespace throng
