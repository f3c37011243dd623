// SPDX-License-Identifier: Apache-2.0
// rgbm: RGBA8 with a shared multiplier. The twin of character/src/encodings/rgbm.cpp, which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_RGBM_GLSL
#define THRONG_SHADERS_ENCODINGS_RGBM_GLSL
#include "throng/shaders/sampling/vertex_samples.glsl"

// rgb · m, with m in `count` bits.
vec3 decode_rgbm(uint word, int count) {
  uvec3 rgb = uvec3(bitfieldExtract(word, 0, 8), bitfieldExtract(word, 8, 8), bitfieldExtract(word, 16, 8));
  return vec3(rgb * bitfieldExtract(word, 24, count)) / float(255u * ((1u << count) - 1u));
}

VertexSample decode_rgbm_vertex(uvec2 words, vec3 box_min, vec3 box_size) {
  return make_vertex(box_min + decode_rgbm(words.x, 8) * box_size, decode_rgbm(words.y, 8) * 2.0 - 1.0);
}

vec4 decode_rgbm_tangent(uint word) { return vec4(decode_rgbm(word, 7) * 2.0 - 1.0, decode_side(word)); }

#endif
