// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the GPU made of a bake, against the source's own curves in double.

#include "skinning_check.h"
#include "throng/model/model.h"

namespace throng::test {

// Instances of every clip at `moments` moments each, and at the very end of those that have one. (A loop has none: what
// lies there is its first frame.)
Cast every_clip(const Character& model, std::uint32_t moments);

struct Compared {
  std::size_t positions = 0;
  std::size_t normals = 0;
};

// Every vertex, within what the bake says it is off by, until one is too far. Returns how many were compared.
Compared compare_with_source(const Model& model, const Character& baked, const Cast& instances,
                             const SkinnedCrowd& crowd);

}  // namespace throng::test
