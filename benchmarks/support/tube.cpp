// SPDX-License-Identifier: Apache-2.0
#include "tube.h"

#include <algorithm>
#include <cmath>

#include "measure.h"

namespace throng::bench {
namespace {

constexpr float kHeight = 1.8f;
constexpr std::uint32_t kAround = 40;

// Largest first, summing to one: the nearer a bone, the more of it.
void bind(Mesh& mesh, float height, std::uint32_t count) {
  const float at = height / kHeight * static_cast<float>(kTubeBones - 1);
  const auto first = static_cast<std::uint32_t>(
      std::clamp(at - 0.5f * static_cast<float>(count - 1), 0.0f, static_cast<float>(kTubeBones - count)));
  std::vector<std::pair<float, std::uint32_t>> near;
  float sum = 0.0f;
  for (std::uint32_t bone = first; bone < first + count; ++bone) {
    near.emplace_back(1.0f / (0.3f + std::abs(at - static_cast<float>(bone))), bone);
    sum += near.back().first;
  }
  std::ranges::sort(near, std::greater{});
  Influences some, more;
  some.weights = more.weights = {};
  for (std::uint32_t i = 0; i < count; ++i) {
    Influences& to = i < kInfluences ? some : more;
    to.bindings[i % kInfluences] = static_cast<std::uint16_t>(near[i].second);
    to.weights[i % kInfluences] = near[i].first / sum;
  }
  mesh.influences.push_back(some);
  if (count > kInfluences) mesh.extra_influences.push_back(more);
}

// Two seconds in which every bone bends to and fro.
Clip swaying() {
  Clip clip;
  clip.name = "sway";
  clip.end = 2.0;
  clip.loops = true;
  const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, 0.2f, 0.4f));
  for (std::uint32_t bone = 1; bone < kTubeBones; ++bone) {
    BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
    for (int key = 0; key <= 60; ++key) {
      const float turn = 6.2831853f * static_cast<float>(key % 60) / 60.0f;
      track.rotation.times.push_back(static_cast<float>(key) / 30.0f);
      track.rotation.values.push_back(glm::angleAxis(0.05f * std::sin(turn + 0.3f * static_cast<float>(bone)), axis));
    }
    clip.bones.push_back(std::move(track));
  }
  return clip;
}

}  // namespace

Model make_tube(const TubeShape& shape) {
  ModelDraft draft;
  draft.name = "tube";
  for (std::uint32_t i = 0; i < kTubeBones; ++i) {
    Bone bone{.name = fmt::format("bone {}", i), .parent = std::nullopt, .rest = {}};
    if (i > 0) bone.parent = i - 1;
    const double step = static_cast<double>(kHeight) / (kTubeBones - 1);
    bone.rest.translation = {0.0, i > 0 ? step : 0.0, 0.0};
    draft.bones.push_back(bone);
    glm::dmat4 bone_from_mesh(1.0);
    bone_from_mesh[3].y = -step * i;
    draft.bindings.push_back({i, bone_from_mesh});
  }
  draft.materials.emplace_back();
  Mesh mesh;
  const std::uint32_t rings = shape.vertices / kAround;
  for (std::uint32_t v = 0; v < rings * kAround; ++v) {
    const float angle = 6.2831853f * static_cast<float>(v % kAround) / kAround;
    const float height = kHeight * static_cast<float>(v / kAround) / static_cast<float>(rings - 1);
    mesh.positions.emplace_back(0.2f * std::cos(angle), height, 0.2f * std::sin(angle));
    mesh.normals.emplace_back(std::cos(angle), 0.0f, std::sin(angle));
    bind(mesh, height, shape.influences);
    const std::uint32_t next = v / kAround * kAround + (v + 1) % kAround;
    if (v / kAround + 1 < rings)
      mesh.indices.insert(mesh.indices.end(), {v, v + kAround, next, next, v + kAround, next + kAround});
  }
  for (std::uint32_t t = 0; t < shape.targets; ++t) {
    mesh.morph_targets.push_back({.name = fmt::format("target {}", t), .positions = {}, .normals = {}});
    // Each moves its own tenth of the tube, as the shapes of a face move theirs.
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      const bool moves = v / kAround * 10 / rings == t % 10;
      mesh.morph_targets.back().positions.push_back(moves ? 0.05f * mesh.normals[v] : glm::vec3(0.0f));
    }
    mesh.morph_weights.push_back(0.5f);
  }
  draft.meshes.push_back(std::move(mesh));
  if (shape.sways) draft.clips.push_back(swaying());
  return require(build_model(std::move(draft)));
}

}  // namespace throng::bench
