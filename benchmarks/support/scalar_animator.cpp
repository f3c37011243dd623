// SPDX-License-Identifier: Apache-2.0
#include "scalar_animator.h"

namespace throng::bench {
namespace {

// The key at or before `time`, from where it was last.
std::size_t step_to(const std::vector<float>& times, float time, std::size_t& cursor) {
  if (time < times[cursor]) cursor = 0;
  while (cursor + 1 < times.size() && times[cursor + 1] <= time) ++cursor;
  return cursor;
}

float fraction(const std::vector<float>& times, std::size_t key, float time) {
  if (key + 1 == times.size() || time <= times[key]) return 0.0f;
  return (time - times[key]) / (times[key + 1] - times[key]);
}

glm::quat nlerp(const glm::quat& a, const glm::quat& b, float f) {
  const float side = glm::dot(a, b) < 0.0f ? -f : f;
  return glm::normalize(a * (1.0f - f) + b * side);
}

void sample_vector(const Curve<glm::vec3>& curve, float time, std::size_t& cursor, glm::vec3& out) {
  if (curve.empty()) return;
  const std::size_t key = step_to(curve.times, time, cursor);
  const std::size_t next = std::min(key + 1, curve.times.size() - 1);
  out = glm::mix(curve.values[key], curve.values[next], fraction(curve.times, key, time));
}

glm::mat4 matrix_of(const ScalarTransform& t) {
  glm::mat4 m = glm::mat4_cast(t.rotation);
  m[0] *= t.scale.x;
  m[1] *= t.scale.y;
  m[2] *= t.scale.z;
  m[3] = glm::vec4(t.translation, 1.0f);
  return m;
}

}  // namespace

ScalarRig::ScalarRig(const Model& model) {
  for (const Bone& bone : model.bones()) {
    parents_.push_back(bone.parent ? static_cast<int>(*bone.parent) : -1);
    rest_.push_back({glm::vec3(bone.rest.translation), glm::quat(bone.rest.rotation), glm::vec3(bone.rest.scale)});
  }
  for (const Clip& clip : model.clips()) {
    auto& tracks = clips_.emplace_back(model.bones().size());
    for (const BoneTrack& track : clip.bones) tracks[track.bone] = {track.translation, track.scale, track.rotation};
  }
}

void ScalarRig::sample(std::size_t clip, float time, Turning turning, std::vector<ScalarCursor>& cursors,
                       std::vector<ScalarTransform>& locals) const {
  for (std::size_t bone = 0; bone < parents_.size(); ++bone) {
    const Track& track = clips_[clip][bone];
    ScalarCursor& cursor = cursors[bone];
    ScalarTransform& local = locals[bone];
    local = rest_[bone];
    sample_vector(track.translation, time, cursor.translation, local.translation);
    sample_vector(track.scale, time, cursor.scale, local.scale);
    if (track.rotation.empty()) continue;
    const std::size_t key = step_to(track.rotation.times, time, cursor.rotation);
    const std::size_t next = std::min(key + 1, track.rotation.times.size() - 1);
    const float f = fraction(track.rotation.times, key, time);
    const glm::quat &a = track.rotation.values[key], &b = track.rotation.values[next];
    local.rotation = turning == Turning::slerp ? glm::slerp(a, b, f) : nlerp(a, b, f);
  }
}

void ScalarRig::blend(const std::vector<ScalarTransform>& a, const std::vector<ScalarTransform>& b, float weight,
                      std::vector<ScalarTransform>& out) {
  for (std::size_t bone = 0; bone < a.size(); ++bone) {
    out[bone].translation = glm::mix(a[bone].translation, b[bone].translation, weight);
    out[bone].rotation = nlerp(a[bone].rotation, b[bone].rotation, weight);
    out[bone].scale = glm::mix(a[bone].scale, b[bone].scale, weight);
  }
}

void ScalarRig::local_to_model(const std::vector<ScalarTransform>& locals, glm::mat4* models) const {
  for (std::size_t bone = 0; bone < parents_.size(); ++bone) {
    const glm::mat4 local = matrix_of(locals[bone]);
    models[bone] = parents_[bone] < 0 ? local : models[parents_[bone]] * local;
  }
}

}  // namespace throng::bench
