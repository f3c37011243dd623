// SPDX-License-Identifier: Apache-2.0
#pragma once
// The transforms of four bones in registers, and what the jobs that mix poses ask of their spans.

#include <span>

#include "throng/animator/rig.h"
#include "throng/math/simd/float4.h"

namespace throng::detail::animator::soa {

using namespace simd;
using simd::load;
using simd::store;

// The transforms of four bones.
struct Lanes {
  Vectors4 translation;
  Quaternions4 rotation;
  Vectors4 scale;
};

inline Lanes load(const SoaTransform& group) {
  return {load_vectors(group.translation), load_quaternions(group.rotation), load_vectors(group.scale)};
}
inline void store(SoaTransform& to, const Lanes& lanes) {
  store(to.translation, lanes.translation);
  store(to.rotation, lanes.rotation);
  store(to.scale, lanes.scale);
}

template <class Mask>
Vectors4 chosen(Mask mask, const Vectors4& a, const Vectors4& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}
template <class Mask>
Quaternions4 chosen(Mask mask, const Quaternions4& a, const Quaternions4& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z, mask ? a.w : b.w};
}

// How much of something reaches the four bones of a group.
inline Float4 masked(std::span<const float> mask, std::size_t group) {
  return mask.empty() ? splat(1.0f) : load(mask.data() + 4 * group);
}

inline bool mask_fits(const Rig& rig, std::span<const float> mask) {
  return mask.empty() || mask.size() >= 4 * rig.group_count();
}
inline bool morphs_fit(const Rig& rig, std::span<const float> morphs) {
  return morphs.empty() || morphs.size() >= rig.morph_count();
}

}  // namespace throng::detail::animator::soa
