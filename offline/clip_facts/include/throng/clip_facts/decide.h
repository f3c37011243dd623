// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one place that decides whether a clip loops, how long one cycle is, which bone is the root and where it goes.
//
// Loops: what the source says is believed. Else its name decides (clip_names.h): "walk" and "idle" loop, "attack" and
// "death" do not. Where that says nothing, a clip loops when its last pose is its first one again (no vertex is further
// off than a thousandth of the model's height), or when it ends one key before that and goes on over the seam as it
// does on both sides of it: an open loop. A strike or a fall that happens to end near its start does neither. A loop
// that ends nearly as it starts (within a hundredth of the height where it, or its name, says that it loops) is closed
// exactly, over its last step. Where name and poses disagree, that is told.
//
// Root: the bone nearest to the skeleton's root that everything drawn hangs on and that moves or turns over the ground
// in any of the clips. Of a model that draws nothing, the first that does so of those that carry more than half of the
// bones.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "throng/base/executor.h"
#include "throng/base/result.h"
#include "throng/character/clip_facts.h"
#include "throng/clip_facts/root_motion.h"

namespace throng {

// How poses are compared, and which bone is the root.
struct ClipFactsSettings {
  // The first and the last pose are compared as they will be played: without root motion when that is taken off, as
  // animators do, or with it when it stays in the poses. A walk loops only without.
  bool root_motion_taken_off = true;
  std::string root_bone = {};  // by name; empty: found as above
  // Poses a second: how long the step over the seam of a loop is whose keys are not evenly spaced.
  double frame_rate = 30.0;
};

// What speaks against the decision whether a clip loops, where that was guessed.
enum class LoopDoubt : std::uint8_t {
  none,
  poses_loop,    // it is named like what happens once, but goes on from its last pose to its first
  poses_differ,  // it is named like what goes on, but ends in another pose
  travels,       // the same, and it would end as it starts if its root motion were taken off
};

// What was decided of a clip, and how sure that is.
struct DecidedClip {
  ClipFacts facts;
  LoopDoubt doubt = LoopDoubt::none;
  std::optional<Clip> closed = {};    // of a loop that ends nearly as it starts: the clip as it is to be played
  double gap = 0.0;                   // how far that moves its last pose: the largest of all vertices, in model units
  std::optional<RootPath> root = {};  // for sampling the clip without its root motion; nothing without a root bone
};

// One answer a clip, in their order. The clips are the model's, or copies that were changed: told to loop, or without
// tracks that will not be played. An error says that there is no root bone of that name, and names those spelled like
// it. The result is the same for any executor.
Result<std::vector<DecidedClip>> decide_clip_facts(const Model& model, std::span<const Clip> clips,
                                                   const ClipFactsSettings& settings, Executor& executor);

// How tall the model stands in its rest pose; its largest extent where it is flat; 1 where it has none.
double standing_height(const Model& model);

}  // namespace throng
