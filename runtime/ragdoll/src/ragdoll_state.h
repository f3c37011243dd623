// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bodies and joints of one ragdoll.

#include <memory>
#include <optional>
#include <vector>

#include "throng/ragdoll/ragdoll.h"
#include "world_state.h"

namespace throng::detail::ragdoll {

struct MovingBody {
  std::unique_ptr<btCollisionShape> shape;
  std::unique_ptr<btDefaultMotionState> state;
  std::unique_ptr<btRigidBody> body;
  Rigid bone_from_body;  // metres
  Rigid before, now;     // world_from_body at the last two steps, metres
  Rigid from, target;    // of a body that follows the animation: at the last call and at this one
  bool falls = true;
};

// Two bodies on one joint.
struct Held {
  std::size_t parent = 0, child = 0;
  glm::quat parent_from_joint = kNoRotation;  // at rest
};

// The nearest point of a body to a point, both in the body's frame, and which way is out; distance below 0: inside.
struct Nearest {
  glm::vec3 point{0.0f}, normal{0.0f, 1.0f, 0.0f};
  float distance = 0.0f;
};
Nearest nearest_on(const RagdollBody& body, float metres, const glm::vec3& p);

}  // namespace throng::detail::ragdoll

namespace throng {

struct Ragdoll::State final : detail::ragdoll::Stepped {
  using Rigid = detail::ragdoll::Rigid;
  using WorldState = detail::ragdoll::WorldState;

  State(std::shared_ptr<WorldState> w, std::shared_ptr<const RagdollSetup> s)
      : world(std::move(w)), setup(std::move(s)) {}
  ~State() override { clear(); }

  void before_step(float part_of_call) override;
  void after_step(double seconds) override;
  void after_call() override;

  void clear();
  void add_body(const RagdollBody& body, const Rigid& world_from_bone, bool falls);
  void add_joint(std::size_t child, std::span<const Rigid> world_from_bones);
  glm::quat parent_from_joint_at_rest(std::size_t child) const;
  void use_muscles(double seconds);
  void set_velocities(const RagdollStart& start);
  void hold_apart();  // lets bodies that overlap, or are neighbours of neighbours, pass through each other
  void limit_speed(btRigidBody& body) const;
  // Brakes, and in the end puts to sleep, what lies and only trembles: velocities that lead nowhere.
  void calm_down(double seconds);
  Rigid world_from_bone(std::size_t number, float between) const;
  // world_from_bone of each body's bone in a pose, metres.
  std::vector<Rigid> bones_in(std::span<const Affine> models, const glm::mat4& world_from_model) const;
  RagdollMotion measure() const;

  std::shared_ptr<WorldState> world;
  std::shared_ptr<const RagdollSetup> setup;
  std::vector<detail::ragdoll::MovingBody> moving;  // as setup->bodies(); empty: not running
  std::vector<std::unique_ptr<btTypedConstraint>> joints;
  std::vector<detail::ragdoll::Held> held;  // as joints
  std::optional<std::uint32_t> from;
  float metres = 1.0f;  // of a model unit
  double still = 0.0;
  double lying = 0.0;              // seconds for which it has been slow as a whole
  double calm = 0.0;               // seconds for which no body has left its place
  std::vector<Rigid> places = {};  // where they were when that began
  // For write(), so that it allocates nothing.
  std::vector<glm::mat4> models;
};

}  // namespace throng
