// SPDX-License-Identifier: Apache-2.0
// half-vertex: the classic 2 × RGBA16F. The twin of character/src/encodings/half_vertex.cpp, which says what the bits
// mean.
#ifndef THRONG_SHADERS_ENCODINGS_HALF_VERTEX_GLSL
#define THRONG_SHADERS_ENCODINGS_HALF_VERTEX_GLSL
#include "throng/shaders/sampling/vertex_samples.glsl"

VertexSample decode_half_vertex(uvec4 words) {
  return make_vertex(four_halves(words.xy).xyz, four_halves(words.zw).xyz);
}

vec4 decode_half_tangent(uvec2 words) {
  vec4 tangent = four_halves(words);
  return vec4(tangent.xyz, tangent.w < 0.0 ? -1.0 : 1.0);
}

#endif
