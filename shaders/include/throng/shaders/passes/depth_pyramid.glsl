// SPDX-License-Identifier: Apache-2.0
// One level of a depth pyramid: each texel the farthest of the 2 × 2 under it. The pass says how one of those is read:
// float farthest_at(ivec2 texel).
#ifndef THRONG_SHADERS_DEPTH_PYRAMID_GLSL
#define THRONG_SHADERS_DEPTH_PYRAMID_GLSL
#include "throng/shaders/shared/depth_pyramid.h"

layout(local_size_x = kPyramidGroupSize, local_size_y = kPyramidGroupSize) in;

layout(set = 0, binding = 1, r32f) uniform writeonly image2D into;

layout(push_constant) uniform Batch { PyramidBatch batch; };

float farthest_at(ivec2 texel);

void reduce() {
  uvec2 to = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(to, batch.to_size))) return;
  float farthest = 3.0e38;
  for (uint i = 0u; i < 4u; ++i) {
    uvec2 from = 2u * to + uvec2(i & 1u, i >> 1);
    if (all(lessThan(from, batch.from_size))) farthest = min(farthest, farthest_at(ivec2(from)));
  }
  imageStore(into, ivec2(to), vec4(farthest));
}

#endif
