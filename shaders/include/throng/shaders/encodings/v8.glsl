// SPDX-License-Identifier: Apache-2.0
// v8: position of 14 bits, octahedral normal of 11, octahedral tangent of 15. The twin of
// character/src/encodings/v8.cpp, which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_V8_GLSL
#define THRONG_SHADERS_ENCODINGS_V8_GLSL
#include "throng/shaders/sampling/vertex_samples.glsl"

VertexSample decode_v8(uvec2 words, vec3 box_min, vec3 box_size) {
  uint z = (words.x >> 25) | ((words.y >> 25) << 7);
  vec3 fraction = vec3(unorm_field(words.x, 0, 14), unorm_field(words.y, 0, 14), unorm_of(z, 14));
  vec2 normal = vec2(snorm_field(words.x, 14, 11), snorm_field(words.y, 14, 11));
  return make_vertex(box_min + fraction * box_size, decode_octahedral(normal));
}

vec4 decode_v8_tangent(uint word) {
  return vec4(decode_octahedral(vec2(snorm_field(word, 0, 15), snorm_field(word, 15, 15))), decode_side(word));
}

#endif
