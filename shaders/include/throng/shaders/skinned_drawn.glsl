// SPDX-License-Identifier: Apache-2.0
// A vertex of a character of skinned.comp as the passes that draw see it (set 1).
#ifndef THRONG_SHADERS_SKINNED_DRAWN_GLSL
#define THRONG_SHADERS_SKINNED_DRAWN_GLSL
#include "throng/shaders/pool.glsl"
#include "throng/shaders/skinned.h"

layout(constant_id = 0) const uint kTangents = 0u;  // 1 or 0: whether the pool has any

layout(std430, set = 1, binding = 0) readonly buffer Characters { SkinnedCharacter characters[]; };
layout(std430, set = 1, binding = 1) readonly buffer DrawSlots { DrawSlot draw_slots[]; };
layout(std430, set = 1, binding = 2) readonly buffer Surfaces { uvec4 surfaces[]; };  // uv, colour
layout(std430, set = 1, binding = 3) readonly buffer Pool { uvec4 pool[]; };
layout(std430, set = 1, binding = 4) readonly buffer PoolTangents { uint pool_tangents[]; };

// w: side; zero where the mesh has none.
vec4 drawn_tangent(uint index) {
  uint word = kTangents != 0u ? pool_tangents[index] : kNoTangent;
  return word == kNoTangent ? vec4(0.0) : pooled_tangent(word);
}

#endif
