// SPDX-License-Identifier: Apache-2.0
// Numbers in fields of a few bits: `count` bits of a word from bit `first` on. The C++ twin is
// character/src/encodings/bits.h.
#ifndef THRONG_SHADERS_FIELDS_GLSL
#define THRONG_SHADERS_FIELDS_GLSL
#include "throng/shaders/sampling/language.h"

float unorm_of(uint bits, int count) { return float(bits) / float((1u << count) - 1u); }
float unorm_field(uint word, int first, int count) { return unorm_of(bitfieldExtract(word, first, count), count); }

// The lowest integer reads as −1 too.
float snorm_field(uint word, int first, int count) {
  return max(float(bitfieldExtract(int(word), first, count)) / float((1 << (count - 1)) - 1), -1.0);
}

vec2 unorm16_pair(uint word) { return vec2(unorm_field(word, 0, 16), unorm_field(word, 16, 16)); }
vec2 snorm16_pair(uint word) { return vec2(snorm_field(word, 0, 16), snorm_field(word, 16, 16)); }

// An RGBA16F texel.
vec4 four_halves(uvec2 words) { return vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)); }

#endif
