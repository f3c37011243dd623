// SPDX-License-Identifier: Apache-2.0
#include "close_loop.h"

#include <algorithm>

namespace throng::detail::clip_facts {
namespace {

constexpr double kKeyRounding = 1e-5;  // seconds: key times are floats

// Values at one key: one, three in a cubic spline (in-tangent, value, out-tangent); of morph targets as many for each.
template <class T>
std::size_t values_per_key(const Curve<T>& curve) {
  return curve.values.size() / curve.times.size();
}

// The values at the last key and no tangents, so that a spline stands still there.
template <class T>
std::vector<T> held(const Curve<T>& curve) {
  std::vector<T> values(curve.values.end() - static_cast<std::ptrdiff_t>(values_per_key(curve)), curve.values.end());
  if (curve.interpolation != Interpolation::cubic_spline) return values;
  const std::size_t third = values.size() / 3;
  const T nothing = curve.values[0] * 0.0f;
  std::fill_n(values.begin(), third, nothing);
  std::fill_n(values.end() - static_cast<std::ptrdiff_t>(third), third, nothing);
  return values;
}

template <class T>
void add_key(Curve<T>& curve, double time, const std::vector<T>& values) {
  curve.times.push_back(static_cast<float>(time));
  curve.values.insert(curve.values.end(), values.begin(), values.end());
}

float nearest_sign(float, float value) { return value; }
glm::vec3 nearest_sign(const glm::vec3&, const glm::vec3& value) { return value; }
// q and −q are one rotation: the one on the side of the key before.
glm::quat nearest_sign(const glm::quat& before, const glm::quat& value) {
  return glm::dot(before, value) < 0.0f ? -value : value;
}

template <class T>
void close_curve(Curve<T>& curve, double start, double end, double step) {
  // A first key after the start is held from the start on.
  if (curve.times.size() < 2 || curve.times.back() <= start) return;
  const std::size_t each = values_per_key(curve);
  const bool spline = curve.interpolation == Interpolation::cubic_spline;
  const std::size_t first = spline ? each / 3 : 0;
  const std::size_t count = spline ? each / 3 : each;
  if (curve.times.back() < end - step - kKeyRounding) add_key(curve, end - step, held(curve));
  if (curve.times.back() < end - kKeyRounding) add_key(curve, end, held(curve));
  const std::size_t last = curve.values.size() - each;
  for (std::size_t i = first; i < first + count; ++i) {
    curve.values[last + i] = nearest_sign(curve.values[last + i], curve.values[i]);
  }
}

}  // namespace

Clip closed_loop(Clip clip, double step, std::span<const std::uint32_t> except) {
  for (BoneTrack& track : clip.bones) {
    if (std::ranges::find(except, track.bone) != except.end()) continue;
    close_curve(track.translation, clip.start, clip.end, step);
    close_curve(track.rotation, clip.start, clip.end, step);
    close_curve(track.scale, clip.start, clip.end, step);
  }
  for (MorphTrack& track : clip.morphs) close_curve(track.weights, clip.start, clip.end, step);
  return clip;
}

}  // namespace throng::detail::clip_facts
