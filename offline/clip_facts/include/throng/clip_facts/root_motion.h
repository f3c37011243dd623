// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip's root motion, told apart from its poses.
//
// The ground under a character moves with its root bone: by what the bone moves in x and z and by how far it rotates
// about +Y, counted from the clip's first pose. What is left is the pose; height and leaning stay in it. The yaw is
// that of the rotation about +Y nearest to the bone's own (the twist of a swing-twist decomposition), so no axis of the
// bone needs to be level. It is not defined while the bone hangs exactly upside down, and changes quickly near that.

#include <span>
#include <vector>

#include "throng/math/ground_since.h"
#include "throng/pose/pose.h"

namespace throng {

// How the root bone stands where a clip begins.
struct RootPath {
  std::uint32_t bone = 0;
  GroundStart start = {};                 // the bone at the clip's first pose
  GroundMotion over_seam = {};            // an open loop: from the last pose to the first one again
  std::vector<std::uint32_t> chain = {};  // the bone and what it hangs on, root first
};

// The bone and what it hangs on, root first.
std::vector<std::uint32_t> chain_to(const Model& model, std::uint32_t bone);

// The way of a bone over the ground, all through a clip.
RootPath root_path(const Model& model, const Clip& clip, std::uint32_t bone);

// The clip without the tracks that do not move the bone, to sample quickly.
Clip only_chain(const Model& model, const Clip& clip, std::uint32_t bone);

// Where the ground is in a pose of the clip; the yaw is in [−π, π].
GroundMotion ground_of(const Pose& pose, const RootPath& path);

// The pose as seen from the ground: to_matrix(ground) · what it becomes = what it was.
void take_off(const Model& model, const GroundMotion& ground, Pose& pose);

// The root motion at ascending times, in seconds from the clip's first pose, the first of them 0. Times past the clip's
// end lie on the `seam` seconds of an open loop. The yaw is continuous.
std::vector<GroundMotion> sample_root(const Model& model, const Clip& clip, const RootPath& path, double seam,
                                      std::span<const double> times);

}  // namespace throng
