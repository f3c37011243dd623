// SPDX-License-Identifier: Apache-2.0
// A unit quaternion in 62 bits: its three smallest components as 20-bit numbers, and which one is left out. The error
// is below 5e-6 radians: a hundredth of a millimetre at the end of an arm.
#ifndef THRONG_SHADERS_ROTATION_H
#define THRONG_SHADERS_ROTATION_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(float, kRotationStep, 1.3487018e-6f);  // 1 / (524287 · √2)

THRONG_FUNCTION float rotation_component(uint field) { return (THRONG_FLOAT(field) - 524287.0f) * kRotationStep; }

// x y z w; the component left out (0 to 3: x to w) is positive.
THRONG_FUNCTION vec4 unpack_rotation(uvec2 words) {
  float a = rotation_component(words.x & 0xFFFFFu);
  float b = rotation_component((words.x >> 20) | ((words.y & 0xFFu) << 12));
  float c = rotation_component((words.y >> 8) & 0xFFFFFu);
  float square = 1.0f - (a * a + b * b + c * c);
  float rest = square > 0.0f ? THRONG_SQRT(square) : 0.0f;  // words that nobody packed must not become NaN
  uint left_out = (words.y >> 28) & 3u;
  if (left_out == 0u) return vec4(rest, a, b, c);
  if (left_out == 1u) return vec4(a, rest, b, c);
  return left_out == 2u ? vec4(a, b, rest, c) : vec4(a, b, c, rest);
}

THRONG_NAMESPACE_END
#endif
