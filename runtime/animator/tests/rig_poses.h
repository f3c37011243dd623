// SPDX-License-Identifier: Apache-2.0
#pragma once
// One character with everything its jobs write to, and how far it is off a pose in double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "throng/animator/pose_jobs.h"
#include "throng/pose/pose.h"

namespace throng::test {

struct TestCharacter {
  TestCharacter(const Rig& its_rig, std::uint32_t its_clip)
      : rig(its_rig),
        clip(its_clip),
        cursors(rig.clips()[clip].cursor_count),
        locals(rig.group_count()),
        morphs(rig.morph_count()),
        models(rig.bone_count()),
        palette(rig.bound_bones().size()) {}

  bool sample(float time) {
    return SampleJob{
        .rig = rig, .clip = ClipId(clip), .time = time, .cursors = cursors, .locals = locals, .morphs = morphs}
        .run();
  }
  bool pose(float time) {
    return sample(time) && LocalToModelJob{.rig = rig, .locals = locals, .models = models}.run() &&
           PaletteJob{.rig = rig, .models = models, .palette = palette}.run();
  }

  const Rig& rig;
  std::uint32_t clip;
  std::vector<std::uint32_t> cursors;
  std::vector<SoaTransform> locals;
  std::vector<float> morphs;
  std::vector<Affine> models;
  std::vector<Affine> palette;
};

struct Gap {
  double angle = 0.0;     // radians, of a bone in its parent
  double distance = 0.0;  // of the model's size, of a bone in its parent
  double factor = 0.0;    // of scales and morph weights
  double place = 0.0;  // of the model's size: of any bone, and of vertices moved by their strongest bone, in the model
};

inline double angle_between(const glm::dquat& a, const glm::dquat& b) {
  const double apart = std::min(glm::length(b - a), glm::length(b + a));
  return 4.0 * std::asin(std::min(1.0, 0.5 * apart));
}

inline double size_of(const Model& model) {
  Bounds bounds = pose_bounds(model, rest_pose(model));
  for (const auto& m : model_from_bones(model, rest_pose(model))) bounds.add(glm::dvec3(m[3]));
  return bounds.diagonal() > 0.0 ? bounds.diagonal() : 1.0;
}

inline Gap local_gap(std::span<const SoaTransform> locals, const Pose& truth, double size) {
  Gap gap;
  for (std::uint32_t bone = 0; bone < truth.bones.size(); ++bone) {
    const BoneTransform local = local_of(locals, bone);
    const Transform& right = truth.bones[bone];
    gap.angle = std::max(gap.angle, angle_between(glm::dquat(local.rotation), right.rotation));
    gap.distance = std::max(gap.distance, glm::distance(glm::dvec3(local.translation), right.translation) / size);
    gap.factor = std::max(gap.factor, glm::length(glm::dvec3(local.scale) - right.scale));
  }
  return gap;
}

inline Gap gap_to_truth(const TestCharacter& character, const Model& model, const Pose& truth, double size) {
  Gap gap = local_gap(character.locals, truth, size);
  std::size_t next = 0;
  for (const auto& weights : truth.morph_weights) {
    for (const double weight : weights) {
      gap.factor = std::max(gap.factor, std::abs(static_cast<double>(character.morphs[next++]) - weight));
    }
  }
  const auto bones = model_from_bones(model, truth);
  for (std::size_t bone = 0; bone < bones.size(); ++bone) {
    const glm::dvec3 place(position_of(character.models[bone]));
    gap.place = std::max(gap.place, glm::distance(place, glm::dvec3(bones[bone][3])) / size);
  }
  const auto palette = skinning_palette(model, truth);
  for (const Mesh& mesh : model.meshes()) {
    for (std::size_t v = 0; v < mesh.positions.size(); v += 1 + mesh.positions.size() / 50) {
      const auto binding = mesh.influences[v].bindings[0];
      const glm::dvec3 right(palette[binding] * glm::dvec4(glm::dvec3(mesh.positions[v]), 1.0));
      const glm::dvec3 place(transform_point(character.palette[binding], mesh.positions[v]));
      gap.place = std::max(gap.place, glm::distance(place, right) / size);
    }
  }
  return gap;
}

}  // namespace throng::test
