// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a model falls with: rigid bodies fitted to the vertices of its bones, joints between them, masses. Made once
// from the model, never changed, shared by all its ragdolls. Everything is guessed well enough to fall over with, from
// the weights and the bones' names, and can be overridden bone by bone.
//
// Lengths are the model's units, angles radians, masses kilograms.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/base/result.h"
#include "throng/character/character.h"

namespace throng {

// The shape of a bone's body; automatic: a box where its vertices are flat, else a capsule.
enum class BodyShape : std::uint8_t { automatic, capsule, box, none };
// How a body may turn against the one above it; automatic: the setup chooses.
enum class JointKind : std::uint8_t { automatic, hinge, cone_twist };

// What is to be different from the guess, for one bone.
struct RagdollBone {
  std::string bone = {};
  BodyShape shape = BodyShape::automatic;  // none: it moves with the body above it
  JointKind joint = JointKind::automatic;
  std::optional<float> mass = {};
  std::optional<float> swing = {};            // cone-twist: how far from rest it leans, any way
  std::optional<float> twist = {};            // cone-twist: how far it twists, either way
  std::optional<glm::vec2> hinge_range = {};  // least and most angle, from rest
  std::optional<glm::vec3> hinge_axis = {};   // model space, at rest; a positive rotation bends
};

// How bodies are fitted, what they weigh, and what holds for single bones.
struct RagdollSettings {
  float mass = 75.0f;        // of the whole, shared out by volume
  float least_size = 0.09f;  // of the model's size: bones whose vertices span less move with the body above them
  float friction = 0.6f;
  float linear_damping = 0.05f;  // Bullet's: the part of its speed a body loses in a second
  float angular_damping = 0.1f;
  // How fast joints stop moving by themselves: after 1 / joint_damping seconds a third of what two bodies that float
  // swing on each other is left. Heavy limbs take longer.
  float joint_damping = 8.0f;
  // How hard muscles draw a joint to where it is relaxed, a little bent: the radians a second at which it would swing
  // around there. Enough for limbs that lie, too little for those that gravity pulls on. 0: not at all.
  float tone = 2.5f;
  bool self_collision = true;  // between bodies that neither touch at rest nor are neighbours
  std::vector<RagdollBone> bones = {};
};

// A bone's frame here is rigid: its position and rotation, without scale.
struct RagdollBody {
  std::uint32_t bone = 0;
  std::int32_t parent = -1;                    // body it hangs on; −1: none
  BodyShape shape = BodyShape::capsule;        // capsule or box
  glm::vec3 centre{0.0f};                      // in the bone's frame
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};  // bone_from_body
  glm::vec3 half{
      0.0f};  // box: half its sides; capsule: x the radius, y half the way between its ends' centres, along y
  float mass = 0.0f;
  JointKind joint = JointKind::cone_twist;
  glm::quat joint_rotation{1.0f, 0.0f, 0.0f, 0.0f};  // bone_from_joint: x the twist axis, z the hinge axis
  float swing = 0.0f;
  float twist = 0.0f;
  glm::vec2 hinge_range{0.0f};
  // Rotations from rest, in the joint's axes: to the middle of the cone (hips bend forwards farther than back), and to
  // where it is relaxed.
  glm::quat middle{1.0f, 0.0f, 0.0f, 0.0f};
  glm::quat relaxed{1.0f, 0.0f, 0.0f, 0.0f};
};

class RagdollSetup {
 public:
  const Rig& rig() const { return *rig_; }                         // the rig it was made for
  const RagdollSettings& settings() const { return settings_; }    // as they were given
  std::span<const RagdollBody> bodies() const { return bodies_; }  // parents before children
  // The body that carries a bone: its own or the nearest above; nothing: no body is above it.
  std::optional<std::uint32_t> body_of(std::uint32_t bone) const;
  float size() const { return size_; }  // of the model at rest

 private:
  friend Result<std::shared_ptr<const RagdollSetup>> build_ragdoll(std::shared_ptr<const Rig> rig, const NearMesh* mesh,
                                                                   RagdollSettings settings);
  RagdollSetup(std::shared_ptr<const Rig> rig, RagdollSettings settings)
      : rig_(std::move(rig)), settings_(std::move(settings)) {}

  std::shared_ptr<const Rig> rig_;
  RagdollSettings settings_;
  std::vector<RagdollBody> bodies_;
  std::vector<std::int32_t> carriers_;  // body of each bone; −1: none
  float size_ = 1.0f;
};

// `rig` must be the character's. Refused: a character without meshes for near ones (the error says to bake its model
// again), a rig of another one, overrides of bones that do not exist (the message names those spelled like it), numbers
// that are negative or not finite.
Result<std::shared_ptr<const RagdollSetup>> build_ragdoll(const Character& character, std::shared_ptr<const Rig> rig,
                                                          RagdollSettings settings = {});

// Builds one for a rig and the meshes that follow it; without any, its bones are taken as rods.
Result<std::shared_ptr<const RagdollSetup>> build_ragdoll(std::shared_ptr<const Rig> rig, const NearMesh* mesh,
                                                          RagdollSettings settings = {});

}  // namespace throng
