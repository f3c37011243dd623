// SPDX-License-Identifier: Apache-2.0
#include "throng/pose/pose.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// The key at or before `time`, the key after it, and where between them `time` is. Clamped at both ends.
struct KeySpan {
  std::size_t before;
  std::size_t after;
  double fraction;
  double seconds;  // between the two keys
};

KeySpan find_keys(const std::vector<float>& times, double time) {
  const auto above = std::upper_bound(times.begin(), times.end(), time,
                                      [](double t, float key) { return t < static_cast<double>(key); });
  if (above == times.begin()) return {0, 0, 0.0, 0.0};
  const auto after = static_cast<std::size_t>(above - times.begin());
  if (above == times.end()) return {after - 1, after - 1, 0.0, 0.0};
  const double t0 = times[after - 1];
  const double t1 = times[after];
  return {after - 1, after, (time - t0) / (t1 - t0), t1 - t0};
}

// Cubic Hermite weights of glTF: value, out-tangent of the key before, value and in-tangent of the key after.
struct Hermite {
  double value0, tangent0, value1, tangent1;
};

Hermite hermite(const KeySpan& keys) {
  const double t = keys.fraction;
  const double t2 = t * t;
  const double t3 = t2 * t;
  return {2 * t3 - 3 * t2 + 1, (t3 - 2 * t2 + t) * keys.seconds, -2 * t3 + 3 * t2, (t3 - t2) * keys.seconds};
}

// One component curve of `width` values a key; component `c` of it.
double sample_component(const Curve<float>& curve, std::size_t width, std::size_t c, double time) {
  const KeySpan keys = find_keys(curve.times, time);
  if (curve.interpolation == Interpolation::cubic_spline) {
    const auto at = [&](std::size_t key, std::size_t part) {
      return static_cast<double>(curve.values[(key * 3 + part) * width + c]);
    };
    if (keys.before == keys.after) return at(keys.before, 1);
    const Hermite h = hermite(keys);
    return h.value0 * at(keys.before, 1) + h.tangent0 * at(keys.before, 2) + h.value1 * at(keys.after, 1) +
           h.tangent1 * at(keys.after, 0);
  }
  const double a = curve.values[keys.before * width + c];
  if (curve.interpolation == Interpolation::step) return a;
  const double b = curve.values[keys.after * width + c];
  return a + (b - a) * keys.fraction;
}

glm::dquat short_arc_slerp(const glm::dquat& from, glm::dquat to, double fraction) {
  double cosine = glm::dot(from, to);
  if (cosine < 0.0) {
    to = -to;
    cosine = -cosine;
  }
  // Below this angle sin(θ) loses digits and the straight line is exact to double precision.
  constexpr double kNearlyParallel = 1.0 - 1e-12;
  if (cosine > kNearlyParallel) return glm::normalize(from * (1.0 - fraction) + to * fraction);
  const double angle = std::acos(cosine);
  const double sine = std::sin(angle);
  return from * (std::sin((1.0 - fraction) * angle) / sine) + to * (std::sin(fraction * angle) / sine);
}

}  // namespace

glm::dvec3 sample_curve(const Curve<glm::vec3>& curve, double time) {
  const KeySpan keys = find_keys(curve.times, time);
  if (curve.interpolation == Interpolation::cubic_spline) {
    const auto at = [&](std::size_t key, std::size_t part) { return glm::dvec3(curve.values[key * 3 + part]); };
    if (keys.before == keys.after) return at(keys.before, 1);
    const Hermite h = hermite(keys);
    return h.value0 * at(keys.before, 1) + h.tangent0 * at(keys.before, 2) + h.value1 * at(keys.after, 1) +
           h.tangent1 * at(keys.after, 0);
  }
  const glm::dvec3 a(curve.values[keys.before]);
  if (curve.interpolation == Interpolation::step) return a;
  return glm::mix(a, glm::dvec3(curve.values[keys.after]), keys.fraction);
}

glm::dquat sample_curve(const Curve<glm::quat>& curve, double time) {
  const KeySpan keys = find_keys(curve.times, time);
  if (curve.interpolation == Interpolation::cubic_spline) {
    const auto at = [&](std::size_t key, std::size_t part) { return glm::dquat(curve.values[key * 3 + part]); };
    if (keys.before == keys.after) return glm::normalize(at(keys.before, 1));
    const Hermite h = hermite(keys);
    return glm::normalize(at(keys.before, 1) * h.value0 + at(keys.before, 2) * h.tangent0 +
                          at(keys.after, 1) * h.value1 + at(keys.after, 0) * h.tangent1);
  }
  const glm::dquat a = glm::normalize(glm::dquat(curve.values[keys.before]));
  if (curve.interpolation == Interpolation::step || keys.before == keys.after) return a;
  return short_arc_slerp(a, glm::normalize(glm::dquat(curve.values[keys.after])), keys.fraction);
}

Pose rest_pose(const Model& model) {
  Pose pose;
  pose.bones.reserve(model.bones().size());
  for (const Bone& bone : model.bones()) pose.bones.push_back(bone.rest);
  for (const Mesh& mesh : model.meshes()) {
    pose.morph_weights.emplace_back(mesh.morph_weights.begin(), mesh.morph_weights.end());
  }
  return pose;
}

Pose sample(const Model& model, const Clip& clip, double time) {
  const double t = std::clamp(time, clip.start, clip.end);
  Pose pose = rest_pose(model);
  for (const BoneTrack& track : clip.bones) {
    Transform& bone = pose.bones[track.bone];
    if (!track.translation.empty()) bone.translation = sample_curve(track.translation, t);
    if (!track.rotation.empty()) bone.rotation = sample_curve(track.rotation, t);
    if (!track.scale.empty()) bone.scale = sample_curve(track.scale, t);
  }
  for (const MorphTrack& track : clip.morphs) {
    auto& weights = pose.morph_weights[track.mesh];
    for (std::size_t c = 0; c < weights.size(); ++c) weights[c] = sample_component(track.weights, weights.size(), c, t);
  }
  return pose;
}

std::vector<glm::dmat4> model_from_bones(const Model& model, const Pose& pose) {
  std::vector<glm::dmat4> matrices(model.bones().size());
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto& parent = model.bones()[i].parent;
    const glm::dmat4 parent_from_bone = to_matrix(pose.bones[i]);
    matrices[i] = parent ? matrices[*parent] * parent_from_bone : parent_from_bone;
  }
  return matrices;
}

std::vector<glm::dmat4> skinning_palette(const Model& model, const Pose& pose) {
  const auto bones = model_from_bones(model, pose);
  std::vector<glm::dmat4> palette;
  palette.reserve(model.bindings().size());
  for (const Binding& binding : model.bindings()) palette.push_back(bones[binding.bone] * binding.bone_from_mesh);
  return palette;
}

bool is_mirrored(const Mesh& mesh, std::span<const glm::dmat4> palette) {
  return !mesh.influences.empty() && glm::determinant(glm::dmat3(palette[mesh.influences[0].bindings[0]])) < 0.0;
}

Bounds pose_bounds(const Model& model, const Pose& pose) {
  const auto palette = skinning_palette(model, pose);
  Bounds bounds;
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    for (const glm::dvec3& position : skin_mesh(model, mesh, pose, palette).positions) bounds.add(position);
  }
  return bounds;
}

}  // namespace throng
