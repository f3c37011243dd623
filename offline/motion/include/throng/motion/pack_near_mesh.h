// SPDX-License-Identifier: Apache-2.0
#pragma once
// Model → NearMesh: vertices, influences and morph targets packed as near_skin.comp reads them, and boxes to find
// bounds with from the bones alone.

#include <cstdint>
#include <span>

#include "throng/base/result.h"
#include "throng/character/near_mesh.h"
#include "throng/model/rest_surface.h"

namespace throng {

// What is packed besides the meshes as they are.
struct NearMeshSettings {
  std::uint32_t influences = 8;  // of a vertex, at most; 4: the four strongest of those the model has
  // The surfaces of the model's meshes, as a bake has them for far characters too; none: as rest_surfaces finds them,
  // with the tangents that the meshes have. Only pieces whose material has a normal map use tangents.
  std::span<const RestSurface> surfaces = {};
};

// A piece for each mesh of the model, in that order. `motion` is the model's. Materials are numbered among those that
// anything is drawn with, as the bake keeps them. Refused: a model without bindings or triangles.
Result<NearMesh> pack_near_mesh(const Model& model, const Motion& motion, const NearMeshSettings& settings = {});

}  // namespace throng
