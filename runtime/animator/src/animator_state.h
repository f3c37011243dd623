// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an Animator holds.

#include <vector>

#include "graph/graph_data.h"
#include "throng/animator/animator.h"
#include "throng/math/ground.h"

namespace throng::detail::animator {

// Where a group of clips that are in step is: whole loops and a phase in [0, 1), apart, so that hours lose no
// precision; and the seconds a loop takes.
struct GroupClock {
  double loops = 0.0;
  double phase = 0.0;
  double length = 1.0;
};

// One state being played. The weights of its clips and its clocks are in AnimatorState::weights and clocks, by slot.
struct PlayedState {
  std::uint32_t state = 0;
  std::uint32_t slot = 0;
  double speed = 0.0;
  bool fresh = true;  // nothing of it has been played: what happens at its very beginning is still to be told
  bool frozen = false;
};

// What an interrupted transition left: a pose, how much of it there is, and how fast it was moving, so that a character
// that ran does not stop dead while it fades.
struct FrozenPose {
  std::vector<SoaTransform> locals;
  std::vector<float> morphs;
  float presence = 1.0f;
  GroundMotion velocity;  // of one second
};

struct PlayedLayer {
  PlayedState current;
  PlayedState next;
  bool fading = false;
  bool held_back = false;  // Animator::kMaxChanges was met
  float weight = 1.0f;
  double fade_length = 0.0;  // seconds
  double faded = 0.0;
  std::uint32_t transition = 0;  // under way
  std::uint32_t last_fired = 0;  // in the last update
  GroundMotion root_motion;      // in this update
  double passed = 0.0;           // seconds of this update so far
  double present = 0.0;          // of them, those in which it had a motion, by weight
  FrozenPose frozen;
};

struct AnimatorState {
  explicit AnimatorState(std::shared_ptr<const AnimatorGraph> of) : graph(std::move(of)) {}

  std::shared_ptr<const AnimatorGraph> graph;
  AnimatorSettings settings;  // the animator's, as they were when the call that is under way began
  std::vector<double> parameters;
  std::vector<PlayedLayer> layers;
  std::vector<float> weights;
  std::vector<GroupClock> clocks;
  std::vector<AnimatorSignal> signals;
  std::vector<AnimatorSignal> pending;  // of jumps, told with the next update
  RootMotion root_motion;
  bool parameters_changed = true;
  std::vector<std::uint32_t> cursors;
  std::vector<SoaTransform> locals;
  std::vector<float> morphs;
  std::vector<Affine> models;
};

}  // namespace throng::detail::animator
