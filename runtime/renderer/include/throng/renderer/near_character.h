// SPDX-License-Identifier: Apache-2.0
#pragma once
// Near characters of a CharacterRenderer: what they wear, their poses, and their vertices read back.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/character/character.h"
#include "throng/playback/play.h"

namespace throng {

// One piece of a model's near mesh, for near characters to wear.
struct PieceRef {
  ModelId model = {};
  std::uint32_t piece = 0;  // of NearMesh::pieces() of its character

  friend bool operator==(const PieceRef&, const PieceRef&) = default;
};

// The pieces that make up those parts of a character which was added as `model`: for CharacterRenderer::set_pieces.
// Refused: a character without a near mesh.
Result<std::vector<PieceRef>> pieces_of(const Character& character, ModelId model, PartMask parts);

// A near character, until it is removed; ids are not used twice.
struct CharacterId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const CharacterId&, const CharacterId&) = default;
};

// What a character is at. Spans are copied.
struct NearPose {
  std::span<const Affine> model_from_bones = {};  // of every bone of its model
  // How far morph targets are in: those of all meshes of its model, one after another (Rig::morph_count). Empty: as the
  // meshes are at rest. Pieces of other models take the weights of targets of the same name, and are at rest elsewhere.
  std::span<const float> morph_weights = {};
  Placement placement = {};
  Look look = {};
};

// The vertices of one piece of a character, as they were drawn: in world space, in the order of their source mesh.
struct VertexReadback {
  CharacterId character = {};
  PieceRef piece = {};
  std::uint64_t request = 0;  // what request_vertices returned
  std::uint64_t latency = 0;  // images that were prepared between the one it is of and when it was known to be here
  std::vector<glm::vec3> positions = {};
  std::vector<glm::vec3> normals = {};
  // w: the side, −1 or 1. Empty where no near mesh has tangents; all 0 where others have them and this one's has none.
  std::vector<glm::vec4> tangents = {};
};

}  // namespace throng
