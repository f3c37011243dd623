// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Rig holds.

#include "throng/animator/rig.h"

namespace throng {
namespace detail::animator {

// Numbers in the order of a walk that ends a bone's children before its next sibling: below a bone are those from its
// own number up to, and without, its end.
struct BoneOrder {
  std::vector<std::uint32_t> walk_number, walk_end;
  std::vector<std::uint32_t> last_below;  // the greatest bone below, or itself
};

}  // namespace detail::animator

struct Rig::State {
  explicit State(Motion its_motion) : motion(std::move(its_motion)) {}

  Motion motion;
  std::vector<std::string> bone_names;
  std::vector<std::int32_t> parents;
  detail::animator::BoneOrder order;
  std::vector<SoaTransform> rest;
  std::vector<Affine> rest_models;
  std::vector<RigClip> clips;
  std::vector<Affine> bone_from_meshes;
  std::vector<std::uint32_t> bound_bones;
};

}  // namespace throng
