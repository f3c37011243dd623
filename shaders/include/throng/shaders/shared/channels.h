// SPDX-License-Identifier: Apache-2.0
// localv, bit by bit, written once for C++ and shaders. docs/asset-format.md#localv tells it to others.
//
// A *slot* is something of a character that moves in any clip: a bone's rotation, its translation or its scale. What a
// slot does in one clip is a *channel*: three components, each a whole number of steps counted from a base, in as many
// bits as the clip needs. Words of a clip, from its first on:
//
//   slot table    16 bits a slot, two in a word, the lower half first: the word of its channel; kNoChannel: at rest
//   channels      kChannelWords each, rotations kRotationWords, and one more with kFourComponents
//   frame map     one word for each interval of the clip, where not every frame is stored
//   frames        so many words each: the components of a channel follow one another from its bit on, bit 0 lowest
//
// Words of a channel:
//
//   0, 1, 2   component x, y, z: bits 0–20 base (two's complement), 21–25 width, 26–31 a third of its first bit
//   3         the step, a float; of a rotation: bits 0–14 and 15–29 a and b of its mean, 30–31 which is left out
//   4         of a rotation: bits 0–14 c of its mean, 15 kFourComponents, 16–31 the upper half of the step, a float
//   5         of a rotation with kFourComponents: component w, as 0
//
// A component is step · (base + bits). A translation or scale is its components. A rotation is mean · d, where d has
// these components x, y, z and w = √(1 − x² − y² − z²), never negative, or the w that is stored. The mean's a, b, c are
// (field − 16383) / (16383 · √2); the component left out is positive.
#ifndef THRONG_SHADERS_CHANNELS_H
#define THRONG_SHADERS_CHANNELS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kNoChannel, 0xFFFFu);
THRONG_CONSTANT(uint, kAtRest, 0xFFFFFFFFu);  // of a channel's place among all words: there is none
THRONG_CONSTANT(uint, kChannelWords, 4u);
THRONG_CONSTANT(uint, kRotationWords, 5u);
THRONG_CONSTANT(uint, kFourComponents, 0x8000u);  // of word 4: w is stored too, for what turns right round
THRONG_CONSTANT(uint, kBaseBits, 21u);
THRONG_CONSTANT(uint, kMostWidth, 22u);            // bits of a component
THRONG_CONSTANT(uint, kSameAsX, 31u);              // the width of y and z of a scale that is one number: they are as x
THRONG_CONSTANT(uint, kChannelBits, 18u);          // of the number of a bit in a frame
THRONG_CONSTANT(float, kMeanStep, 4.3161007e-5f);  // 1 / (16383 · √2)

// Which stored frames a moment is between, and how far on the way.
struct StoredFrames {
  uint from;
  uint to;
  float blend;
};

// A word of the frame map: bits 0–15 the stored frame before the interval, 16–23 how many intervals before this one the
// way from it began, 24–31 how many it takes to the next stored one.
THRONG_FUNCTION StoredFrames stored_frames(uint map, uint stored_count, float blend) {
  StoredFrames between;
  uint from = map & 0xFFFFu;
  between.from = from;
  between.to = from + 1u < stored_count ? from + 1u : 0u;
  between.blend = (THRONG_FLOAT((map >> 16) & 0xFFu) + blend) / THRONG_FLOAT(map >> 24);
  return between;
}

// A component's word.
THRONG_FUNCTION uint channel_width(uint word) { return (word >> 21) & 31u; }
THRONG_FUNCTION float channel_base(uint word) {
  return THRONG_FLOAT(word & 0x1FFFFFu) - ((word & 0x100000u) != 0u ? 2097152.0f : 0.0f);
}

// The first bit of a channel in a frame.
THRONG_FUNCTION uint channel_bit(uint x, uint y, uint z) { return (x >> 26) | ((y >> 26) << 6) | ((z >> 26) << 12); }

// Up to 31 bits from bit `shift` (0 to 31) of two neighbouring words on.
THRONG_FUNCTION uint bits_at(uint low, uint high, uint shift, uint width) {
  uint bits = (low >> shift) | ((high << 1) << (31u - shift));
  return bits & ((1u << width) - 1u);
}

// Two unit quaternions mixed linearly turn slower at the ends of the way than in its middle; mixed by this instead of
// `blend` they turn evenly, as the source's curves do. `cosine`: their scalar product, from 0.5 to 1. Fitted to
// sin(bΩ) / (sin(bΩ) + sin((1 − b)Ω)); off by 2.5e-5 radians at most where frames are up to 120° apart.
THRONG_FUNCTION float turned_blend(float cosine, float blend) {
  float e = 1.0f - cosine;
  float middle = blend - 0.5f;
  float even = 0.66886830f + e * (0.12064277f + e * 0.057646540f);
  float bent = 0.032105980f + e * (0.35166569f + e * 0.60589199f);
  return blend + blend * middle * (blend - 1.0f) * (e * (even + middle * middle * bent));
}

// x y z w of a rotation's mean.
THRONG_FUNCTION float mean_component(uint field) { return (THRONG_FLOAT(field) - 16383.0f) * kMeanStep; }
THRONG_FUNCTION vec4 rotation_mean(uint word_3, uint word_4) {
  float a = mean_component(word_3 & 0x7FFFu);
  float b = mean_component((word_3 >> 15) & 0x7FFFu);
  float c = mean_component(word_4 & 0x7FFFu);
  float square = 1.0f - (a * a + b * b + c * c);
  float rest = square > 0.0f ? THRONG_SQRT(square) : 0.0f;
  uint left_out = word_3 >> 30;
  if (left_out == 0u) return vec4(rest, a, b, c);
  if (left_out == 1u) return vec4(a, rest, b, c);
  return left_out == 2u ? vec4(a, b, rest, c) : vec4(a, b, c, rest);
}

THRONG_NAMESPACE_END
#endif
