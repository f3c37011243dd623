// SPDX-License-Identifier: Apache-2.0
// What vertex encodings decode to, and what several of them share. Knows no bindings and no textures.
#ifndef THRONG_SHADERS_VERTEX_SAMPLES_GLSL
#define THRONG_SHADERS_VERTEX_SAMPLES_GLSL
#include "throng/shaders/sampling/fields.glsl"

struct VertexSample {
  vec3 position;
  vec3 normal;
};

VertexSample make_vertex(vec3 position, vec3 normal) {
  VertexSample made;
  made.position = position;
  made.normal = normal;
  return made;
}

vec3 decode_octahedral(vec2 at) {
  float z = 1.0 - abs(at.x) - abs(at.y);
  vec2 side = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
  return normalize(vec3(z < 0.0 ? (1.0 - abs(at.yx)) * side : at, z));
}

float decode_side(uint word) { return (word >> 31) != 0u ? -1.0 : 1.0; }

#endif
