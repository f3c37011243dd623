// SPDX-License-Identifier: Apache-2.0
// Where sockets are: on a column of bones, or stored as items behind the vertices.
#include <cmath>

#include "crowd/wearing.h"
#include "state.h"
#include "throng/base/try.h"
#include "throng/character/codecs/vertex_codecs.h"
#include "throng/character/decode.h"
#include "throng/math/directions.h"
#include "throng/playback/deform.h"
#include "time_record.h"

namespace throng {

using namespace detail::playback;

namespace {

// An item of vertex mode where a track is.
VertexSample item_at(const Character& model, const TrackRecord& track, std::size_t item, Ticks now) {
  const BakedClip& clip = model.clips()[track.clip];
  const Cursor cursor = cursor_of(time_record(clip), track, now);
  const FrameLayout frames = frame_layout(model, clip);
  const std::size_t count = words_per_item(clip.encoding, model.tangents_animated());
  const auto decode = [&](std::uint32_t frame) {
    const auto words = model.atlas().frame(frames, clip.layer, frame).subspan(item * count, count);
    return decode_vertex(clip.encoding, words, clip.range, model.tangents_animated());
  };
  return interpolate(decode(cursor.frame), decode(cursor.next), static_cast<double>(cursor.blend));
}

VertexSample blended_item(const Character& model, const PlayRecord& play, std::size_t item, double weight, Ticks now) {
  VertexSample sample = item_at(model, play.track, item, now);
  if (weight >= 1.0) return sample;
  const VertexSample previous = item_at(model, play.previous, item, now);
  sample.position = glm::mix(previous.position, sample.position, weight);
  sample.normal = mixed_direction(previous.normal, sample.normal, weight);
  return sample;
}

// The axes are rounded, and blended, one by one, so they are at right angles only nearly; +Z is taken at its word.
glm::dmat4 socket_of_items(const Character& model, const PlayRecord& play, const BakedSocket& socket, double weight,
                           Ticks now) {
  const VertexSample first = blended_item(model, play, socket.bone, weight, now);
  const glm::dvec3 rough_x = blended_item(model, play, std::size_t{socket.bone} + 1, weight, now).normal;
  const glm::dvec3& z = first.normal;
  const glm::dvec3 x = unit_or(perpendicular_part(rough_x, z), perpendicular(z), 1e-6);
  const glm::dvec3& scale = socket.mesh_from_socket.scale;
  return {glm::dvec4(x * scale.x, 0.0), glm::dvec4(glm::cross(z, x) * scale.y, 0.0), glm::dvec4(z * scale.z, 0.0),
          glm::dvec4(first.position, 1.0)};
}

}  // namespace

Result<void> check_socket(const Character& model, PartMask worn, SocketId socket) {
  if (socket.value >= model.sockets().size()) {
    return fail("socket {} does not exist; model '{}' has {}, counted from 0", socket.value, model.name(),
                model.sockets().size());
  }
  const BakedSocket& baked = model.sockets()[socket.value];
  if (baked.part && !worn.has(*baked.part)) {
    return fail("socket '{}' is on '{}', which is not worn", baked.name, model.parts()[baked.part->value].name);
  }
  return {};
}

Result<SocketPlace> socket_place(const Character& model, const PlayRecord& play, SocketId socket, Ticks now) {
  THRONG_CHECK(check_socket(model, read_parts(play), socket));
  const BakedSocket& baked = model.sockets()[socket.value];
  const auto weight = static_cast<double>(gpu::fade_weight(play, split(now)));
  if (model.mode() == BakeMode::vertices) return place_of(socket_of_items(model, play, baked, weight, now));
  if (weight >= 1.0) {
    const BakedClip& clip = model.clips()[play.track.clip];
    const Cursor cursor = cursor_of(time_record(clip), play.track, now);
    return place_of(decode_socket(model, clip, baked, cursor, static_cast<double>(cursor.blend)));
  }
  const ColumnMove move = blended_columns(model, play, now)[baked.bone];
  glm::dmat4 model_from_mesh(move.linear);
  model_from_mesh[3] = glm::dvec4(move.offset, 1.0);
  return place_of(model_from_mesh * to_matrix(baked.mesh_from_socket));
}

glm::dmat4 world_from_model(const InstanceRecord& instance) {
  const gpu::vec4 q = gpu::unpack_rotation(instance.rotation);
  const glm::dmat3 rotation = glm::mat3_cast(glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)));
  glm::dmat4 matrix(rotation * std::abs(static_cast<double>(instance.scale)));
  matrix[3] = glm::dvec4(instance.position, 1.0);
  return matrix;
}

SocketPlace place_of(const glm::dmat4& matrix) {
  SocketPlace place;
  place.matrix = matrix;
  place.position = glm::dvec3(matrix[3]);
  const glm::dmat3 linear(matrix);
  place.scale = std::cbrt(glm::determinant(linear));
  // +Z is taken at its word, and +X as far as it is at right angles to it; a mirror reverses both.
  const double side = place.scale < 0.0 ? -1.0 : 1.0;
  const double z_length = glm::length(linear[2]);
  if (!(z_length > 0.0)) return place;
  const glm::dvec3 z = linear[2] * (side / z_length);
  const glm::dvec3 flat = side * (linear[0] - z * glm::dot(z, linear[0]));
  const double x_length = glm::length(flat);
  if (!(x_length > 0.0)) return place;
  const glm::dvec3 x = flat / x_length;
  place.rotation = glm::normalize(glm::quat_cast(glm::dmat3(x, glm::cross(z, x), z)));
  return place;
}

}  // namespace throng
