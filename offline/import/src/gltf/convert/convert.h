// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the parts of a conversion share: a checked document becomes a ModelDraft, and what is repaired or left out on
// the way is counted.

#include <map>
#include <vector>

#include "gltf/data/scene.h"
#include "gltf/file/document.h"
#include "throng/character/repairs.h"
#include "throng/model/model.h"

namespace throng::detail::gltf {

// What happened to vertices on the way, over the whole file.
struct MeshTally {
  Repairs repairs;
  std::size_t zero_tangents = 0;
  std::size_t tangents_alone = 0;     // primitives with tangents but no normals
  std::size_t points_and_lines = 0;   // primitives
  std::size_t without_data = 0;       // primitives in a buffer that the file leaves open
  std::size_t without_position = 0;   // primitives
  std::size_t spare_indices = 0;      // after the last whole triangle
  std::size_t skinned_instances = 0;  // primitives
  std::size_t hidden = 0;             // nodes with meshes
  std::size_t unskinned = 0;          // primitives with joints on a node without a skin, or the other way round
};

struct Conversion {
  Document& document;
  Mender& mender;
  Skeleton skeleton;
  ModelDraft draft;
  std::vector<std::vector<std::uint32_t>> meshes_of_node;
  std::vector<std::vector<std::uint16_t>> bindings_of_bone;
  std::vector<std::vector<std::uint16_t>> bindings_of_skin;  // per skin, per joint; empty until a mesh uses it
  std::vector<glm::dmat4> rest_matrices = {};                // per bone, once one is needed
  MeshTally tally;
  std::size_t most_influences = kInfluences;  // that a vertex keeps
};

}  // namespace throng::detail::gltf
