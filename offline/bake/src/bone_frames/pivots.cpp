// SPDX-License-Identifier: Apache-2.0
#include "bone_frames/pivots.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {
namespace {

// No pivot is worth more than the model's size from its middle: bones that rotate by next to nothing ask for any.
constexpr double kFarthest = 1.0;
// A vertex that follows a column by less is placed by the others.
constexpr std::uint16_t kFollows = 65535 / 4;

glm::dmat3 linear_of(const Rigid& rigid) { return glm::mat3_cast(rigid.rotation) * rigid.scale; }

Rigid halfway(const Rigid& from, const Rigid& to) {
  const double side = glm::dot(from.rotation, to.rotation) < 0.0 ? -1.0 : 1.0;
  const glm::dquat sum = from.rotation + to.rotation * side;
  return {glm::normalize(sum), 0.5 * (from.scale + to.scale), 0.5 * (from.translation + to.translation)};
}

struct NormalEquations {
  glm::dmat3 matrix{0.0};
  glm::dvec3 right{0.0};
  double pairs = 0.0;

  void add(const Rigid& from, const Rigid& to, const glm::dmat4& truth, const glm::dvec3& centre) {
    const Rigid middle = halfway(from, to);
    const glm::dmat3 drawn = linear_of(middle);
    const glm::dmat3 g = (linear_of(from) + linear_of(to)) * 0.5 - drawn;
    const glm::dvec3 h = (drawn - glm::dmat3(truth)) * centre + middle.translation - glm::dvec3(truth[3]);
    matrix += glm::transpose(g) * g;
    right -= glm::transpose(g) * h;
    pairs += 1.0;
  }
};

// The middle of each column's vertices, or its centre where none follows it to speak of.
std::vector<ItemShape> item_shapes(const std::vector<glm::dvec3>& centres, const BakedMesh& mesh) {
  std::vector<Bounds> boxes(centres.size());
  const auto each = [&mesh](const auto& body) {
    for (const BakedVertex& vertex : mesh.vertices) {
      for (std::size_t i = 0; i < 4; ++i) body(vertex.bones[i], glm::dvec3(vertex.position), vertex.weights[i]);
    }
  };
  each([&](std::size_t column, const glm::dvec3& point, std::uint16_t weight) {
    if (weight >= kFollows) boxes[column].add(point);
  });
  std::vector<ItemShape> shapes(centres.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i].middle = boxes[i].empty() ? centres[i] : boxes[i].centre();
  each([&](std::size_t column, const glm::dvec3& point, std::uint16_t weight) {
    ItemShape& shape = shapes[column];
    shape.reach = glm::max(shape.reach, weight / 65535.0 * glm::abs(point - shape.middle));
  });
  return shapes;
}

}  // namespace

ColumnShape column_shape(const Columns& columns, const BakedMesh& mesh) {
  ColumnShape shape;
  shape.centres.assign(columns.all.size(), glm::dvec3(0.0));
  std::vector<double> weights(columns.all.size(), 0.0);
  const auto add = [&](std::size_t column, const glm::dvec3& point, double weight) {
    shape.centres[column] += weight * point;
    weights[column] += weight;
  };
  Bounds bounds;
  for (const BakedVertex& vertex : mesh.vertices) {
    bounds.add(glm::dvec3(vertex.position));
    for (std::size_t i = 0; i < 4; ++i) add(vertex.bones[i], glm::dvec3(vertex.position), vertex.weights[i]);
  }
  std::vector<std::uint8_t> worn(columns.all.size(), 0);
  for (std::size_t i = 0; i < worn.size(); ++i) worn[i] = weights[i] > 0.0 ? 1 : 0;
  for (const BakedSocket& socket : columns.sockets) {
    if (worn[socket.bone] == 0) add(socket.bone, socket.mesh_from_socket.translation, 1.0);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) shape.centres[i] /= weights[i];
  }
  shape.items = item_shapes(shape.centres, mesh);
  Bounds around;
  for (const glm::dvec3& centre : shape.centres) around.add(centre);
  shape.middle = around.centre();
  shape.size = bounds.diagonal();
  return shape;
}

glm::dvec3 least_squares_pivot(const ColumnSamples& samples, std::size_t column, const ColumnShape& shape) {
  NormalEquations equations;
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    if (samples.has_halfway[frame] == 0) continue;
    const std::uint32_t next = (frame + 1) % samples.frame_count;
    equations.add(samples.rigid[samples.at(frame, column)], samples.rigid[samples.at(next, column)],
                  samples.halfway[samples.at(frame, column)], shape.centres[column]);
  }
  const double pull = kPivotPull * kPivotPull * equations.pairs;
  if (!(pull > 0.0)) return shape.middle;
  const glm::dmat3 matrix = equations.matrix + glm::dmat3(pull);
  const glm::dvec3 pivot = glm::inverse(matrix) * (equations.right + pull * shape.middle);
  const double distance = glm::distance(pivot, shape.middle);
  const double farthest = kFarthest * shape.size;
  if (!std::isfinite(distance)) return shape.middle;
  return distance <= farthest ? pivot : shape.middle + (pivot - shape.middle) * (farthest / distance);
}

std::vector<glm::vec3> choose_pivots(Encoding encoding, const ColumnSamples& samples, const ColumnShape& shape) {
  std::vector<glm::vec3> pivots(samples.column_count, glm::vec3(0.0f));
  if (is_half(encoding)) return pivots;
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    pivots[i] = glm::vec3(is_affine_encoding(encoding) ? shape.centres[i] : least_squares_pivot(samples, i, shape));
  }
  return pivots;
}

}  // namespace throng::detail::bake
