// SPDX-License-Identifier: Apache-2.0
#include "deform/deform_bones.h"

#include <algorithm>
#include <cmath>

#include "throng/character/decode.h"

namespace throng::detail::playback {
namespace {

using namespace simd;

// Scales nearer to each other than this leave directions where they are, as far as floats tell.
constexpr double kSameScale = 1e-6;
// Even columns that scale by less or more would bring squared lengths out of a float's range.
constexpr double kLeastScale = 1e-6;
constexpr double kMostScale = 1e6;
// The squared length at which nothing is left of the sum of a vertex's directions, each of unit length.
constexpr double kNothing = 1e-20;

float dot3(Float4 a, Float4 b) {
  const Float4 c = a * b;
  return c[0] + c[1] + c[2];
}

using Matrix = std::array<std::array<float, 4>, 4>;

Float4 turned(const Matrix& matrix, const float* v) {
  return load(matrix[0].data()) * splat(v[0]) + load(matrix[1].data()) * splat(v[1]) +
         load(matrix[2].data()) * splat(v[2]);
}

// Directions are added, so that a column that scales does not count for more.
Float4 affine_direction(const RestVertex& vertex, std::span<const Column> columns, const float* direction,
                        Matrix Column::*matrix) {
  Float4 sum = splat(0.0f);
  for (std::size_t i = 0; i < 4; ++i) {
    if (vertex.weights[i] == 0.0f) continue;
    const Float4 one = turned(columns[vertex.columns[i]].*matrix, direction);
    const float squared = dot3(one, one);
    if (squared > 1e-30f) sum += one * splat(vertex.weights[i] / std::sqrt(squared));
  }
  return sum;
}

Float4 affine_position(const RestVertex& vertex, std::span<const Column> columns) {
  Float4 sum = splat(0.0f);
  for (std::size_t i = 0; i < 4; ++i) {
    const Matrix& points = columns[vertex.columns[i]].points;
    sum += (turned(points, vertex.position.data()) + load(points[3].data())) * splat(vertex.weights[i]);
  }
  return sum;
}

Float4 unit_vector_or(Float4 v, const glm::vec3& otherwise) {
  const float squared = dot3(v, v);
  return squared > static_cast<float>(kNothing) ? v * splat(1.0f / std::sqrt(squared)) : four(otherwise);
}

glm::vec3 vec3_of(const float* v) { return {v[0], v[1], v[2]}; }

// Columns of any matrices.
void deform_affine(const RestMesh& mesh, std::span<const RestVertex> vertices, const MovedColumns& by,
                   const Deformer::Output& out) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const RestVertex& vertex = vertices[i];
    if (!out.positions.empty()) out.positions[vertex.vertex] = three(affine_position(vertex, by.columns));
    if (!out.normals.empty()) {
      const float* normal = vertex.normal.data();
      const Float4 sum = affine_direction(vertex, by.columns, normal, &Column::normals);
      out.normals[vertex.vertex] = three(unit_vector_or(sum, by.rotation * vec3_of(normal)));
    }
    if (!out.tangents.empty()) {
      const float* tangent = &mesh.tangents[4 * i];
      const Float4 sum = affine_direction(vertex, by.columns, tangent, &Column::points);
      const glm::vec3 unit = three(unit_vector_or(sum, by.rotation * vec3_of(tangent)));
      out.tangents[vertex.vertex] = glm::vec4(unit, 0.0f);
    }
  }
}

// The other side of a tangent where its vertex's columns mirror.
void put_sides(const RestMesh& mesh, std::span<const float> column_sides, std::span<glm::vec4> tangents) {
  for (std::size_t v = 0; v < tangents.size(); ++v) tangents[v].w = mesh.sides[v];
  if (std::ranges::find(column_sides, -1.0f) == column_sides.end()) return;
  for (const RestVertex& vertex : mesh.vertices) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < 4; ++i) sum += vertex.weights[i] * column_sides[vertex.columns[i]];
    if (sum < 0.0f) tangents[vertex.vertex].w = -mesh.sides[vertex.vertex];
  }
}

ColumnMove placed_move(const ColumnMove& move, const glm::dmat4& world_from_model, const glm::dmat3& rotation) {
  return {glm::dmat3(world_from_model) * move.linear, glm::dvec3(world_from_model * glm::dvec4(move.offset, 1.0)),
          rotation * move.normal};
}

std::array<float, 4> row_of(const glm::dvec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0.0f};
}

void put_points(const ColumnMove& m, Column& to) {
  to.points = {row_of(m.linear[0]), row_of(m.linear[1]), row_of(m.linear[2]), row_of(m.offset)};
}
void put_normals(const ColumnMove& m, Column& to) {
  to.normals = {row_of(m.normal[0]), row_of(m.normal[1]), row_of(m.normal[2]), {}};
}

// The scale of all columns where they only rotate and scale, all alike; else nothing. Their normals rotate, so the
// product of an axis with its normal is the scale.
std::optional<double> even_scale(std::span<const ColumnMove> moves) {
  double least = kMostScale, most = kLeastScale;
  for (const ColumnMove& m : moves) {
    const double scale = glm::dot(m.linear[0], m.normal[0]);
    least = std::min(least, scale);
    most = std::max(most, scale);
  }
  if (least < kLeastScale || most > kMostScale || most - least > kSameScale * most) return std::nullopt;
  return most;
}

struct Rest {
  RestVertex vertex;
  std::uint32_t influences = 0;
};

