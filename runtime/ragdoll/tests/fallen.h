// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character and a world for it to fall in.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "compiled_rig.h"
#include "mannequin_model.h"
#include "throng/motion/pack_near_mesh.h"
#include "throng/ragdoll/ragdoll_controller.h"

namespace throng::test {

inline const Model& mannequin() { return test::mannequin_model(); }
inline const std::shared_ptr<const Rig>& mannequin_rig() {
  static const std::shared_ptr<const Rig> rig = test::compiled_rig(mannequin()).value();
  return rig;
}
inline Result<std::shared_ptr<const RagdollSetup>> ragdoll_of(const Model& model, std::shared_ptr<const Rig> rig,
                                                              const RagdollSettings& settings = {}) {
  const auto mesh = pack_near_mesh(model, rig->motion());
  return build_ragdoll(std::move(rig), mesh ? &*mesh : nullptr, settings);
}
inline const std::shared_ptr<const RagdollSetup>& mannequin_setup() {
  static const std::shared_ptr<const RagdollSetup> setup = ragdoll_of(mannequin(), mannequin_rig()).value();
  return setup;
}

struct TestCharacter {
  explicit TestCharacter(std::shared_ptr<const Rig> its_rig)
      : rig(std::move(its_rig)), locals(rig->rest().begin(), rig->rest().end()), models(rig->bone_count()) {
    update();
  }
  void update() { LocalToModelJob{.rig = *rig, .locals = locals, .models = models}.run(); }
  PoseEdit edit() { return {*rig, locals, models}; }
  void sample(const char* clip, float time) {
    const ClipId number = rig->find_clip(clip).value();
    std::vector<std::uint32_t> cursors(rig->clips()[number.value].cursor_count);
    SampleJob{.rig = *rig, .clip = number, .time = time, .cursors = cursors, .locals = locals}.run();
    update();
  }
  void turn(const char* bone, const glm::quat& by) {
    const std::uint32_t number = rig->find_bone(bone).value();
    BoneTransform local = local_of(locals, number);
    local.rotation = glm::normalize(local.rotation * by);
    set_local(locals, number, local);
    update();
  }
  glm::vec3 at(const char* bone) const { return position_of(models[rig->find_bone(bone).value()]); }

  std::shared_ptr<const Rig> rig;
  std::vector<SoaTransform> locals;
  std::vector<Affine> models;
};

inline RagdollWorld world_with_ground(const RagdollWorldSettings& settings = {}, float height = 0.0f) {
  RagdollWorld world = RagdollWorld::make(settings).value();
  EXPECT_TRUE(world.add_ground(height).has_value());
  return world;
}

inline glm::mat4 lifted(float height, const glm::quat& rotation = {1, 0, 0, 0}) {
  glm::mat4 m = glm::mat4_cast(rotation);
  m[3] = glm::vec4(0, height, 0, 1);
  return m;
}

// What was worst on the way.
struct Fall {
  float speed = 0.0f, spin = 0.0f, separation = 0.0f, lowest = 1e9f, last_lowest = 0.0f;
  double settled_after = -1.0;  // seconds; −1: not
  double first_energy = 0.0, most_energy = -1e30, last_energy = 0.0;
};

inline Fall let_fall(RagdollWorld& world, const Ragdoll& ragdoll, double seconds) {
  Fall fall;
  fall.first_energy = ragdoll.motion().energy;
  const int images = static_cast<int>(seconds * 60.0);
  for (int i = 0; i < images; ++i) {
    world.step(1.0 / 60.0);
    const RagdollMotion m = ragdoll.motion();
    fall.speed = std::max(fall.speed, m.max_speed);
    fall.spin = std::max(fall.spin, m.max_spin);
    fall.separation = std::max(fall.separation, m.separation);
    fall.lowest = std::min(fall.lowest, m.lowest);
    fall.most_energy = std::max(fall.most_energy, m.energy);
    fall.last_energy = m.energy;
    fall.last_lowest = m.lowest;
    if (m.still_seconds < 0.4)
      fall.settled_after = -1.0;
    else if (fall.settled_after < 0.0)
      fall.settled_after = (i + 1) / 60.0;
  }
  return fall;
}

inline bool same_bits(std::span<const SoaTransform> a, std::span<const SoaTransform> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace throng::test
