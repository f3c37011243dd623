// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace throng {

// How the bones of a vertex are blended. Linear: the weighted mean of their matrices, which loses volume where bones
// meet at an angle and all of it where one twists by 180 degrees. Dual quaternions: of their rotations and places,
// which keeps it. throng/pose/pose.h has the formulas.
enum class SkinMethod : std::uint8_t { linear, dual_quaternion };

}  // namespace throng
