// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character's mesh as it is drawn near, in the pieces that its source has, packed as near_skin.comp reads them: up to
// eight influences a vertex, morph targets, vertices cut into chunks. Made offline by pack_near_mesh
// (throng/motion/pack_near_mesh.h) and kept in the character's file; loading is copying. Immutable, cheap to copy.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/character/motion.h"
#include "throng/math/float_box.h"
#include "throng/shaders/shared/near.h"

namespace throng {

// What one morph target does to the vertices of a box, per weight.
struct MorphReach {
  std::uint32_t target = 0;  // of the piece
  FloatBox offsets;
};

// Vertices that a binding moves, in the space of its bone. Blended linearly a vertex lies among the points its bones
// alone would take it to, so the box around all that bones make of their boxes holds it.
struct BoneBox {
  std::uint32_t binding = 0;
  FloatBox box;
  float largest = 0.0f;  // number on the way from mesh space: what rounding is counted from
  std::vector<MorphReach> reaches;
};

// Vertices that follow one binding most, in mesh space. Blended as dual quaternions a vertex may leave the box of those
// points, but not far: with c any point, r the blended quaternion before it is made unit length again, and R the
// distance from c of the farthest of those points, it stays within R / |r|² of c.
struct ScrewBox {
  std::uint32_t binding = 0;
  std::vector<std::uint32_t> others;  // bindings that move any of them too
  float least_weight = 1.0f;          // of `binding`, of any of them
  FloatBox box;
  std::vector<MorphReach> reaches;
};

// What bounds are found with, for each method of blending.
struct PieceBoxes {
  std::vector<BoneBox> linear;
  std::vector<ScrewBox> dual;
};

// A piece: one mesh of the source, triangles of one material. What is worn together makes up a part.
struct NearPiece {
  std::string name;
  std::uint32_t part = 0;      // of Character::parts(), where it has any: what it is worn with
  std::uint32_t material = 0;  // of Character::materials()
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
  std::uint32_t first_index = 0;  // indices count from the piece's first vertex
  std::uint32_t index_count = 0;  // 0: it is not drawn
  std::uint32_t first_chunk = 0;
  std::uint32_t chunk_count = 0;
  std::uint32_t first_target = 0;  // of the character's morph targets
  std::uint32_t target_count = 0;
};

// What a NearMesh is made from. The views look into `storage`, or into what else outlives the NearMesh. Pieces, their
// vertices, indices, chunks and targets follow each other without gaps; chunks count everything from the start of these
// arrays.
struct NearMeshData {
  std::vector<NearPiece> pieces;
  std::vector<std::string> target_names;         // of all pieces, one after another
  std::span<const glm::uvec4> vertices;          // two each: near_skin.comp says what is in them
  std::span<const glm::uvec4> surfaces;          // one each: uv, colour
  std::span<const glm::uvec4> extra_influences;  // the fifth to eighth, of the vertices of chunks that have them
  std::span<const std::uint32_t> morph_firsts;
  std::span<const gpu::MorphDelta> deltas;
  std::span<const gpu::ChunkRecord> chunks;
  std::span<const std::uint32_t> columns;
  std::span<const std::uint32_t> indices;
  // For each piece its PieceBoxes: how many linear boxes, then those, how many dual ones, then those. A box is its
  // members in their order, lists with their length before them, floats as their bits.
  std::span<const std::uint32_t> boxes;
  SharedBytes storage;
};

class NearMesh {
 public:
  const NearMeshData& data() const;                   // what it was made from
  std::span<const NearPiece> pieces() const;          // one a mesh of the source and material
  std::span<const std::string> target_names() const;  // names of the morph targets of all pieces, one after another
  std::size_t vertex_count() const;                   // vertices of all pieces
  // The first of that name, or the only one it matches as a pattern; or an error that names those spelled like it.
  Result<std::uint32_t> find_piece(std::string_view wanted) const;
  // The number of the morph target of that name among those of all pieces, as weights have it (NearPose, Rig,
  // Animator); refused as find_piece() is. Where several pieces have one of that name, the first piece's.
  Result<std::uint32_t> find_target(std::string_view wanted) const;
  // The bindings of the character's motion that move a piece, ascending.
  std::span<const std::uint32_t> bindings(std::uint32_t piece) const;
  const PieceBoxes& boxes(std::uint32_t piece) const;  // what the bounds of a piece are found with
  std::uint32_t features() const;                      // flags of any chunk
  // How many bindings and morph targets the motion has that it was built for.
  std::size_t binding_count() const;
  std::size_t target_count() const { return target_names().size(); }  // morph targets of all pieces

  // Where a vertex is in mesh space, and the binding it follows most.
  struct Anchor {
    glm::vec3 position{0.0f};
    std::uint32_t binding = 0;
  };
  // One for every vertex of every piece.
  std::vector<Anchor> anchors() const;

  // Whether both came out of one build_near_mesh.
  friend bool operator==(const NearMesh& a, const NearMesh& b) { return a.state_ == b.state_; }

 private:
  struct State;
  friend Result<NearMesh> build_near_mesh(NearMeshData data, const Motion& motion);
  explicit NearMesh(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

// Checks everything the types above promise, and that the shaders which read it stay inside of it; the first broken
// promise is the error. `motion` is the character's. That the character has the materials and parts of the pieces is
// asked where it comes into one: by build_character.
Result<NearMesh> build_near_mesh(NearMeshData data, const Motion& motion);

// Appends the boxes of one piece as NearMeshData::boxes has them.
void append_boxes(const PieceBoxes& boxes, std::vector<std::uint32_t>& words);

}  // namespace throng
