// SPDX-License-Identifier: Apache-2.0
// What a speck's vertex shader tells its fragment shader, in as few words as will do: with 28 numbers a corner instead
// of these 14 a card took three times as long on a large GPU.
#ifndef THRONG_SHADERS_SPECK_LOOKS_GLSL
#define THRONG_SHADERS_SPECK_LOOKS_GLSL
#include "throng/shaders/passes/pool.glsl"
#include "throng/shaders/shared/speck.h"

// A band's colour, linear, from 0 to 1: roots, which are what an eye sees alike, in 11, 11 and 10 bits.
uint pack_band(vec3 colour) {
  uvec3 fields = uvec3(sqrt(clamp(colour, 0.0, 1.0)) * vec3(2047.0, 2047.0, 1023.0) + 0.5);
  return fields.x | (fields.y << 11) | (fields.z << 22);
}

vec3 unpack_band(uint word) {
  vec3 roots = vec3(word & 0x7FFu, (word >> 11) & 0x7FFu, word >> 22) / vec3(2047.0, 2047.0, 1023.0);
  return roots * roots;
}

uint pack_direction(vec3 direction) { return pack_two_snorm(encode_octahedral(direction)); }
vec3 unpack_direction(uint word) { return decode_octahedral(unpackSnorm2x16(word)); }

#endif
