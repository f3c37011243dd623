#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
// A level of a depth pyramid from the one before, or from depth of one sample.
#include "throng/shaders/passes/depth_pyramid.glsl"

layout(set = 0, binding = 0) uniform texture2D finer;

float farthest_at(ivec2 texel) { return batch.sign * texelFetch(finer, texel, 0).x; }

void main() { reduce(); }
