#pragma once
// Models small enough to know by heart.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "throng/bake/bake.h"
#include "throng/pose/pose.h"

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

inline Character baked(const Model& model, BakeSettings settings = {}) {
  SerialExecutor executor;
  auto out = bake(model, settings, executor);
  if (!out) {
    ADD_FAILURE() << out.error().message;
    return {};
  }
  return *std::move(out);
}

inline std::string refusal(const Model& model, BakeSettings settings = {}) {
  SerialExecutor executor;
  auto out = bake(model, settings, executor);
  return out ? "" : out.error().message;
}

// The source's vertices, every mesh, in the order of Character::sources; the baked model's are reordered.
inline SkinnedVertices in_source_order(const Model& model, const Character& baked, const Pose& pose) {
  const auto palette = skinning_palette(model, pose);
  SkinnedVertices out;
  for (const BakedSource& source : baked.sources) {
    for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
      const Mesh& m = model.meshes()[mesh];
      if (m.node != source.node || m.primitive != source.primitive || m.positions.size() != source.vertex_count)
        continue;
      const auto skinned = skin_mesh(model, mesh, pose, palette);
      out.positions.insert(out.positions.end(), skinned.positions.begin(), skinned.positions.end());
      out.normals.insert(out.normals.end(), skinned.normals.begin(), skinned.normals.end());
      break;
    }
  }
  return out;
}

// The source's vertices in the order the baked model has them. None is merged in bone mode.
inline SkinnedVertices source_vertices(const Model& model, const Character& baked, const Pose& pose) {
  SkinnedVertices in_order = in_source_order(model, baked, pose);
  if (baked.baked_from_source.empty()) return in_order;
  SkinnedVertices out = in_order;
  EXPECT_EQ(baked.baked_from_source.size(), out.positions.size());
  for (std::size_t i = 0; i < out.positions.size(); ++i) {
    out.positions[baked.baked_from_source[i]] = in_order.positions[i];
    if (i < in_order.normals.size()) out.normals[baked.baked_from_source[i]] = in_order.normals[i];
  }
  return out;
}

// The baked vertex that a source vertex became.
inline const BakedVertex& baked_vertex(const Character& baked, std::size_t source) {
  return baked.vertices[baked.baked_from_source.empty() ? source : baked.baked_from_source[source]];
}

// The largest distance between decoded and source vertices at `seconds` from the clip's start, in model units.
inline double error_at(const Model& model, const Character& baked, std::size_t clip, double seconds) {
  const BakedClip& c = baked.clips[clip];
  const ExactCursor at = cursor_at_time(c, seconds);
  const auto decoded = decode_pose(baked, c, at.cursor, at.blend);
  const auto truth = source_vertices(model, baked, sample(model, model.clips()[clip], c.source_start + seconds));
  EXPECT_EQ(decoded.positions.size(), truth.positions.size());
  double worst = 0.0;
  for (std::size_t v = 0; v < truth.positions.size(); ++v) {
    worst = std::max(worst, glm::distance(decoded.positions[v], truth.positions[v]));
  }
  return worst;
}

}  // namespace throng
