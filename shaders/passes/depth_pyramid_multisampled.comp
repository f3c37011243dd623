#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
// The first level of a depth pyramid from multisampled depth: what one sample sees past, is seen.
#include "throng/shaders/passes/depth_pyramid.glsl"

layout(set = 0, binding = 0) uniform texture2DMS finer;

float farthest_at(ivec2 texel) {
  float farthest = 3.0e38;
  for (uint i = 0u; i < batch.samples; ++i) farthest = min(farthest, batch.sign * texelFetch(finer, texel, int(i)).x);
  return farthest;
}

void main() { reduce(); }
