// SPDX-License-Identifier: Apache-2.0
#pragma once
// Between two poses of one model, in double: what an animator's blends are compared with.

#include "throng/pose/pose.h"

namespace throng::test {

// `from` at weight 0, `to` at weight 1. Rotations take the short arc (normalised linear interpolation). Both poses must
// be of the same model.
inline Pose blend_poses(const Pose& from, const Pose& to, double weight) {
  Pose out = from;
  for (std::size_t i = 0; i < out.bones.size(); ++i) {
    Transform& bone = out.bones[i];
    const Transform& other = to.bones[i];
    const double side = glm::dot(bone.rotation, other.rotation) < 0.0 ? -1.0 : 1.0;
    bone.translation = glm::mix(bone.translation, other.translation, weight);
    bone.rotation = glm::normalize(bone.rotation * (1.0 - weight) + other.rotation * (side * weight));
    bone.scale = glm::mix(bone.scale, other.scale, weight);
  }
  for (std::size_t mesh = 0; mesh < out.morph_weights.size(); ++mesh) {
    auto& weights = out.morph_weights[mesh];
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = glm::mix(weights[i], to.morph_weights[mesh][i], weight);
  }
  return out;
}

}  // namespace throng::test
