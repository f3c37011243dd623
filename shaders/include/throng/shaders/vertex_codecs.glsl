// The vertex encodings: words of an animation texture → a vertex in model space. Knows no bindings and no textures. What the bits
// mean is in throng/character/vertex_codecs.h, whose functions, in double, are the twins of these; a test compares the two.
#ifndef THRONG_SHADERS_VERTEX_CODECS_GLSL
#define THRONG_SHADERS_VERTEX_CODECS_GLSL
#include "throng/shaders/fields.glsl"

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

VertexSample decode_v8(uvec2 words, vec3 box_min, vec3 box_size) {
  uint z = (words.x >> 25) | ((words.y >> 25) << 7);
  vec3 fraction = vec3(unorm_field(words.x, 0, 14), unorm_field(words.y, 0, 14), unorm_of(z, 14));
  vec2 normal = vec2(snorm_field(words.x, 14, 11), snorm_field(words.y, 14, 11));
  return make_vertex(box_min + fraction * box_size, decode_octahedral(normal));
}

vec4 decode_v8_tangent(uint word) {
  return vec4(decode_octahedral(vec2(snorm_field(word, 0, 15), snorm_field(word, 15, 15))), decode_side(word));
}

VertexSample decode_half_vertex(uvec4 words) {
  return make_vertex(four_halves(words.xy).xyz, four_halves(words.zw).xyz);
}

vec4 decode_half_tangent(uvec2 words) {
  vec4 tangent = four_halves(words);
  return vec4(tangent.xyz, tangent.w < 0.0 ? -1.0 : 1.0);
}

// rgb · m, with m in `count` bits.
vec3 decode_rgbm(uint word, int count) {
  uvec3 rgb = uvec3(bitfieldExtract(word, 0, 8), bitfieldExtract(word, 8, 8), bitfieldExtract(word, 16, 8));
  return vec3(rgb * bitfieldExtract(word, 24, count)) / float(255u * ((1u << count) - 1u));
}

VertexSample decode_rgbm_vertex(uvec2 words, vec3 box_min, vec3 box_size) {
  return make_vertex(box_min + decode_rgbm(words.x, 8) * box_size, decode_rgbm(words.y, 8) * 2.0 - 1.0);
}

vec4 decode_rgbm_tangent(uint word) { return vec4(decode_rgbm(word, 7) * 2.0 - 1.0, decode_side(word)); }

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
