// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model small enough to know by heart: a bar of two bones, and clips for it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "throng/model/model.h"

namespace throng {

inline constexpr double kPi = 3.14159265358979323846;

inline Model built(ModelDraft draft) {
  auto model = build_model(std::move(draft));
  if (!model) ADD_FAILURE() << model.error().message;
  return *std::move(model);
}

// A column of boxes' edges along +Y: vertices around the axis every 0.1, the lower half on bone 0, the upper on bone 1
// (at y = 1), mixed around the middle. Two units tall; normals point outwards.
inline Mesh bar_mesh() {
  Mesh mesh;
  mesh.name = "bar";
  constexpr int kRings = 21;
  for (int ring = 0; ring < kRings; ++ring) {
    for (int corner = 0; corner < 4; ++corner) {
      const double angle = corner * kPi / 2.0;
      const glm::dvec3 out(std::cos(angle), 0.0, std::sin(angle));
      mesh.positions.emplace_back(0.1 * out + glm::dvec3(0.0, ring * 0.1, 0.0));
      mesh.normals.emplace_back(out);
      mesh.uvs.emplace_back(0.25 * corner, static_cast<double>(ring) / kRings);
      const float upper = std::clamp((static_cast<float>(ring) - 8.0f) / 4.0f, 0.0f, 1.0f);
      Influences influences;
      influences.bindings =
          upper > 0.5f ? std::array<std::uint16_t, 4>{1, 0, 0, 0} : std::array<std::uint16_t, 4>{0, 1, 0, 0};
      influences.weights = {std::max(upper, 1.0f - upper), std::min(upper, 1.0f - upper), 0.0f, 0.0f};
      mesh.influences.push_back(influences);
      if (ring == 0) continue;
      const auto a = static_cast<std::uint32_t>((ring - 1) * 4 + corner);
      const auto b = static_cast<std::uint32_t>((ring - 1) * 4 + (corner + 1) % 4);
      mesh.indices.insert(mesh.indices.end(), {a, a + 4, b, b, a + 4, b + 4});
    }
  }
  return mesh;
}

inline ModelDraft bar_draft() {
  ModelDraft draft;
  draft.name = "bar";
  Bone lower{"lower", std::nullopt, {}};
  Bone upper{"upper", 0u, {}};
  upper.rest.translation = {0.0, 1.0, 0.0};
  draft.bones = {lower, upper};
  Binding on_upper{1, glm::dmat4(1.0)};
  on_upper.bone_from_mesh[3] = {0.0, -1.0, 0.0, 1.0};
  draft.bindings = {Binding{0, glm::dmat4(1.0)}, on_upper};
  draft.materials = {Material{}};
  draft.meshes = {bar_mesh()};
  return draft;
}

// Keys of one bone's rotation about `axis`, every 1/rate seconds from `start`.
inline BoneTrack turning(std::uint32_t bone, const glm::dvec3& axis, int keys, double rate, double start,
                         const std::function<double(double)>& angle_at) {
  BoneTrack track;
  track.bone = bone;
  for (int i = 0; i < keys; ++i) {
    const double time = i / rate;
    track.rotation.times.push_back(static_cast<float>(start + time));
    track.rotation.values.emplace_back(glm::quat(glm::angleAxis(angle_at(time), axis)));
  }
  return track;
}

inline Clip clip_of(std::string name, std::vector<BoneTrack> tracks, std::optional<bool> loops = std::nullopt) {
  Clip clip;
  clip.name = std::move(name);
  clip.loops = loops;
  clip.start = 1e30;
  const auto span = [&clip](const std::vector<float>& times) {
    if (times.empty()) return;
    clip.start = std::min<double>(clip.start, static_cast<double>(times.front()));
    clip.end = std::max<double>(clip.end, static_cast<double>(times.back()));
  };
  for (const BoneTrack& track : tracks) {
    span(track.translation.times);
    span(track.rotation.times);
    span(track.scale.times);
  }
  clip.bones = std::move(tracks);
  return clip;
}

// A bar that sways: one second, closed loop, 30 keys a second.
inline ModelDraft swaying_bar() {
  ModelDraft draft = bar_draft();
  const auto sway = [](double t) { return 0.8 * std::sin(2.0 * kPi * t); };
  const auto tilt = [](double t) { return 0.3 * std::sin(2.0 * kPi * t + 1.0); };
  draft.clips.push_back(
      clip_of("sway", {turning(0, {1, 0, 0}, 31, 30.0, 0.0, tilt), turning(1, {0, 0, 1}, 31, 30.0, 0.0, sway)}));
  return draft;
}

// Keys of one bone's translation, every 1/rate seconds from `start`.
inline BoneTrack moving(std::uint32_t bone, int keys, double rate, double start,
                        const std::function<glm::dvec3(double)>& place_at) {
  BoneTrack track;
  track.bone = bone;
  for (int i = 0; i < keys; ++i) {
    const double time = i / rate;
    track.translation.times.push_back(static_cast<float>(start + time));
    track.translation.values.emplace_back(place_at(time));
  }
  return track;
}

}  // namespace throng
