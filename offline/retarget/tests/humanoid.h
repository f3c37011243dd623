// SPDX-License-Identifier: Apache-2.0
#pragma once
// A humanoid of eighteen bones for tests: where its bones are, how their axes lie and what moves them is up to the
// test.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "throng/pose/pose.h"

namespace throng {

struct BodyBone {
  std::string name;
  int parent = -1;
  glm::dvec3 place{0.0};  // in model space
  glm::dquat axes{1.0, 0.0, 0.0, 0.0};
};

using Body = std::vector<BodyBone>;

// In a T-pose, facing +Z, feet at y = 0.1, all axes those of the model.
inline Body body() {
  Body bones = {{"root", -1, {0, 0, 0}}, {"hips", 0, {0, 1, 0}}, {"spine", 1, {0, 1.2, 0}}, {"head", 2, {0, 1.6, 0}}};
  for (const auto& [side, x] : {std::pair(".l", 1.0), std::pair(".r", -1.0)}) {
    const auto first = static_cast<int>(bones.size());
    bones.push_back({std::string("upperarm") + side, 2, {0.2 * x, 1.5, 0}});
    bones.push_back({std::string("lowerarm") + side, first, {0.5 * x, 1.5, 0}});
    bones.push_back({std::string("hand") + side, first + 1, {0.8 * x, 1.5, 0}});
    bones.push_back({std::string("upperleg") + side, 1, {0.1 * x, 0.95, 0}});
    bones.push_back({std::string("lowerleg") + side, first + 3, {0.1 * x, 0.5, 0}});
    bones.push_back({std::string("foot") + side, first + 4, {0.1 * x, 0.1, 0}});
    bones.push_back({std::string("toes") + side, first + 5, {0.1 * x, 0.02, 0.15}});
  }
  return bones;
}

inline std::uint32_t bone_named(const Model& model, const std::string& name) {
  for (std::uint32_t i = 0; i < model.bones().size(); ++i) {
    if (model.bones()[i].name == name) return i;
  }
  ADD_FAILURE() << "no bone is named " << name;
  return 0;
}

// Every bone holds a rigid triangle around where it is.
inline ModelDraft draft_of(const Body& bones) {
  ModelDraft draft;
  draft.name = "body";
  draft.materials = {{}};
  Mesh mesh;
  for (const BodyBone& bone : bones) {
    const glm::dmat4 model_from_bone = to_matrix({bone.place, bone.axes, glm::dvec3(1.0)});
    Bone made{bone.name, std::nullopt, {bone.place, bone.axes, glm::dvec3(1.0)}};
    if (bone.parent >= 0) {
      const BodyBone& parent = bones[static_cast<std::size_t>(bone.parent)];
      made.parent = static_cast<std::uint32_t>(bone.parent);
      made.rest.rotation = glm::normalize(glm::conjugate(parent.axes) * bone.axes);
      made.rest.translation = glm::conjugate(parent.axes) * (bone.place - parent.place);
    }
    const auto binding = static_cast<std::uint16_t>(draft.bindings.size());
    draft.bindings.push_back({binding, glm::inverse(model_from_bone)});
    draft.bones.push_back(made);
    for (int corner = 0; corner < 3; ++corner) {
      glm::dvec3 out(0.0);
      out[corner] = 0.05;
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.emplace_back(bone.place + out);
      mesh.influences.push_back({{binding, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}});
    }
  }
  draft.meshes = {mesh};
  return draft;
}

inline Model built(ModelDraft draft) {
  auto model = build_model(std::move(draft));
  EXPECT_TRUE(model) << model.error().message;
  return *std::move(model);
}

inline glm::dquat random_turn(std::mt19937& dice, double most = 3.0) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const glm::dvec3 axis = glm::normalize(glm::dvec3(any(dice), any(dice), any(dice) + 1.5));
  return glm::angleAxis(most * any(dice), axis);
}

// All bones turn at once, each at times of its own; the root walks and turns, the hips bob.
inline Clip busy_clip(const ModelDraft& draft, double most_turn = 0.8) {
  std::mt19937 dice(42);
  Clip clip{
      .name = "busy", .start = 0.25, .end = 2.25, .loops = true, .bones = {}, .morphs = {}, .events = {{1.0, "e"}}};
  for (std::uint32_t i = 0; i < draft.bones.size(); ++i) {
    BoneTrack track;
    track.bone = i;
    const int keys = 3 + static_cast<int>(i % 4);
    for (int k = 0; k < keys; ++k) {
      const float time = 0.25f + 2.0f * static_cast<float>(k) / static_cast<float>(keys - 1);
      track.rotation.times.push_back(time);
      track.rotation.values.push_back(glm::quat(draft.bones[i].rest.rotation * random_turn(dice, most_turn)));
      if (draft.bones[i].name != "root" && draft.bones[i].name != "hips") continue;
      track.translation.times.push_back(time);
      const glm::dvec3 way = draft.bones[i].name == "root" ? glm::dvec3(0.2 * k, 0.0, 0.7 * k)
                                                           : glm::dvec3(0.02 * k, 0.05 * (k % 2), 0.03);
      track.translation.values.push_back(glm::vec3(draft.bones[i].rest.translation + way));
    }
    clip.bones.push_back(track);
  }
  return clip;
}

// At keys and between them.
inline std::vector<double> moments(const Clip& clip) {
  std::vector<double> times;
  for (int i = 0; i <= 24; ++i) times.push_back(clip.start + clip.length() * i / 24.0 * 0.999);
  times.push_back(clip.end);
  return times;
}

inline std::vector<glm::dvec3> places(const Model& model, const Clip& clip, double time) {
  std::vector<glm::dvec3> out;
  for (const glm::dmat4& m : model_from_bones(model, sample(model, clip, time))) out.emplace_back(m[3]);
  return out;
}

inline std::vector<glm::dvec3> vertices(const Model& model, const Clip& clip, double time) {
  const Pose pose = sample(model, clip, time);
  return skin_mesh(model, 0, pose, skinning_palette(model, pose)).positions;
}

inline double largest_distance(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, glm::distance(a[i], b[i]));
  return most;
}

}  // namespace throng
