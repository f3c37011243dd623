// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves → keys: what a clip's bones and morph targets do, as Motion stores it.

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/motion/compile_motion.h"

namespace throng::detail::motion {

// The keys of all clips so far, in the order of MotionData.
struct KeyStore {
  std::vector<std::uint32_t> lists;
  std::vector<float> times;
  std::vector<float> values;
  std::vector<float> root_paths;
};

// How far off the curves the keys may be.
struct KeyTolerances {
  double angle = 1e-4;     // radians
  double distance = 1e-5;  // in the model's units
  double factor = 1e-5;    // of scales and morph weights
};

// Where the root bone is in its parent when an open loop comes back to its first pose: a cycle further on.
struct RootEnd {
  std::uint32_t bone = 0;
  Transform parent_from_bone;
};

struct ClipToKey {
  const Clip& clip;
  double length;  // that of the clip or longer: the rest leads from its last pose back to its first
  std::optional<RootEnd> root_end = {};     // but for the root, if that goes on
  std::vector<BoneChannels> channels = {};  // of a clip in localv: bones that are covered have no keys
};

// Appends the keys of one clip: the list of what stands still, then as many more as this returns.
std::uint32_t compile_keys(const Model& model, const ClipToKey& clip, const KeyTolerances& tolerances, KeyStore& into);

}  // namespace throng::detail::motion
