// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the words of an atlas say, decoded as the shaders do it but in double: for the bake's measurements, for tests
// and for whoever wants a pose on the CPU.

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/character/character.h"

namespace throng {

// What one column does to the baked mesh: v' = linear · v + offset; normals are multiplied by `normal` (inverse
// transpose up to a factor).
struct ColumnMove {
  glm::dmat3 linear{1.0};
  glm::dvec3 offset{0.0};
  glm::dmat3 normal{1.0};
};

// A vertex of bone mode on its columns. `position` and `normal`: what they were at rest, morph targets added.
struct SkinnedPoint {
  glm::dvec3 position{0.0};
  glm::dvec3 normal{0.0};
};
// Where the columns that a vertex follows take it.
SkinnedPoint skinned_point(const BakedVertex& vertex, const glm::dvec3& position, const glm::dvec3& normal,
                           std::span<const ColumnMove> moves);

// Its tangent: the directions that the columns make of it are blended, as those of normals are; its side is the other
// one where they mirror.
glm::dvec4 skinned_tangent(const BakedVertex& vertex, const glm::dvec4& tangent, std::span<const ColumnMove> moves);

// Every column of a bone-mode model between two frames of one layer.
std::vector<ColumnMove> decode_columns(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                       double blend);

// model_from_link of every link of the model's chains, of a clip in localv or local8. Other clips have none.
std::vector<BoneSample> decode_links(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                     double blend);

// Where every vertex is, in either mode.
struct DecodedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
  std::vector<glm::dvec4> tangents;  // w: the side, −1 or 1; none where the model has none
};
// Where every vertex is between two frames of a clip, in either mode.
DecodedVertices decode_pose(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor, double blend);

// Where a socket is, in either mode: model_from_socket.
glm::dmat4 decode_socket(const CharacterDraft& model, const BakedClip& clip, const BakedSocket& socket,
                         const Cursor& cursor, double blend);

inline std::vector<ColumnMove> decode_columns(const Character& model, const BakedClip& clip, const Cursor& cursor,
                                              double blend) {
  return decode_columns(model.draft(), clip, cursor, blend);
}
inline DecodedVertices decode_pose(const Character& model, const BakedClip& clip, const Cursor& cursor, double blend) {
  return decode_pose(model.draft(), clip, cursor, blend);
}
inline glm::dmat4 decode_socket(const Character& model, const BakedClip& clip, const BakedSocket& socket,
                                const Cursor& cursor, double blend) {
  return decode_socket(model.draft(), clip, socket, cursor, blend);
}

}  // namespace throng
