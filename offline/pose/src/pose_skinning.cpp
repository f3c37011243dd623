// SPDX-License-Identifier: Apache-2.0
#include "dual_quaternion.h"
#include "throng/math/directions.h"

namespace throng {
namespace {

using namespace detail::pose;

glm::dvec3 morphed(const Mesh& mesh, const std::vector<double>& weights, std::size_t vertex,
                   std::vector<glm::vec3> MorphTarget::*channel, glm::dvec3 value) {
  for (std::size_t target = 0; target < weights.size(); ++target) {
    const auto& offsets = mesh.morph_targets[target].*channel;
    if (weights[target] != 0.0 && !offsets.empty()) value += weights[target] * glm::dvec3(offsets[vertex]);
  }
  return value;
}

// Calls skin(vertex, position, normal) for every vertex as its morph targets leave it.
template <class Skin>
void for_each_morphed(const Mesh& mesh, const std::vector<double>& weights, Skin&& skin) {
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::dvec3 position = morphed(mesh, weights, v, &MorphTarget::positions, mesh.positions[v]);
    skin(v, position,
         mesh.normals.empty() ? glm::dvec3(0.0) : morphed(mesh, weights, v, &MorphTarget::normals, mesh.normals[v]));
  }
}

SkinnedVertices skin_linearly(const Mesh& mesh, const std::vector<double>& weights,
                              const std::vector<glm::dmat4>& palette) {
  std::vector<glm::dmat3> normal_palette;
  if (!mesh.normals.empty()) {
    for (const glm::dmat4& m : palette) normal_palette.push_back(normal_matrix(glm::dmat3(m)));
  }
  SkinnedVertices out;
  out.positions.reserve(mesh.positions.size());
  out.normals.reserve(mesh.normals.size());
  for_each_morphed(mesh, weights, [&](std::size_t v, const glm::dvec3& position, const glm::dvec3& normal) {
    out.positions.emplace_back(blended_matrix(mesh, v, palette) * glm::dvec4(position, 1.0));
    if (mesh.normals.empty()) return;
    const glm::dvec3 blended = blended_normal(mesh, v, normal_palette, normal);
    const double length = glm::length(blended);
    out.normals.push_back(length > 0.0 ? blended / length : normal);
  });
  return out;
}

SkinnedVertices skin_by_dual_quaternions(const Mesh& mesh, const std::vector<double>& weights,
                                         const std::vector<glm::dmat4>& palette) {
  std::vector<DualQuaternion> moves;
  moves.reserve(palette.size());
  for (const glm::dmat4& m : palette) moves.push_back(to_dual_quaternion(m));
  SkinnedVertices out;
  out.positions.reserve(mesh.positions.size());
  out.normals.reserve(mesh.normals.size());
  for_each_morphed(mesh, weights, [&](std::size_t v, const glm::dvec3& position, const glm::dvec3& normal) {
    const DualQuaternion move = blended_dual_quaternion(mesh, v, moves);
    out.positions.push_back(move_point(move, position));
    if (!mesh.normals.empty()) out.normals.push_back(rotate_normal(move, normal));
  });
  return out;
}

}  // namespace

glm::dmat4 blended_matrix(const Mesh& mesh, std::size_t vertex, std::span<const glm::dmat4> palette) {
  glm::dmat4 blend(0.0);
  for_each_influence(mesh, vertex, [&](std::uint16_t binding, float weight) {
    blend += static_cast<double>(weight) * palette[binding];
  });
  return blend;
}

glm::dvec3 blended_normal(const Mesh& mesh, std::size_t vertex, std::span<const glm::dmat3> normal_palette,
                          const glm::dvec3& normal) {
  glm::dvec3 sum(0.0);
  for_each_influence(mesh, vertex, [&](std::uint16_t binding, float weight) {
    const glm::dvec3 moved = normal_palette[binding] * normal;
    const double length = glm::length(moved);
    if (length > 0.0) sum += (static_cast<double>(weight) / length) * moved;
  });
  return sum;
}

SkinnedVertices skin_mesh(const Model& model, std::size_t mesh_index, const Pose& pose,
                          const std::vector<glm::dmat4>& palette, SkinMethod method) {
  const Mesh& mesh = model.meshes()[mesh_index];
  const auto& weights = pose.morph_weights[mesh_index];
  return method == SkinMethod::linear ? skin_linearly(mesh, weights, palette)
                                      : skin_by_dual_quaternions(mesh, weights, palette);
}

}  // namespace throng
