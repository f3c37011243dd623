// SPDX-License-Identifier: Apache-2.0
#include "deform/deform_bones.h"

#include <algorithm>
#include <cmath>

#include "throng/character/decode.h"

namespace throng::detail::playback {
namespace {

Float4 column4(const glm::dvec3& v) { return four(glm::vec3(v)); }

float dot3(Float4 a, Float4 b) {
  const Float4 c = a * b;
  return c[0] + c[1] + c[2];
}

Float4 times(const Float4* columns, Float4 v) {
  return columns[0] * splat(v[0]) + columns[1] * splat(v[1]) + columns[2] * splat(v[2]);
}

Float4 unit_vector_or(Float4 v, const glm::vec3& otherwise) {
  const float squared = dot3(v, v);
  return squared > 1e-20f ? v * splat(1.0f / std::sqrt(squared)) : four(otherwise);
}

// The sum of a vertex's columns by weight.
struct Blended {
  std::array<Float4, 4> points{};
  std::array<Float4, 3> normals{};

  Blended(const RestVertex& vertex, const std::vector<FloatColumn>& columns) {
    for (std::uint32_t i = 0; i < vertex.influences; ++i) {
      const FloatColumn& column = columns[vertex.columns[i]];
      const Float4 weight = splat(vertex.weights[i]);
      for (std::size_t k = 0; k < 4; ++k) points[k] += weight * column.points[k];
      for (std::size_t k = 0; k < 3; ++k) normals[k] += weight * column.normals[k];
    }
  }
};

// Directions are added, so that a column that scales does not count for more.
Float4 affine_direction(const RestVertex& vertex, const std::vector<FloatColumn>& columns, Float4 direction,
                        const Float4* (*matrix)(const FloatColumn&)) {
  Float4 sum = splat(0.0f);
  for (std::uint32_t i = 0; i < vertex.influences; ++i) {
    const Float4 turned = times(matrix(columns[vertex.columns[i]]), direction);
    const float squared = dot3(turned, turned);
    if (squared > 1e-30f) sum += turned * splat(vertex.weights[i] / std::sqrt(squared));
  }
  return sum;
}

const Float4* of_normals(const FloatColumn& column) { return column.normals.data(); }
const Float4* of_points(const FloatColumn& column) { return column.points.data(); }

// The other one where columns mirror.
float side_of(const RestVertex& vertex, const std::vector<FloatColumn>& columns) {
  float sum = 0.0f;
  for (std::uint32_t i = 0; i < vertex.influences; ++i) sum += vertex.weights[i] * columns[vertex.columns[i]].side;
  return sum < 0.0f ? -vertex.tangent[3] : vertex.tangent[3];
}

ColumnMove placed_move(const ColumnMove& move, const glm::dmat4& world_from_model, const glm::dmat3& rotation) {
  return {glm::dmat3(world_from_model) * move.linear, glm::dvec3(world_from_model * glm::dvec4(move.offset, 1.0)),
          rotation * move.normal};
}

}  // namespace

std::vector<RestVertex> rest_vertices(const Character& model) {
  std::vector<RestVertex> out;
  out.reserve(model.vertices().size());
  for (std::size_t v = 0; v < model.vertices().size(); ++v) {
    const BakedVertex& vertex = model.vertices().whole()[v];
    RestVertex rest{};
    rest.position = four(vertex.position, 1.0f);
    rest.normal = four(vertex.normal);
    if (!model.tangents().empty()) rest.tangent = four(glm::vec3(model.tangents()[v]), model.tangents()[v].w);
    for (std::size_t i = 0; i < 4; ++i) {
      if (vertex.weights[i] == 0) continue;
      rest.weights[rest.influences] = static_cast<float>(vertex.weights[i]) / 65535.0f;
      rest.columns[rest.influences++] = vertex.bones[i];
    }
    out.push_back(rest);
  }
  return out;
}

void morph(const Character& model, const PlayRecord& play, Ticks now, std::span<RestVertex> vertices) {
  const std::vector<double> weights = blended_morphs(model, play, now);
  const BakedMorphs& morphs = model.morphs();
  std::size_t next = 0;
  for (const MorphedVertex& vertex : morphs.vertices) {
    RestVertex& moved = vertices[vertex.vertex];
    for (std::uint32_t i = 0; i < vertex.delta_count; ++i) {
      const BakedDelta& delta = morphs.deltas[next++];
      const BakedTarget& target = morphs.targets[delta.target];
      const auto weight = static_cast<float>(weights[delta.target]);
      const auto& p = delta.position;
      const auto& n = delta.normal;
      moved.position += four(weight * target.position_step * glm::vec3(p[0], p[1], p[2]));
      moved.normal += four(weight * target.normal_step * glm::vec3(n[0], n[1], n[2]));
    }
  }
}

FloatColumns float_columns(const Character& model, const PlayRecord& play, Ticks now, const InstanceRecord* placed) {
  FloatColumns out;
  for (const TrackRecord* track : {&play.track, &play.previous}) {
    if (track == &play.previous && play.fade_ticks == 0) continue;
    const Encoding encoding = model.clips()[track->clip].encoding;
    out.affine = out.affine || is_affine_encoding(encoding);
  }
  glm::dmat4 matrix(1.0);
  glm::dmat3 rotation(1.0);
  if (placed != nullptr) {
    matrix = world_from_model(*placed);
    rotation = glm::dmat3(matrix) / std::abs(static_cast<double>(placed->scale));
  }
  out.rotation = glm::mat3(rotation);
  out.columns.reserve(model.bones().size());
  for (const ColumnMove& move : blended_columns(model, play, now)) {
    const ColumnMove m = placed != nullptr ? placed_move(move, matrix, rotation) : move;
    out.columns.push_back({{column4(m.linear[0]), column4(m.linear[1]), column4(m.linear[2]), column4(m.offset)},
                           {column4(m.normal[0]), column4(m.normal[1]), column4(m.normal[2])},
                           glm::determinant(m.linear) < 0.0 ? -1.0f : 1.0f});
  }
  return out;
}

void deform_bones(std::span<const RestVertex> vertices, const FloatColumns& columns, const Deformer::Output& out) {
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const RestVertex& vertex = vertices[v];
    const Blended blended(vertex, columns.columns);
    if (!out.positions.empty()) {
      out.positions[v] = three(times(blended.points.data(), vertex.position) + blended.points[3]);
    }
    if (!out.normals.empty()) {
      const Float4 sum = columns.affine ? affine_direction(vertex, columns.columns, vertex.normal, of_normals)
                                        : times(blended.normals.data(), vertex.normal);
      out.normals[v] = three(unit_vector_or(sum, columns.rotation * three(vertex.normal)));
    }
    if (!out.tangents.empty()) {
      const Float4 sum = columns.affine ? affine_direction(vertex, columns.columns, vertex.tangent, of_points)
                                        : times(blended.normals.data(), vertex.tangent);
      const Float4 tangent = unit_vector_or(sum, columns.rotation * three(vertex.tangent));
      out.tangents[v] = glm::vec4(three(tangent), side_of(vertex, columns.columns));
    }
  }
}

}  // namespace throng::detail::playback
