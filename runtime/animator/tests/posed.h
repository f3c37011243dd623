// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small skeletons, posed, for solvers to bend.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "compiled_rig.h"
#include "throng/animator/ik.h"
#include "throng/model/model.h"

namespace throng::test {

struct Posed {
  explicit Posed(std::shared_ptr<const Rig> its_rig)
      : rig(std::move(its_rig)), locals(rig->rest().begin(), rig->rest().end()), models(rig->bone_count()) {
    update();
  }
  explicit Posed(const Model& model) : Posed(test::compiled_rig(model).value()) {}

  void update() { LocalToModelJob{.rig = *rig, .locals = locals, .models = models}.run(); }
  PoseEdit edit() { return {*rig, locals, models}; }
  glm::vec3 at(std::uint32_t bone) const { return position_of(models[bone]); }
  void turn(std::uint32_t bone, const glm::quat& by) {
    BoneTransform local = local_of(locals, bone);
    local.rotation = glm::normalize(local.rotation * by);
    set_local(locals, bone, local);
    update();
  }
  float angle(std::uint32_t joint, std::uint32_t from, std::uint32_t to) const {
    const glm::vec3 a = glm::normalize(at(from) - at(joint)), b = glm::normalize(at(to) - at(joint));
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
  }

  std::shared_ptr<const Rig> rig;
  std::vector<SoaTransform> locals;
  std::vector<Affine> models;
};

inline bool same_bits(const Posed& a, const Posed& b) {
  return std::memcmp(a.locals.data(), b.locals.data(), a.locals.size() * sizeof(SoaTransform)) == 0 &&
         std::memcmp(a.models.data(), b.models.data(), a.models.size() * sizeof(Affine)) == 0;
}

inline bool all_finite(const Posed& p) {
  for (const Affine& m : p.models) {
    for (const glm::vec4& row : m.rows) {
      if (!std::isfinite(row.x + row.y + row.z + row.w)) return false;
    }
  }
  return true;
}

// A model of one row of bones, each at `steps[i]` from the one before, turned on the way to make life harder.
inline Model row_of_bones(const std::vector<glm::dvec3>& steps, double scale = 1.0) {
  ModelDraft draft;
  glm::dquat model_from_parent(1.0, 0.0, 0.0, 0.0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const glm::dquat turn = glm::angleAxis(0.4 + 0.3 * static_cast<double>(i), glm::normalize(glm::dvec3(1, 2, 3)));
    Bone bone;
    bone.name = "bone" + std::to_string(i);
    if (i > 0) bone.parent = static_cast<std::uint32_t>(i - 1);
    bone.rest.translation = glm::conjugate(model_from_parent) * (i == 0 ? steps[i] : steps[i] / scale);
    bone.rest.rotation = turn;
    if (i == 0) bone.rest.scale = glm::dvec3(scale);
    model_from_parent = model_from_parent * turn;
    draft.bones.push_back(bone);
  }
  return build_model(std::move(draft)).value();
}

// Shoulder, elbow, hand; a little bent towards +z, as limbs are.
inline Model arm_model(double upper = 2.0, double lower = 1.5, double bend = 0.3, double scale = 1.0) {
  const glm::dvec3 down(0, -1, 0);
  const glm::dvec3 bent(0, -std::cos(bend), std::sin(bend));
  return row_of_bones({{0.5, 5, 0}, upper * down, lower * bent}, scale);
}

inline std::uint32_t bone_named(const Rig& rig, std::string_view name) { return rig.find_bone(name).value(); }

}  // namespace throng::test
