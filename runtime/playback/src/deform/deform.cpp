// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/deform.h"
#include "throng/character/decode.h"

#include <cmath>

#include "state.h"
#include "throng/character/skeleton.h"
#include "throng/math/directions.h"
#include "time_record.h"

namespace throng {

using namespace detail::playback;

namespace {

bool is_affine(const BakedClip& clip) { return is_affine_encoding(clip.encoding); }

// What a cross-fade to a clip blends a column about: its pivot, or the origin of its link.
glm::dvec3 pivot_of(const Character& model, const BakedClip& clip, std::size_t column) {
  return info_of(clip.encoding).pivots ? glm::dvec3(table_of(model, clip)[column]) : link_origin(model.bones()[column]);
}

// A column that only rotates, scales evenly and moves, taken apart. Its normals rotate even where its scale is 0.
struct Parts {
  glm::dquat rotation;
  double scale;

  explicit Parts(const ColumnMove& move) {
    const bool mirrors = glm::determinant(move.normal) < 0.0;
    const glm::dmat3 unmirrored = mirrors ? -move.normal : move.normal;
    rotation = glm::quat_cast(unmirrored);
    scale = glm::dot(move.linear[0], unmirrored[0]);
  }
};

ColumnMove blended_rotation(const ColumnMove& from, const ColumnMove& to, const glm::dvec3& pivot, double weight) {
  const Parts a(from);
  const Parts b(to);
  const glm::dquat near = glm::dot(a.rotation, b.rotation) < 0.0 ? -b.rotation : b.rotation;
  const glm::dmat3 rotation = glm::mat3_cast(glm::normalize(a.rotation * (1.0 - weight) + near * weight));
  const double scale = glm::mix(a.scale, b.scale, weight);
  const glm::dvec3 position = glm::mix(from.linear * pivot + from.offset, to.linear * pivot + to.offset, weight);
  ColumnMove move;
  move.linear = rotation * scale;
  move.offset = position - move.linear * pivot;
  move.normal = scale < 0.0 ? -rotation : rotation;
  return move;
}

ColumnMove blended_matrix(const ColumnMove& from, const ColumnMove& to, double weight) {
  ColumnMove move;
  move.linear = from.linear * (1.0 - weight) + to.linear * weight;
  move.offset = glm::mix(from.offset, to.offset, weight);
  move.normal = normal_matrix(move.linear);
  return move;
}

std::vector<ColumnMove> columns_of(const Character& model, const TrackRecord& track, Ticks now) {
  const BakedClip& clip = model.clips()[track.clip];
  const Cursor cursor = cursor_of(time_record(clip), track, now);
  return decode_columns(model, clip, cursor, static_cast<double>(cursor.blend));
}

DecodedVertices vertices_of(const Character& model, const TrackRecord& track, Ticks now) {
  const BakedClip& clip = model.clips()[track.clip];
  const Cursor cursor = cursor_of(time_record(clip), track, now);
  return decode_pose(model, clip, cursor, static_cast<double>(cursor.blend));
}

std::vector<double> weights_of(const Character& model, const TrackRecord& track, Ticks now) {
  const BakedClip& clip = model.clips()[track.clip];
  const Cursor cursor = cursor_of(time_record(clip), track, now);
  return morph_weights(model.draft(), clip, cursor, static_cast<double>(cursor.blend));
}

DecodedVertices skinned(const Character& model, const MorphedMesh& mesh, const std::vector<ColumnMove>& moves) {
  DecodedVertices out;
  out.positions.reserve(model.vertices().size());
  out.normals.reserve(model.vertices().size());
  for (std::size_t v = 0; v < model.vertices().size(); ++v) {
    const BakedVertex& vertex = model.vertices().whole()[v];
    const SkinnedPoint point = skinned_point(vertex, mesh.positions[v], mesh.normals[v], moves);
    out.positions.push_back(point.position);
    out.normals.push_back(point.normal);
    if (!model.tangents().empty())
      out.tangents.push_back(skinned_tangent(vertex, glm::dvec4(model.tangents()[v]), moves));
  }
  return out;
}

}  // namespace

std::vector<ColumnMove> blended_columns(const Character& model, const PlayRecord& play, Ticks now) {
  std::vector<ColumnMove> moves = columns_of(model, play.track, now);
  const auto weight = static_cast<double>(gpu::fade_weight(play, split(now)));
  if (weight >= 1.0) return moves;
  const std::vector<ColumnMove> previous = columns_of(model, play.previous, now);
  const BakedClip& clip = model.clips()[play.track.clip];
  const bool affine = is_affine(clip) || is_affine(model.clips()[play.previous.clip]);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    moves[i] = affine ? blended_matrix(previous[i], moves[i], weight)
                      : blended_rotation(previous[i], moves[i], pivot_of(model, clip, i), weight);
  }
  return moves;
}

std::vector<double> blended_morphs(const Character& model, const PlayRecord& play, Ticks now) {
  std::vector<double> weights = weights_of(model, play.track, now);
  const auto weight = static_cast<double>(gpu::fade_weight(play, split(now)));
  if (weight >= 1.0) return weights;
  const std::vector<double> previous = weights_of(model, play.previous, now);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = glm::mix(previous[i], weights[i], weight);
  return weights;
}

DecodedVertices deform(const Character& model, const PlayRecord& play, Ticks now) {
  if (model.mode() == BakeMode::bones) {
    const MorphedMesh mesh = morphed_mesh(model.draft(), blended_morphs(model, play, now));
    return skinned(model, mesh, blended_columns(model, play, now));
  }
  DecodedVertices vertices = vertices_of(model, play.track, now);
  const auto weight = static_cast<double>(gpu::fade_weight(play, split(now)));
  if (weight >= 1.0) return vertices;
  const DecodedVertices previous = vertices_of(model, play.previous, now);
  for (std::size_t v = 0; v < vertices.positions.size(); ++v) {
    vertices.positions[v] = glm::mix(previous.positions[v], vertices.positions[v], weight);
    vertices.normals[v] = mixed_direction(previous.normals[v], vertices.normals[v], weight);
    if (!model.tangents_animated()) continue;
    const glm::dvec4& before = previous.tangents[v];
    vertices.tangents[v] =
        glm::dvec4(mixed_direction(glm::dvec3(before), glm::dvec3(vertices.tangents[v]), weight), before.w);
  }
  return vertices;
}

}  // namespace throng
