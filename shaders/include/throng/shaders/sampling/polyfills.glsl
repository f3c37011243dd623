// SPDX-License-Identifier: Apache-2.0
// Functions that GLSL has, and neither ESSL 300 nor HLSL.
#ifndef THRONG_SHADERS_POLYFILLS_GLSL
#define THRONG_SHADERS_POLYFILLS_GLSL

// The high 32 bits of a 32 × 32 bit product, by halves: no sum here leaves 32 bits.
uint mul_high(uint a, uint b) {
  uint a_low = a & 0xFFFFu;
  uint a_high = a >> 16;
  uint b_low = b & 0xFFFFu;
  uint b_high = b >> 16;
  uint upper = a_high * b_low + ((a_low * b_low) >> 16);
  uint lower = a_low * b_high + (upper & 0xFFFFu);
  return a_high * b_high + (upper >> 16) + (lower >> 16);
}

#if !defined(GL_ES) || __VERSION__ < 310
uint bitfieldExtract(uint value, int first, int count) { return (value << (32 - first - count)) >> (32 - count); }
int bitfieldExtract(int value, int first, int count) { return (value << (32 - first - count)) >> (32 - count); }

vec4 unpackUnorm4x8(uint word) {
  return vec4(float(word & 0xFFu), float((word >> 8) & 0xFFu), float((word >> 16) & 0xFFu), float(word >> 24)) / 255.0;
}
#endif

#endif
