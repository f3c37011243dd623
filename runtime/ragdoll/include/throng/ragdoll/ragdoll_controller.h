// SPDX-License-Identifier: Apache-2.0
#pragma once
// The whole way: animated → falling → settled → getting up → animated. Called once an image with the animated pose;
// what comes back is what to draw. Nothing jumps: falling starts from the last pose with its velocities, getting up
// starts from where the ragdoll lies and goes over to the clip.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "throng/ragdoll/ragdoll.h"

namespace throng {

// What part of the way it is at.
enum class RagdollPhase : std::uint8_t { animated, falling, settled, getting_up };
// Which way it came to lie: it decides the clip to get up with.
enum class Lying : std::uint8_t { face_up, face_down };
const char* to_text(RagdollPhase phase);  // the phase in words

// How long it may fall, when it counts as settled, and how long getting up takes.
struct RagdollControllerSettings {
  double settle_seconds = 0.4;          // still for so long: settled
  double max_fall_seconds = 8.0;        // or falling for so long
  double get_up_seconds = 0.6;          // from lying to the clip
  glm::vec3 forward{0.0f, 0.0f, 1.0f};  // model space: which way the character looks at rest
};

class RagdollController {
 public:
  // Animated, until it is told to fall.
  RagdollController(const RagdollWorld& world, std::shared_ptr<const RagdollSetup> setup,
                    const RagdollControllerSettings& settings = {});

  // Once an image, after animation (and after the world's step): changes `pose` to what is to be drawn. False: spans
  // that do not fit, or a matrix that is not finite.
  bool update(const PoseEdit& pose, const glm::mat4& world_from_model, double dt);

  // Lets go of the animation; `from`: from that bone down only, until recover(). Refused before the first update, and
  // where Ragdoll::start refuses.
  Result<void> fall(std::optional<std::uint32_t> from = {});

  // Which way it lies, by hips and spine: what to choose the get-up clip by.
  Lying lying() const;

  // Starts to get up. `clip_start` is the first pose of the clip that will play from now on: the returned
  // world_from_model puts it over the lying body, upright, turned the same way, on the ground below it; give it to
  // every update from now on. Refused unless the whole character falls or has settled.
  Result<glm::mat4> get_up(std::span<const Affine> clip_start);

  // Back to the animation where it is, over get_up_seconds: for partial ragdolls.
  void recover();

  RagdollPhase phase() const { return phase_; }  // the part of the way it is at now
  float weight() const { return weight_; }       // of the ragdoll in what is drawn
  Ragdoll& ragdoll() { return ragdoll_; }        // its bodies, to push them or to ask where they are
  const Ragdoll& ragdoll() const { return ragdoll_; }

 private:
  void remember(const PoseEdit& pose, const glm::mat4& world_from_model, double dt);
  void update_fall(const PoseEdit& pose, const glm::mat4& world_from_model);
  void update_get_up(const PoseEdit& pose, const glm::mat4& world_from_model);

  Ragdoll ragdoll_;
  RagdollControllerSettings settings_;
  std::shared_ptr<detail::ragdoll::WorldState> world_;
  RagdollPhase phase_ = RagdollPhase::animated;
  float weight_ = 0.0f;
  double phase_seconds_ = 0.0;
  // The last two animated poses.
  std::vector<Affine> models_, models_before_;
  glm::mat4 world_from_model_{1.0f}, world_from_model_before_{1.0f};
  double seconds_ = 0.0;
  int poses_ = 0;
  // What was drawn last while it fell: getting up starts from it.
  std::vector<SoaTransform> drawn_;
  std::vector<Affine> drawn_models_;
  Affine model_from_root_ = {};
};

}  // namespace throng
