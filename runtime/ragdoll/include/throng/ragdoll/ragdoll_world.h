// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where ragdolls fall: gravity, ground that does not move, and time in steps of fixed length. Simulated by Bullet, in
// metres; what goes in and comes out is in world units. The same calls give the same result, bit for bit, on one
// machine. Not for several threads at a time: give each its own world.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <optional>
#include <span>

#include "throng/base/result.h"

namespace throng {

// Gravity, units and the length of a step.
struct RagdollWorldSettings {
  glm::vec3 gravity{0.0f, -9.81f, 0.0f};  // world units a second, a second
  float metres_per_unit = 1.0f;           // of the world's units: 0.01 in a world of centimetres
  double step = 1.0 / 120.0;              // seconds, 1/1000 … 1/30
  std::uint32_t iterations = 30;          // of the solver
  float max_speed = 40.0f;                // metres a second, radians a second: what no body ever exceeds
  float max_spin = 30.0f;
};

// Where a ray met what does not move.
struct RagdollRayHit {
  glm::vec3 point{0.0f};
  glm::vec3 normal{0.0f, 1.0f, 0.0f};
  float fraction = 1.0f;  // of the ray's length
};

class RagdollWorld;
namespace detail::ragdoll {
struct WorldState;
const std::shared_ptr<WorldState>& state_of(const RagdollWorld& world);
}  // namespace detail::ragdoll

class RagdollWorld {
 public:
  // Refused: numbers that are not finite or out of range.
  static Result<RagdollWorld> make(const RagdollWorldSettings& settings = {});
  RagdollWorld(RagdollWorld&&) noexcept;
  RagdollWorld& operator=(RagdollWorld&&) noexcept;
  ~RagdollWorld();

  // Ground that stays for the world's life. Refused: numbers that are not finite, boxes without volume, indices out of
  // range.
  Result<void> add_ground(float height);  // everything below is solid
  // A box that does not move; `half` are half its sides.
  Result<void> add_box(const glm::vec3& centre, const glm::vec3& half,
                       const glm::quat& rotation = {1.0f, 0.0f, 0.0f, 0.0f});
  // Triangles that do not move, such as terrain or stairs.
  Result<void> add_mesh(std::span<const glm::vec3> positions, std::span<const std::uint32_t> indices);

  // Moves all ragdolls on; what is left of dt waits for the next call. More than 0.25 s counts as that, negative or not
  // a number as 0. Returns how many steps were made.
  std::uint32_t step(double dt);

  // Against the ground only.
  std::optional<RagdollRayHit> cast_ray(const glm::vec3& from, const glm::vec3& to) const;

  const RagdollWorldSettings& settings() const;  // as they were given

 private:
  friend const std::shared_ptr<detail::ragdoll::WorldState>& detail::ragdoll::state_of(const RagdollWorld& world);
  explicit RagdollWorld(std::shared_ptr<detail::ragdoll::WorldState> state);
  std::shared_ptr<detail::ragdoll::WorldState> state_;
};

}  // namespace throng
