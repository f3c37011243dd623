// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a RagdollWorld owns, and what it calls of the ragdolls in it.

#include <memory>
#include <vector>

#include "bullet.h"
#include "throng/ragdoll/ragdoll_world.h"

namespace throng::detail::ragdoll {

// Something that takes part in every step of a world.
struct Stepped {
  Stepped() = default;
  Stepped(const Stepped&) = delete;
  Stepped& operator=(const Stepped&) = delete;
  virtual ~Stepped() = default;
  virtual void before_step(float part_of_call) = 0;  // 0 … 1: where in the call the step ends
  virtual void after_step(double seconds) = 0;
  virtual void after_call() = 0;
};

struct WorldState {
  explicit WorldState(const RagdollWorldSettings& s);
  ~WorldState();

  void add_static(std::unique_ptr<btCollisionShape> shape, const Rigid& at);
  std::optional<RagdollRayHit> cast_static(const glm::vec3& from, const glm::vec3& to) const;
  float between_steps() const { return static_cast<float>(spare / settings.step); }  // 0 … 1

  RagdollWorldSettings settings;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btTriangleMesh>> meshes;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> statics;
  std::vector<Stepped*> stepped;
  double spare = 0.0;  // seconds not simulated yet
};

}  // namespace throng::detail::ragdoll
