// SPDX-License-Identifier: Apache-2.0
#include "piece_boxes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace throng::detail::motion {
namespace {

// How far single precision may be off, of the size of the numbers: products of a few matrices.
constexpr float kRounding = 1e-5f;

// Where each target is among the reaches of a box.
using Places = std::unordered_map<std::uint32_t, std::size_t>;

// Some of the vertices in the box may not move with the target, so the offset zero is always in its reach.
MorphReach& reach_of(std::vector<MorphReach>& reaches, Places& places, std::uint32_t target) {
  const auto [place, is_new] = places.try_emplace(target, reaches.size());
  if (is_new) {
    reaches.push_back({target, {}});
    reaches.back().offsets.add(glm::vec3(0.0f));
  }
  return reaches[place->second];
}

void add_morphs(const Mesh& mesh, std::size_t vertex, const glm::dmat3& rotation, std::vector<MorphReach>& reaches,
                Places& places) {
  for (std::uint32_t target = 0; target < mesh.morph_targets.size(); ++target) {
    const auto& offsets = mesh.morph_targets[target].positions;
    if (offsets.empty() || offsets[vertex] == glm::vec3(0.0f)) continue;
    reach_of(reaches, places, target).offsets.add_outwards(rotation * glm::dvec3(offsets[vertex]));
  }
}

// The largest of what is added up to take a point into a bone's space: a mesh far from its own origin has large numbers
// there that cancel out.
float largest_on_the_way(const glm::dmat4& bone_from_mesh, const glm::vec3& position) {
  double most = 0.0;
  for (glm::length_t row = 0; row < 3; ++row) {
    double sum = std::abs(bone_from_mesh[3][row]);
    for (glm::length_t i = 0; i < 3; ++i) sum += std::abs(bone_from_mesh[i][row] * static_cast<double>(position[i]));
    most = std::max(most, sum);
  }
  return static_cast<float>(most);
}

std::vector<BoneBox> linear_boxes(const Model& model, const Mesh& mesh, const InfluenceList& influences) {
  std::map<std::uint32_t, BoneBox> boxes;
  std::map<std::uint32_t, Places> places;
  for (std::size_t v = 0; v < influences.size(); ++v)
    for (const VertexInfluence& influence : influences[v]) {
      const glm::dmat4& bone_from_mesh = model.bindings()[influence.binding].bone_from_mesh;
      BoneBox& box = boxes[influence.binding];
      box.box.add_outwards(glm::dvec3(bone_from_mesh * glm::dvec4(mesh.positions[v], 1.0)));
      box.largest = std::max(box.largest, largest_on_the_way(bone_from_mesh, mesh.positions[v]));
      add_morphs(mesh, v, glm::dmat3(bone_from_mesh), box.reaches, places[influence.binding]);
    }
  std::vector<BoneBox> result;
  for (auto& [binding, box] : boxes) {
    box.binding = binding;
    result.push_back(std::move(box));
  }
  return result;
}

std::vector<ScrewBox> dual_boxes(const Mesh& mesh, const InfluenceList& influences) {
  std::map<std::uint32_t, ScrewBox> boxes;
  std::map<std::uint32_t, Places> places;
  for (std::size_t v = 0; v < influences.size(); ++v) {
    const VertexInfluence& strongest = influences[v].front();
    ScrewBox& box = boxes[strongest.binding];
    box.box.add_outwards(glm::dvec3(mesh.positions[v]));
    add_morphs(mesh, v, glm::dmat3(1.0), box.reaches, places[strongest.binding]);
    box.least_weight = std::min(box.least_weight, static_cast<float>(strongest.weight) * (1.0f - kRounding));
    for (const VertexInfluence& other : std::span(influences[v]).subspan(1))
      if (std::ranges::find(box.others, other.binding) == box.others.end()) box.others.push_back(other.binding);
  }
  std::vector<ScrewBox> result;
  for (auto& [binding, box] : boxes) {
    box.binding = binding;
    result.push_back(std::move(box));
  }
  return result;
}

}  // namespace

PieceBoxes boxes_of(const Model& model, const Mesh& mesh, const InfluenceList& influences) {
  return {linear_boxes(model, mesh, influences), dual_boxes(mesh, influences)};
}

}  // namespace throng::detail::motion
