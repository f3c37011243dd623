// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a character looks like at a moment, worked out on the CPU: for tests, for sockets, for picking, for export, and
// for machines without a GPU.
//
// A cross-fade blends column by column, from the clip that fades out to the one that comes: rotations linearly on the
// short arc and normalised, scales linearly, and linearly where the coming clip's pivot of that column goes, which in
// local8 and localv is the origin of its bone. Where a clip is of matrices (rows, half-rows), entries are mixed. In
// vertex mode positions and directions are. Weights of morph targets are mixed, and what they add comes before the
// bones.

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "throng/character/character.h"
#include "throng/character/decode.h"
#include "throng/playback/clock.h"

namespace throng {

// The reference, in double. What the play's records say must be in the model: as a Crowd or a Controller of that model
// wrote them.
std::vector<ColumnMove> blended_columns(const Character& model, const PlayRecord& play, Ticks now);  // bone mode
std::vector<double> blended_morphs(const Character& model, const PlayRecord& play, Ticks now);  // weights beyond rest
DecodedVertices deform(const Character& model, const PlayRecord& play, Ticks now);              // in model space

// Where a socket is, and its rotation. The matrix is all of it; the parts leave out what is not a uniform scale.
struct SocketPlace {
  glm::dvec3 position{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  double scale = 1.0;  // below 0: mirrored
  glm::dmat4 matrix{1.0};
};

// model_from_socket. Refused: a socket that does not exist, and one on a part that is not worn.
Result<SocketPlace> socket_place(const Character& model, const PlayRecord& play, SocketId socket, Ticks now);

// Checks that the socket exists and is not on a part that is taken off.
Result<void> check_socket(const Character& model, PartMask worn, SocketId socket);

// world_from_model of a character; and a place with what it is in put before it.
glm::dmat4 world_from_model(const InstanceRecord& instance);
SocketPlace place_of(const glm::dmat4& matrix);  // position, rotation and scale of a matrix without shear

// The fast way, in float and several numbers at a time: what deform() gives, positions within 1e-5 of the model's
// diagonal, normals and tangents within 1e-5 of a unit vector (2e-4 in vertex mode, whose directions are decoded in
// float, too). Made once for a model; may be used by several threads at once.
class Deformer {
 public:
  explicit Deformer(const Character& model);  // keeps what it needs of the model, which shares its storage

  // One of each per vertex, or none of what is not wanted, which then costs nothing. Tangents are those of the model; w
  // is the side, −1 or 1.
  struct Output {
    std::span<glm::vec3> positions = {};
    std::span<glm::vec3> normals = {};
    std::span<glm::vec4> tangents = {};
  };

  // Into model space, or where `placed` stands. Refused, with nothing written: arrays of another size, tangents of a
  // model that has none, clips the model does not have.
  Result<void> run(const PlayRecord& play, Ticks now, const Output& out, const InstanceRecord* placed = nullptr) const;

  std::size_t vertex_count() const;  // vertices of the full mesh
  bool has_tangents() const;         // whether tangents are found besides positions and normals

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace throng
