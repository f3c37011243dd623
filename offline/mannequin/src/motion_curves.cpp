// SPDX-License-Identifier: Apache-2.0
// Motions become curves.

#include <cmath>

#include "motion.h"

namespace throng::detail::mannequin {
namespace {

constexpr double kFrameRate = 30.0;

// Away from this by less than a hair, a bone counts as still.
constexpr double kStillRotation = 1e-7;
constexpr double kStillTranslation = 1e-7;  // metres

struct Samples {
  std::vector<double> times;
  std::vector<std::vector<Transform>> poses;  // one per time
};

Samples take_samples(const ClipSettings& settings, const Motion& motion) {
  Samples samples;
  for (int frame = 0; frame <= settings.frames; frame += settings.frames_per_key) {
    const double time = frame / kFrameRate;
    const bool closes = settings.loops && frame == settings.frames;
    samples.times.push_back(time);
    samples.poses.push_back(closes ? samples.poses.front() : solve(motion(time)));
  }
  // Neighbouring quaternions on the same side, so that a spline between them takes the short way.
  for (std::size_t k = 1; k < samples.poses.size(); ++k) {
    for (std::size_t b = 0; b < kBoneCount; ++b) {
      glm::dquat& q = samples.poses[k][b].rotation;
      if (glm::dot(q, samples.poses[k - 1][b].rotation) < 0.0) q = -q;
    }
  }
  return samples;
}

// What a curve takes out of a transform, as four numbers.
using Part = glm::dvec4 (*)(const Transform&);
glm::dvec4 rotation_of(const Transform& t) { return {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}; }
glm::dvec4 translation_of(const Transform& t) { return {t.translation, 0.0}; }
glm::quat as_value(const glm::dvec4& v, glm::quat) {
  return {static_cast<float>(v.w), static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
glm::vec3 as_value(const glm::dvec4& v, glm::vec3) { return glm::vec3(glm::dvec3(v)); }

// The slope at key `k`, by its neighbours; over the seam where the clip loops.
glm::dvec4 tangent(const Samples& s, std::size_t k, std::size_t bone, Part part, bool loops) {
  const std::size_t last = s.times.size() - 1;
  const auto value = [&](std::size_t i) { return part(s.poses[i][bone]); };
  if (k > 0 && k < last) return (value(k + 1) - value(k - 1)) / (s.times[k + 1] - s.times[k - 1]);
  if (!loops) return glm::dvec4(0.0);
  glm::dvec4 into = value(last) - value(last - 1), out = value(1) - value(0);
  // A rotation may come round with the other sign.
  if (part == rotation_of && glm::dot(value(0), value(last)) < 0.0) (k == 0 ? into : out) *= -1.0;
  return (into + out) / (s.times[1] - s.times[0] + s.times[last] - s.times[last - 1]);
}

template <class T>
Curve<T> make_curve(const Samples& s, std::size_t bone, Part part, const ClipSettings& settings) {
  Curve<T> curve;
  curve.interpolation = settings.interpolation;
  const bool cubic = settings.interpolation == Interpolation::cubic_spline;
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    curve.times.push_back(static_cast<float>(s.times[k]));
    const glm::dvec4 slope = cubic ? tangent(s, k, bone, part, settings.loops) : glm::dvec4(0.0);
    if (cubic) curve.values.push_back(as_value(slope, T{}));
    curve.values.push_back(as_value(part(s.poses[k][bone]), T{}));
    if (cubic) curve.values.push_back(as_value(slope, T{}));
  }
  return curve;
}

bool moves(const Samples& s, std::size_t bone, Part part, const Transform& rest, double tolerance) {
  for (const auto& pose : s.poses) {
    const glm::dvec4 value = part(pose[bone]), still = part(rest);
    if (glm::distance(value, still) > tolerance && glm::distance(value, -still) > tolerance) return true;
  }
  return false;
}

}  // namespace

Clip make_clip(const ClipSettings& settings, const Motion& motion) {
  const Samples samples = take_samples(settings, motion);
  const std::vector<Bone> bones = make_bones();
  Clip clip;
  clip.name = settings.name;
  clip.end = static_cast<double>(static_cast<float>(settings.frames / kFrameRate));
  clip.loops = settings.loops;
  clip.events = settings.events;
  for (std::uint32_t b = 0; b < kBoneCount; ++b) {
    BoneTrack track{b, {}, {}, {}};
    if (moves(samples, b, translation_of, bones[b].rest, kStillTranslation)) {
      track.translation = make_curve<glm::vec3>(samples, b, translation_of, settings);
    }
    if (moves(samples, b, rotation_of, bones[b].rest, kStillRotation)) {
      track.rotation = make_curve<glm::quat>(samples, b, rotation_of, settings);
    }
    if (!track.translation.empty() || !track.rotation.empty()) clip.bones.push_back(std::move(track));
  }
  return clip;
}

}  // namespace throng::detail::mannequin
