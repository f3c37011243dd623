// SPDX-License-Identifier: Apache-2.0
// The library's words in GLSL 450 and later.
#ifndef THRONG_SHADERS_LANGUAGE_GLSL
#define THRONG_SHADERS_LANGUAGE_GLSL
#include "throng/shaders/sampling/language_gl.glsl"

// The high 32 bits of a 32 × 32 bit product.
uint mul_high(uint a, uint b) {
  uint high;
  uint low;
  umulExtended(a, b, high, low);
  return high;
}

#endif
