// SPDX-License-Identifier: Apache-2.0
// The vertex encodings: words of an animation texture → a vertex in model space. Knows no bindings and no textures.
// Each has a file in encodings/, the twin of its C++ in character/src/encodings; a test compares the two.
#ifndef THRONG_SHADERS_VERTEX_CODECS_GLSL
#define THRONG_SHADERS_VERTEX_CODECS_GLSL
#include "throng/shaders/encodings/half_vertex.glsl"
#include "throng/shaders/encodings/rgbm.glsl"
#include "throng/shaders/encodings/v8.glsl"

// Where nothing is left to normalise, the first's direction.
vec3 mix_directions(vec3 from, vec3 to, float blend) {
  vec3 mixed = mix(from, to, blend);
  float length_squared = dot(mixed, mixed);
  return length_squared > 1e-20 ? mixed * inversesqrt(length_squared) : from;
}

VertexSample mix_vertices(VertexSample from, VertexSample to, float blend) {
  return make_vertex(mix(from.position, to.position, blend), mix_directions(from.normal, to.normal, blend));
}

// The side is the first's.
vec4 mix_tangents(vec4 from, vec4 to, float blend) { return vec4(mix_directions(from.xyz, to.xyz, blend), from.w); }

#endif
