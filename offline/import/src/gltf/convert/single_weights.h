// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves that each move the weight of one morph target, with key times of their own, become one curve of all targets.

#include <cstdint>
#include <vector>

#include "throng/model/model.h"

namespace throng::detail::gltf {

// One value a key, three in a cubic spline; at least one key.
struct SingleWeight {
  std::size_t target = 0;
  Curve<float> weights;
};

// Keys wherever one of the curves has one, which lose nothing: lines and cubics are cut where others have keys, and
// where they go together with steps, a step is two keys one float apart. Targets without a curve stay at `rest`;
// curves of targets beyond it are left out.
Curve<float> joined_weights(const std::vector<float>& rest, const std::vector<SingleWeight>& singles);

// The most bytes that a curve takes in what they are joined to, by its keys and by how many targets there are.
std::uint64_t joined_weight_bytes(std::uint64_t keys, std::uint64_t targets);

}  // namespace throng::detail::gltf
