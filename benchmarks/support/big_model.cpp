// SPDX-License-Identifier: Apache-2.0
#include "big_model.h"

#include <cmath>

namespace throng::bench {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr std::uint32_t kBones = 40;
constexpr std::uint32_t kAround = 120;
constexpr double kLink = 0.05;  // metres from bone to bone
constexpr int kKeys = 61;
constexpr double kKeyRate = 30.0;

// The four nearest bones along the body, nearest first.
Influences influences_at(double place) {
  const double along = std::clamp(place / kLink, 1.0, kBones - 2.001);
  const auto first = static_cast<std::uint16_t>(std::floor(along) - 1.0);
  Influences out;
  double sum = 0.0;
  std::array<std::pair<double, std::uint16_t>, kInfluences> near;
  for (std::uint16_t i = 0; i < kInfluences; ++i) {
    const double distance = std::abs(along - (first + i));
    near[i] = {std::max(0.01, 1.0 - distance / 2.0), static_cast<std::uint16_t>(first + i)};
    sum += near[i].first;
  }
  std::sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < kInfluences; ++i) {
    out.bindings[i] = near[i].second;
    out.weights[i] = static_cast<float>(near[i].first / sum);
  }
  return out;
}

Mesh body(std::uint32_t rings) {
  Mesh mesh;
  mesh.name = "eel";
  const double length = kLink * (kBones - 1);
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    const double place = length * ring / (rings - 1);
    const double radius = 0.02 + 0.08 * std::sin(kPi * (ring + 1) / (rings + 1));
    for (std::uint32_t corner = 0; corner < kAround; ++corner) {
      const double angle = 2.0 * kPi * corner / kAround;
      const glm::dvec3 out(std::cos(angle), 0.0, std::sin(angle));
      mesh.positions.emplace_back(radius * out + glm::dvec3(0.0, place, 0.0));
      mesh.normals.emplace_back(out);
      mesh.influences.push_back(influences_at(place));
      if (ring == 0) continue;
      const std::uint32_t a = (ring - 1) * kAround + corner;
      const std::uint32_t b = (ring - 1) * kAround + (corner + 1) % kAround;
      mesh.indices.insert(mesh.indices.end(), {a, a + kAround, b, b, a + kAround, b + kAround});
    }
  }
  return mesh;
}

Clip swim() {
  Clip clip;
  clip.name = "swim";
  clip.end = (kKeys - 1) / kKeyRate;
  for (std::uint32_t bone = 0; bone < kBones; ++bone) {
    BoneTrack track;
    track.bone = bone;
    for (int key = 0; key < kKeys; ++key) {
      const double time = key / kKeyRate;
      const double angle = 0.08 * std::sin(kPi * time - 0.3 * bone);
      track.rotation.times.push_back(static_cast<float>(time));
      track.rotation.values.emplace_back(glm::quat(glm::angleAxis(angle, glm::dvec3(0.0, 0.0, 1.0))));
    }
    clip.bones.push_back(std::move(track));
  }
  clip.end = static_cast<double>(clip.bones[0].rotation.times.back());
  return clip;
}

}  // namespace

Model big_model(std::uint32_t vertices) {
  ModelDraft draft;
  draft.name = "eel";
  for (std::uint32_t i = 0; i < kBones; ++i) {
    Bone bone{fmt::format("spine{}", i), i == 0 ? std::nullopt : std::optional(i - 1), {}};
    bone.rest.translation.y = i == 0 ? 0.0 : kLink;
    draft.bones.push_back(bone);
    Binding binding{i, glm::dmat4(1.0)};
    binding.bone_from_mesh[3].y = -kLink * i;
    draft.bindings.push_back(binding);
  }
  draft.materials = {Material{}};
  draft.meshes = {body(vertices / kAround)};
  draft.clips = {swim()};
  return require(build_model(std::move(draft)));
}

}  // namespace throng::bench
