// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models for the vertex bake, and a measurement of it made another way.

#include "small_models.h"
#include "throng/character/decode.h"

namespace throng {

inline BakeSettings of_vertices(std::optional<Encoding> encoding = std::nullopt) {
  BakeSettings settings;
  settings.mode = BakeMode::vertices;
  settings.encoding = encoding;
  return settings;
}

// A bar that swells, leans and changes its shade (normals alone) by morph targets, the first of which is half in at
// rest, while it sways.
inline ModelDraft swelling_bar() {
  ModelDraft draft = swaying_bar();
  Mesh& mesh = draft.meshes[0];
  MorphTarget swell{"swell", {}, {}};
  MorphTarget lean{"lean", {}, {}};
  MorphTarget shade{"shade", {}, {}};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::vec3 p = mesh.positions[v];
    swell.positions.push_back(p.y > 1.0f ? 2.0f * glm::vec3(p.x, 0.0f, p.z) : glm::vec3(0.0f));
    lean.positions.emplace_back(0.3f * p.y, 0.0f, 0.0f);
    lean.normals.emplace_back(0.0f, -0.3f * mesh.normals[v].x, 0.0f);
    shade.normals.emplace_back(0.0f, 0.5f, 0.0f);
  }
  mesh.morph_targets = {swell, lean, shade};
  mesh.morph_weights = {0.5f, 0.0f, 0.0f};
  MorphTrack track;
  for (int key = 0; key <= 10; ++key) {
    const double t = key / 10.0;
    track.weights.times.push_back(static_cast<float>(t));
    track.weights.values.push_back(static_cast<float>(0.5 + 0.5 * std::sin(2.0 * kPi * t)));
    track.weights.values.push_back(static_cast<float>(std::sin(2.0 * kPi * t)));
    track.weights.values.push_back(static_cast<float>(std::abs(std::sin(kPi * t))));
  }
  draft.clips[0].morphs = {track};
  return draft;
}

// Two bars that swing apart, each a rigid part of its own, of different materials and sizes.
inline ModelDraft rigid_parts() {
  ModelDraft draft = bar_draft();
  draft.materials.resize(2);
  for (std::uint16_t part = 0; part < 2; ++part) {
    Mesh mesh = bar_mesh();
    mesh.node = part;
    mesh.material = 1u - part;
    for (Influences& influences : mesh.influences) influences = bound_to(part);
    for (glm::vec3& position : mesh.positions) position *= part == 0 ? 1.0f : 0.5f;
    draft.meshes.resize(part);
    draft.meshes.push_back(mesh);
  }
  draft.bones[1].rest.scale = {1.0, 2.0, 0.5};
  draft.clips = swaying_bar().clips;
  return draft;
}

// How far decoded vertices are from the source's, through decode_pose and skin_mesh alone, in model units and as the
// chord between unit normals.
struct MeasuredError {
  double at_frames = 0.0, between = 0.0;
  double normal_at_frames = 0.0, normal_between = 0.0;
};

inline MeasuredError measured_error(const Model& model, const Character& out, std::size_t index) {
  const BakedClip& clip = out.clips()[index];
  MeasuredError error;
  const std::uint32_t intervals = clip.loops ? clip.frame_count : clip.frame_count - 1;
  constexpr std::uint32_t kSteps = 24;  // of an interval: more than the bake looks at
  for (std::uint32_t step = 0; step < std::max(intervals * kSteps, 1u) + (clip.loops ? 0 : 1); ++step) {
    const double seconds = intervals == 0 ? 0.0 : clip.length * step / (intervals * kSteps);
    if (clip.source_start + seconds > model.clips()[index].end + 1e-9) continue;
    const ExactCursor at = cursor_at_time(clip, seconds);
    const auto decoded = decode_pose(out, clip, at.cursor, at.blend);
    const auto truth = source_vertices(model, out, sample(model, model.clips()[index], clip.source_start + seconds));
    EXPECT_EQ(decoded.positions.size(), truth.positions.size());
    for (std::size_t v = 0; v < truth.positions.size(); ++v) {
      double& worst = step % kSteps == 0 ? error.at_frames : error.between;
      worst = std::max(worst, glm::distance(decoded.positions[v], truth.positions[v]));
    }
    for (std::size_t v = 0; v < truth.normals.size() && step % (kSteps / 2) == 0; ++v) {
      double& worst = step % kSteps == 0 ? error.normal_at_frames : error.normal_between;
      worst = std::max(worst, glm::distance(glm::normalize(decoded.normals[v]), truth.normals[v]));
    }
  }
  return error;
}

inline double degrees_of_chord(double chord) { return 2.0 * std::asin(0.5 * chord) * 180.0 / kPi; }

// The report holds what is measured, and is not more than 1.05 times as large.
inline void expect_report_is_true(const Model& model, const Character& out, const std::string& what) {
  SCOPED_TRACE(what);
  const double mm = out.error().mm_per_unit;
  constexpr double kRounding = 1e-6;  // millimetres and degrees
  const auto near = [&](double reported, double measured, const char* name) {
    EXPECT_GE(reported, measured - kRounding) << name;
    EXPECT_LE(reported, 1.05 * measured + kRounding) << name;
  };
  MeasuredError worst;
  for (std::size_t i = 0; i < out.clips().size(); ++i) {
    SCOPED_TRACE(out.clips()[i].name);
    const MeasuredError e = measured_error(model, out, i);
    near(out.clips()[i].error.at_frames.max_mm, e.at_frames * mm, "at frames");
    near(out.clips()[i].error.between.max_mm, std::max(e.at_frames, e.between) * mm, "between");
    near(out.clips()[i].error.at_frames.normal_max_degrees, degrees_of_chord(e.normal_at_frames), "normals");
    near(out.clips()[i].error.between.normal_max_degrees, degrees_of_chord(e.normal_between), "normals between");
    worst.at_frames = std::max(worst.at_frames, e.at_frames);
    worst.between = std::max(worst.between, e.between);
  }
  near(out.error().at_frames.max_mm, worst.at_frames * mm, "all clips at frames");
  near(out.error().between.max_mm, std::max(worst.at_frames, worst.between) * mm, "all clips between");
}

}  // namespace throng
