// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which morph targets a bake of bones keeps: those that a clip moves far enough to be seen. Targets that always move
// together, such as one face's in two materials, are one channel.

#include "motion/clip_plan.h"

namespace throng::detail::bake {

// A target of the model that some clip moves, kept or not.
struct MovingTarget {
  std::uint32_t mesh = 0;
  std::uint32_t target = 0;
  std::optional<std::uint32_t> channel = {};  // nothing: what it does is too little to be kept
};

struct MorphChannel {
  std::string name;
  double amplitude = 0.0;  // how far it is in at most, beyond rest, one way or the other
  double reach = 0.0;      // how far a weight of one moves any vertex in any pose, in model space, at most
};

struct MorphPlan {
  std::vector<MovingTarget> moving;
  std::vector<MorphChannel> channels;
  std::vector<std::uint8_t> clip_moves;  // by plan: whether some channel is not constant in it
  std::vector<double> binding_scales;    // how much longer each binding makes what it moves, at most
  double bound = 0.0;                    // how far a vertex may be off for all reasons, model units

  bool any() const { return !channels.empty(); }

  // How much longer a vertex's bones make what targets add to it, in any pose.
  double scale_at(const Mesh& mesh, std::size_t vertex) const;
};

// What of the bound may be spent on what: targets that are left out, deltas that are, weights between two rows. Bones
// have the rest.
inline constexpr double kDroppedShare = 1.0 / 16.0;
inline constexpr double kDeltaShare = 1.0 / 16.0;
inline constexpr double kWeightShare = 1.0 / 8.0;
inline constexpr double kBoneShare = 1.0 - kDroppedShare - kDeltaShare - kWeightShare;

// A normal that a target turns by less than so much (the sine of half a degree) does not show.
inline constexpr double kUnseenTurn = 0.0087;

// `bound`: of a vertex, in model units. Says in `notes` what is kept and what is not.
MorphPlan plan_morphs(const Model& model, const std::vector<ClipPlan>& plans, double bound,
                      std::vector<std::string>& notes);

// The plan without what moves bones: for sampling weights alone.
ClipPlan weights_alone(const ClipPlan& plan);

// How far the target is in beyond rest, in a pose of the model.
double weight_in(const Model& model, const Pose& pose, const MovingTarget& target);

}  // namespace throng::detail::bake
