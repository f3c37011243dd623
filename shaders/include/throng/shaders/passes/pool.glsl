// SPDX-License-Identifier: Apache-2.0
// A skinned vertex in the pool, between the skinning pass and the passes that draw: four words, position and normal;
// and one more, elsewhere, for the tangent of models that have them. In world space.
#ifndef THRONG_SHADERS_POOL_GLSL
#define THRONG_SHADERS_POOL_GLSL
#include "throng/shaders/sampling/vertex_codecs.glsl"

vec2 encode_octahedral(vec3 direction) {
  vec2 d = direction.xy * (1.0 / (abs(direction.x) + abs(direction.y) + abs(direction.z)));
  vec2 beyond = uintBitsToFloat(floatBitsToUint(1.0 - abs(d.yx)) | (floatBitsToUint(d) & 0x80000000u));
  return direction.z < 0.0 ? beyond : d;
}

// Packs as packSnorm2x16 packs numbers from −1 to 1, without what that does for others. Added to 1.5 · 2^23, a float's
// last bits are a whole number.
uint pack_two_snorm(vec2 v) {
  uvec2 bits = floatBitsToUint(v * 32767.0 + 12582912.0);
  return (bits.x & 0xFFFFu) | (bits.y << 16);
}

uvec4 pack_pooled(vec3 position, vec3 normal) {
  return uvec4(floatBitsToUint(position), pack_two_snorm(encode_octahedral(normal)));
}

vec3 pooled_position(uvec4 words) { return uintBitsToFloat(words.xyz); }
vec3 pooled_normal(uvec4 words) { return decode_octahedral(unpackSnorm2x16(words.w)); }

// The side takes the lowest bit of the second number.
uint pack_pooled_tangent(vec4 tangent) {
  uint word = pack_two_snorm(encode_octahedral(tangent.xyz));
  return (word & ~0x10000u) | (tangent.w < 0.0 ? 0x10000u : 0u);
}

vec4 pooled_tangent(uint word) {
  return vec4(decode_octahedral(unpackSnorm2x16(word)), (word & 0x10000u) != 0u ? -1.0 : 1.0);
}

#endif
