#pragma once
// The bone encodings: a bone's movement ↔ the words of one item. Pure functions on values; the shader's twin is
// shaders/include/throng/shaders/bone_codecs.glsl, and a test compares the two over the whole range of every field.
//
// A vertex moves to  scale · R (v − pivot) + position  (BoneSample), or  linear · (v − pivot) + position
// (AffineSample); `position` is where the pivot goes. The documents' half-float layouts have their pivot at the origin.
//
// The words of one item, bit 0 lowest. `sN` is SNORM in N bits of two's complement: max(i / (2^(N−1) − 1), −1). `uN` is
// UNORM in N bits: i / (2^N − 1). Positions are u of the box (pivot_min + pivot_size · u), scales are u of scale_max.
// a b c: the three components of the quaternion that are not left out, in the order x y z w, each s / √2; `out`: which
// one is (0 x, 1 y, 2 z, 3 w); it is √(1 − a² − b² − c²) (0 where that is negative).
//
//   encoding         word  bits
//   q16              0     0–15 x s16 · 16–31 y s16                                  (of the quaternion)
//                    1     0–15 z s16 · 16–31 w s16
//                    2     0–15 position x u16 · 16–31 position y u16
//                    3     0–15 position z u16 · 16–31 scale u16
//   x16              0     0–17 a s18 · 18–31 position y u20, its low 14 bits
//                    1     0–17 b s18 · 18–31 position z u20, its low 14 bits
//                    2     0–17 c s18 · 18–23 position y, high 6 · 24–29 position z, high 6 · 30–31 out
//                    3     0–19 position x u20 · 20–31 scale u12
//   q12              0     0–15 position x u16 · 16–30 a s15 · 31 out, its low bit
//                    1     0–15 position y u16 · 16–30 b s15 · 31 out, its high bit
//                    2     0–15 position z u16 · 16–30 c s15 · 31 is 0
//   q8               0     0–10 a s11 · 11–21 b s11 · 22–31 position x u10
//                    1     0–10 c s11 · 11–12 out · 13–22 position y u10 · 23–31 position z u9
//   rows             2r    0–15 linear[r][0] s16 · 16–31 linear[r][1] s16            (row r; s of scale_max)
//                    2r+1  0–15 linear[r][2] s16 · 16–31 position[r] u16
//   half-quaternion  0, 1  RGBA16F: quaternion x y z w            (word 0: r 0–15, g 16–31; word 1: b, a)
//                    2, 3  RGBA16F: position x y z, scale
//   half-rows        2r…   RGBA16F: linear[r][0], linear[r][1], linear[r][2], position[r]
//   local8           0, 1  a rotation slot: as words 0 and 1 of q16
//                    0, 1  a translation slot: as words 2 and 3 of q16, all four min + size · u of the slot

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>

#include "throng/character/encoding.h"

namespace throng {

struct BoneSample {
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 position{0.0};
  double scale = 1.0;
};

struct AffineSample {
  glm::dmat3 linear{1.0};
  glm::dvec3 position{0.0};
};

// What the integers of one clip are measured in; numbers that are exact as floats. q8 measures positions per column and
// local8 per slot, in boxes of the asset's table; the rest by the clip's.
struct ClipRange {
  glm::dvec3 pivot_min{0.0};
  glm::dvec3 pivot_size{0.0};
  double scale_max = 1.0;  // rows: the largest entry of `linear`; q12, q8: the one scale
};

// q16, x16, q12, q8, half_quaternion. `words` holds words_per_item of them. A quaternion is of unit length only to
// within its rounding until interpolate() normalises it. For q8, positions are those in the column's box: the caller
// takes the frame's origin off before and adds it after.
void encode_bone(Encoding encoding, const BoneSample& sample, const ClipRange& range, std::span<std::uint32_t> words);
BoneSample decode_bone(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range);

// rows, half_rows.
void encode_affine(Encoding encoding, const AffineSample& sample, const ClipRange& range,
                   std::span<std::uint32_t> words);
AffineSample decode_affine(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range);

// local8: a rotation slot, and a translation slot (with the bone's scale); two words each. `range` is the slot's: its
// minimum and size, scale from scale_min to scale_min + scale_size.
struct SlotRange {
  glm::dvec4 min{0.0};   // xyz: translation, w: scale
  glm::dvec4 size{0.0};  // …
};
void encode_rotation_slot(const glm::dquat& rotation, std::span<std::uint32_t, 2> words);
glm::dquat decode_rotation_slot(std::span<const std::uint32_t, 2> words);
void encode_translation_slot(const glm::dvec3& translation, double scale, const SlotRange& range,
                             std::span<std::uint32_t, 2> words);
glm::dvec4 decode_translation_slot(std::span<const std::uint32_t, 2> words, const SlotRange& range);

// Between two frames as shaders do it: the second quaternion brought into the first's hemisphere, all mixed linearly,
// the quaternion normalised.
BoneSample interpolate(const BoneSample& from, const BoneSample& to, double blend);
AffineSample interpolate(const AffineSample& from, const AffineSample& to, double blend);

}  // namespace throng
