// SPDX-License-Identifier: Apache-2.0
#pragma once
// What retargeting knows before it looks at a clip: partners, rest poses, alignment, what travels and how far.

#include <vector>

#include "throng/pose/pose.h"
#include "throng/retarget/match.h"
#include "throng/retarget/retarget.h"

namespace throng::detail::retarget {

// Bones in model space. `rotations` are those along the chain, scale left out.
struct BoneFrames {
  std::vector<glm::dquat> rotations;
  std::vector<glm::dmat4> models;

  glm::dvec3 place(std::size_t bone) const { return glm::dvec3(models[bone][3]); }
};

BoneFrames frames_of(const Model& model, const Pose& pose);

struct RetargetPlan {
  const Model& from;
  const Model& onto;
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  Partners onto_of;         // per bone of `from`
  Partners from_of;         // per bone of `onto`
  Partners above;           // per bone of `onto`: the nearest above it that has a partner
  std::vector<bool> moved;  // per bone of `from`: by any clip
  std::uint32_t hips = 0;   // of `from`
  BoneFrames from_rest, onto_rest;
  std::vector<glm::dquat> alignment;  // per bone of `onto`: of its rest, in model space
  std::vector<bool> travels;          // per bone of `onto`
  double scale = 1.0;

  // The way from one bone of `from` to another, at rest or in a pose, in the model space of `onto`.
  glm::dvec3 way(const BoneFrames& frames, std::uint32_t start, std::uint32_t end) const {
    return rotation * (frames.place(end) - frames.place(start));
  }
};

Result<RetargetPlan> plan_retarget(const Model& from, const Model& onto, const RetargetSettings& settings);

// Whether `bone` is `ancestor` or hangs on it.
bool hangs_on(const std::vector<Bone>& bones, std::uint32_t bone, std::uint32_t ancestor);

// How far apart two rests point their limbs, in radians, per bone of `onto`; zero where there is nothing to compare.
std::vector<double> rest_differences(const RetargetPlan& plan);

}  // namespace throng::detail::retarget
