// SPDX-License-Identifier: Apache-2.0
#pragma once
// Secondary motion: hair, tails, ropes and cloth strips that swing after the bones they hang on. Each chain is a row of
// points that gravity pulls, the character drags along and the animated pose draws back; bones are turned after them
// and keep their lengths.
//
// Simulated in world space in steps of fixed length, whatever the caller's dt, so that results do not depend on how
// time is cut. What the definition says (SpringSetup) is shared by all characters; each has a small Springs. Steps
// allocate nothing.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "throng/animator/ik.h"
#include "throng/base/result.h"

namespace throng {

// A chain of bones that swings, and how.
struct SpringChain {
  std::vector<std::uint32_t> bones = {};  // from the first that swings to the last, each below the one before
  float stiffness = 60.0f;                // 1/s²: how strongly the pose draws it back; 0: a rope
  float damping = 4.0f;                   // 1/s
  float inertia = 1.0f;                   // 0: carried along by the character as if glued; 1: stays behind as mass does
  float gravity = 1.0f;                   // times the settings' gravity
  float limit = 3.1415927f;               // radians a bone may swing away from the pose
  float radius = 0.0f;                    // model units, for colliders
  // Model units the last bone goes on beyond its own place; 0: as far as the bone before it is long.
  float tip = 0.0f;
};

// A ball (from = to) or a capsule that moves with a bone and keeps points out.
struct SpringCollider {
  std::uint32_t bone = 0;
  glm::vec3 from{0.0f};  // bone space
  glm::vec3 to{0.0f};
  float radius = 0.0f;  // model units
};

// The chains and colliders of a kind of character, and the world they swing in.
struct SpringSettings {
  std::vector<SpringChain> chains = {};
  std::vector<SpringCollider> colliders = {};
  glm::vec3 gravity{0.0f, -9.81f, 0.0f};  // world units a second, a second
  double step = 1.0 / 120.0;              // seconds
  float teleport_distance = 2.0f;         // world units in one call: farther, it is a jump and nothing swings; 0: never
  float teleport_angle = 1.5f;            // radians in one call
};

// Checked settings for a rig.
class SpringSetup {
 public:
  const Rig& rig() const { return *rig_; }                      // the rig it was made for
  const SpringSettings& settings() const { return settings_; }  // as they were given
  std::size_t point_count() const { return point_count_; }   // of all chains: a root, one for each further bone, a tip
  std::span<const glm::vec3> tips() const { return tips_; }  // of each chain, in its last bone's space

 private:
  friend Result<std::shared_ptr<const SpringSetup>> build_springs(std::shared_ptr<const Rig> rig,
                                                                  SpringSettings settings);
  SpringSetup(std::shared_ptr<const Rig> rig, SpringSettings settings);
  std::shared_ptr<const Rig> rig_;
  SpringSettings settings_;
  std::vector<glm::vec3> tips_;
  std::size_t point_count_ = 0;
};

// Refused: bones that do not exist or are no chain, chains longer than kMaxChainBones, numbers that are negative or not
// finite, a step outside 1/1000 … 1/20 s.
Result<std::shared_ptr<const SpringSetup>> build_springs(std::shared_ptr<const Rig> rig, SpringSettings settings);

// What a call did.
struct SpringReport {
  IkFault fault = IkFault::none;
  std::uint32_t steps = 0;  // simulated in this call
  bool teleported = false;  // the character jumped: the chains were carried along
};

class Springs {
 public:
  // At rest: the first call puts the chains where the pose has them.
  explicit Springs(std::shared_ptr<const SpringSetup> setup);

  // Forgets all motion: the next call starts from the pose.
  void reset() { started_ = false; }

  // Simulates up to `dt` seconds (more than 1 counts as 1, negative or not a number as 0) and turns the bones. `pose`
  // is the animated pose and may be another object each call. `weight` as in IK: the simulation runs on at 0.
  SpringReport step(const PoseEdit& pose, const glm::mat4& world_from_model, double dt, float weight = 1.0f);

 private:
  struct Point {
    glm::vec3 animated_before{0.0f},
        animated{0.0f};                           // where the pose had it at the last call and has it now; world space
    glm::vec3 driven_before{0.0f}, driven{0.0f};  // where the pose had it at the last two steps
    glm::vec3 at_before{0.0f}, at{0.0f};          // where it was at the last two steps
    glm::vec3 velocity{0.0f};
  };
  struct Ball {
    glm::vec3 from_before{0.0f}, to_before{0.0f}, from{0.0f}, to{0.0f};  // at the last call and now
  };

  bool read_pose(const PoseEdit& pose, const glm::mat4& world_from_model);
  void start();
  bool jumped(const glm::mat4& world_from_model) const;
  void carry(const glm::mat4& world_from_model);
  std::uint32_t simulate(double dt);
  void simulate_chain(const SpringChain& chain, std::span<Point> points, float now);
  glm::vec3 push_out(glm::vec3 at, float radius, float now) const;
  void turn_chain(const SpringChain& chain, std::span<const Point> points, const PoseEdit& pose,
                  const glm::mat3& model_from_world, float weight) const;

  std::shared_ptr<const SpringSetup> setup_;
  std::vector<Point> points_;
  std::vector<Ball> balls_;
  glm::mat4 world_from_model_{1.0f};  // at the last call
  double spare_ = 0.0;                // seconds not simulated yet, less than a step
  float scale_ = 1.0f;                // world units of a model unit
  bool started_ = false;
};

}  // namespace throng