Rest rest_of(const BakedVertex& vertex, std::uint32_t number) {
  Rest rest;
  const glm::vec3& p = vertex.position;
  const glm::vec3& n = vertex.normal;
  rest.vertex.position = {p.x, p.y, p.z, 1.0f};
  rest.vertex.normal = {n.x, n.y, n.z, 0.0f};
  rest.vertex.vertex = number;
  for (std::size_t i = 0; i < 4; ++i) {
    if (vertex.weights[i] == 0) continue;
    rest.vertex.weights[rest.influences] = static_cast<float>(vertex.weights[i]) / 65535.0f;
    rest.vertex.columns[rest.influences++] = vertex.bones[i];
  }
  return rest;
}

void repeat_last(std::span<RestVertex> vertices, const RestMesh::Run& run) {
  for (std::size_t i = run.count; i < run.filled; ++i) vertices[run.first + i] = vertices[run.first + run.count - 1];
}

void add_to(std::array<float, 4>& sum, float weight, const std::array<std::int16_t, 3>& steps) {
  for (std::size_t i = 0; i < 3; ++i) sum[i] += weight * static_cast<float>(steps[i]);
}

}  // namespace

RestMesh::RestMesh(const Character& model) {
  const std::span<const BakedVertex> whole = model.vertices().whole();
  std::array<std::vector<RestVertex>, 4> by_influences;
  for (std::uint32_t v = 0; v < whole.size(); ++v) {
    const Rest rest = rest_of(whole[v], v);
    by_influences[std::max(rest.influences, 1u) - 1].push_back(rest.vertex);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const std::vector<RestVertex>& some = by_influences[i];
    runs[i] = {vertices.size(), some.size(), (some.size() + 3) / 4 * 4};
    vertices.insert(vertices.end(), some.begin(), some.end());
    vertices.resize(runs[i].first + runs[i].filled);
    repeat_last(vertices, runs[i]);
  }
  if (!model.tangents().empty()) {
    for (const RestVertex& vertex : vertices) {
      const glm::vec4& tangent = model.tangents()[vertex.vertex];
      tangents.insert(tangents.end(), {tangent.x, tangent.y, tangent.z, 0.0f});
    }
    for (const glm::vec4& tangent : model.tangents()) sides.push_back(tangent.w);
  }
  if (model.morphs().empty()) return;
  places.resize(whole.size());
  for (const Run& run : runs) {
    for (std::size_t i = run.first; i < run.first + run.count; ++i)
      places[vertices[i].vertex] = static_cast<std::uint32_t>(i);
  }
}

std::vector<RestVertex> RestMesh::morphed(const Character& model, const PlayRecord& play, Ticks now) const {
  std::vector<RestVertex> moved = vertices;
  const std::vector<double> weights = blended_morphs(model, play, now);
  const BakedMorphs& morphs = model.morphs();
  std::size_t next = 0;
  for (const MorphedVertex& vertex : morphs.vertices) {
    RestVertex& to = moved[places[vertex.vertex]];
    for (std::uint32_t i = 0; i < vertex.delta_count; ++i) {
      const BakedDelta& delta = morphs.deltas[next++];
      const BakedTarget& target = morphs.targets[delta.target];
      const auto weight = static_cast<float>(weights[delta.target]);
      add_to(to.position, weight * target.position_step, delta.position);
      add_to(to.normal, weight * target.normal_step, delta.normal);
    }
  }
  for (const Run& run : runs) repeat_last(moved, run);
  return moved;
}

MovedColumns moved_columns(const Character& model, const PlayRecord& play, Ticks now, const InstanceRecord* placed,
                           bool tangents) {
  MovedColumns out;
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
  std::vector<ColumnMove> moves = blended_columns(model, play, now);
  if (placed != nullptr)
    for (ColumnMove& move : moves) move = placed_move(move, matrix, rotation);
  if (!out.affine) out.even_scale = even_scale(moves);
  out.columns.resize(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) put_points(moves[i], out.columns[i]);
  if (!out.even_scale)
    for (std::size_t i = 0; i < moves.size(); ++i) put_normals(moves[i], out.columns[i]);
  if (!tangents) return out;
  for (const ColumnMove& move : moves) out.sides.push_back(glm::determinant(move.linear) < 0.0 ? -1.0f : 1.0f);
  return out;
}

void deform_bones(const RestMesh& mesh, std::span<const RestVertex> vertices, const MovedColumns& columns,
                  const Deformer::Output& out) {
  if (columns.affine) {
    deform_affine(mesh, vertices, columns, out);
  } else {
    const double scale = columns.even_scale.value_or(1.0);
    kernels::Move move{.vertices = {},
                       .tangents = nullptr,
                       .columns = columns.columns.data(),
                       .even = columns.even_scale.has_value(),
                       .nothing = static_cast<float>(kNothing * scale * scale),
                       .rotation = columns.rotation,
                       .positions = out.positions.data(),
                       .normals = out.normals.data(),
                       .turned_tangents = out.tangents.data()};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const RestMesh::Run& run = mesh.runs[i];
      move.vertices = vertices.subspan(run.first, run.filled);
      move.tangents = out.tangents.empty() ? nullptr : mesh.tangents.data() + 4 * run.first;
      (kernels::has_wide() ? kernels::move_wide : kernels::move_narrow)(move, i + 1);
    }
  }
  if (!out.tangents.empty()) put_sides(mesh, columns.sides, out.tangents);
}

}  // namespace throng::detail::playback
