// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clips of one skeleton on another that has the same bones by name, but other proportions, other bone axes or another
// size. What is carried over is how each bone rotates away from its rest, in model space; lengths stay the target's
// own.
//
// With R the rotation of a bone in model space, ₀ at rest, F = `rotation` and A = 1 unless rests are aligned:
//
//   R_onto(t) = F · R_from(t) · R_from₀⁻¹ · F⁻¹ · A · R_onto₀
//
// A bone without a partner stays as it rests under its parent; what it did in `from` reaches the bones below it, since
// theirs are rotations in model space. The hips and what is above them also travel: their way from where they rest,
// times `scale`. Both models must stand in the same rest pose (all T, all A), or `align_rests` makes them.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// What names and sizes do not tell of the two skeletons.
struct RetargetSettings {
  // Partners that names do not tell: {bone of `from`, bone of `onto`}, the namespace may be left out. An empty second
  // name: none. The others are matched as NameMatching::aliases says.
  std::vector<std::pair<std::string, std::string>> bones = {};
  // What ways are multiplied by. Nothing: the ratio of the heights of the hips above the lowest bone below them.
  std::optional<double> scale = {};
  // Bones of `onto` that travel besides the hips and what is above them; "*": all.
  std::vector<std::string> travelling = {};
  // Turns the limbs of `onto` at rest to where those of `from` point, from each bone to the one partner that follows
  // it.
  bool align_rests = false;
  // How the model space of `from` lies in that of `onto`, for models that face another way.
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
};

// The clips for the other skeleton, and what was said about them.
struct Retargeted {
  // For the bones and meshes of `onto`: linear keys where the source has keys, denser where it is curved; rotations in
  // one hemisphere. Names, events and loop flags are the source's.
  std::vector<Clip> clips;
  std::vector<std::string> notes;  // what had no partner, what was left out: one line each
  double scale = 1.0;              // as used
};

// Refused: no clips, no bone in common, hips without a partner, a name in the settings that is no bone, a scale that is
// not above zero.
Result<Retargeted> retarget(const Model& from, const Model& onto, const RetargetSettings& settings = {});

}  // namespace throng
