// SPDX-License-Identifier: Apache-2.0
#include "render/bake_piece.h"

#include <utility>

#include "throng/bake/bake.h"
#include "throng/base/executor.h"
#include "throng/base/try.h"
#include "throng/model/model.h"

using namespace throng;

Result<Character> bake_piece(const Piece& piece) {
  ModelDraft draft;
  draft.name = piece.name;
  draft.bones = {{piece.bone, std::nullopt, {}}};
  draft.bindings = {{0, piece.bone_from_mesh}};
  draft.materials = {piece.material};
  Mesh mesh;
  mesh.name = piece.name;
  mesh.positions = piece.mesh.positions;
  mesh.normals = piece.mesh.normals;
  for (const glm::vec3& colour : piece.mesh.colours) mesh.colours.emplace_back(colour, 1.0f);
  mesh.influences.assign(mesh.positions.size(), bound_to(0));
  mesh.indices = piece.mesh.indices;
  draft.meshes = {std::move(mesh)};
  THRONG_TRY(const Model model, build_model(std::move(draft)));
  SerialExecutor executor;
  return bake(model, {.levels = 1}, executor);
}
