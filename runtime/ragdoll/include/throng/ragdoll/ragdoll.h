// SPDX-License-Identifier: Apache-2.0
#pragma once
// One character's bodies in a RagdollWorld. start() puts them where a pose has them, moving as it moved; the world's
// step() lets them fall; write() turns the bones after them. From a bone down only, the rest follows the animation and
// pushes. Bones keep their lengths: only the topmost body also says where its bone is.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "throng/animator/ik.h"
#include "throng/ragdoll/ragdoll_setup.h"
#include "throng/ragdoll/ragdoll_world.h"

namespace throng {

// The pose that a ragdoll starts from, and how it was moving.
struct RagdollStart {
  std::span<const Affine> models = {};         // the pose now
  std::span<const Affine> models_before = {};  // and `seconds` ago, for velocities; empty: at rest
  float seconds = 0.0f;
  glm::mat4 world_from_model{1.0f};                       // upright or not, but uniformly scaled
  std::optional<glm::mat4> world_from_model_before = {};  // nothing: as now
  std::optional<std::uint32_t> from = {};                 // the bone from which down it falls; nothing: all of it
};

// How it is doing, over all bodies that fall; in metres.
struct RagdollMotion {
  float max_speed = 0.0f;      // metres a second
  float max_spin = 0.0f;       // radians a second
  float separation = 0.0f;     // the farthest a joint is torn apart
  float lowest = 0.0f;         // world units: the lowest point of any body
  double energy = 0.0;         // joules, kinetic and potential above y = 0
  double still_seconds = 0.0;  // for how long nothing has moved to speak of
};

// A place on a body.
struct RagdollHit {
  std::uint32_t body = 0;
  std::uint32_t bone = 0;
  glm::vec3 point{0.0f};  // world space, on the body
  glm::vec3 normal{0.0f, 1.0f, 0.0f};
  float distance = 0.0f;  // world units from the point asked or along the ray
};

class Ragdoll {
 public:
  // Keeps the world's state alive; nothing is in the world until it is started.
  Ragdoll(const RagdollWorld& world, std::shared_ptr<const RagdollSetup> setup);
  Ragdoll(Ragdoll&&) noexcept;
  Ragdoll& operator=(Ragdoll&&) noexcept;
  ~Ragdoll();

  // Starts, or starts anew. Refused: spans that are not the rig's, numbers that are not finite, a character smaller
  // than 5 cm or larger than 100 m, for which Bullet is not made, a bone that does not exist or has no body at or below
  // it.
  Result<void> start(const RagdollStart& start);
  void stop();                                // takes its bodies out of the world
  bool running() const;                       // whether its bodies are in the world
  std::optional<std::uint32_t> from() const;  // the bone from which down it falls; nothing: all of it

  // Where the animation is now, for bodies that do not fall: they get there in the world's next step(). Nothing to do
  // for a whole ragdoll.
  void follow(std::span<const Affine> models, const glm::mat4& world_from_model);

  // Newton-seconds at a point in the world, on the body that carries `bone`. False and nothing done: it does not run,
  // the body does not fall, numbers are not finite. Whatever the impulse, the world's max_speed holds.
  bool push(std::uint32_t bone, const glm::vec3& point, const glm::vec3& impulse);
  // The place on its bodies that is nearest to a point of the world.
  std::optional<RagdollHit> nearest(const glm::vec3& point) const;
  // The first place on its bodies that a ray meets.
  std::optional<RagdollHit> cast_ray(const glm::vec3& from, const glm::vec3& to) const;

  // Turns the bones of bodies that fall to where these are, as far as weight and mask say; bones without a body keep
  // their locals, bones outside a partial ragdoll every bit. False: not running, or spans that do not fit.
  bool write(const PoseEdit& pose, const glm::mat4& world_from_model, float weight = 1.0f, BoneMask mask = {}) const;

  RagdollMotion motion() const;  // how its bodies move now
  // Position and rotation of a body's bone in the world now.
  glm::mat4 world_from_bone(std::uint32_t body) const;

  const RagdollSetup& setup() const;  // what it falls with

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
