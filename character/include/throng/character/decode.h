// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the words of an atlas say, decoded as the shaders do it but in double: for the bake's measurements, for tests
// and for whoever wants a pose on the CPU.

#include <glm/glm.hpp>
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
// Every column of a bone-mode model between two frames of one layer.
std::vector<ColumnMove> decode_columns(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                       double blend);

// Where every vertex is, in either mode.
struct DecodedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
};
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
