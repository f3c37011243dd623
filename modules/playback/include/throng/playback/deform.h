#pragma once
// What a character looks like at a moment, worked out on the CPU: for tests, for sockets, for picking, for export, and
// for machines without a GPU.
//
// A cross-fade blends column by column, from the clip that fades out to the one that comes: rotations linearly on the
// short arc and normalised, scales linearly, and linearly where the coming clip's pivot of that column goes. Where one
// of the two clips is of matrices (rows, half-rows) both are, and their entries are mixed. In vertex mode positions are
// mixed, directions mixed and normalised.

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/asset/baked_model.h"
#include "throng/playback/clock.h"

namespace throng {

// The reference, in double. What the play's records say must be in the model: as a Crowd or a Controller of that model
// wrote them.
std::vector<ColumnMove> blended_columns(const BakedModel& model, const PlayRecord& play, Ticks now);  // bone mode
DecodedVertices deform(const BakedModel& model, const PlayRecord& play, Ticks now);                   // in model space

// Where a socket is, and how it is turned. The matrix is all of it; the parts leave out what is not a uniform scale.
struct SocketPlace {
  glm::dvec3 position{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  double scale = 1.0;  // below 0: mirrored
  glm::dmat4 matrix{1.0};
};

// model_from_socket.
Result<SocketPlace> socket_place(const BakedModel& model, const PlayRecord& play, std::uint32_t socket, Ticks now);

// world_from_model of a character; and a place with what it is in put before it.
glm::dmat4 world_from_model(const InstanceRecord& instance);
SocketPlace place_of(const glm::dmat4& matrix);

}  // namespace throng
