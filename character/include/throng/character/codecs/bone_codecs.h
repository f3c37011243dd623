// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bone encodings: a bone's movement ↔ the words of one item. Pure functions on values; the shader's twin is
// shaders/include/throng/shaders/sampling/bone_codecs.glsl; a test compares the two over the whole range of every
// field.
//
// A vertex moves to  scale · R (v − pivot) + position  (BoneSample), or  linear · (v − pivot) + position
// (AffineSample); `position` is where the pivot goes. The half-float layouts have their pivot at the origin.
//
// The words of one item, bit 0 lowest. `sN` is SNORM in N bits of two's complement: max(i / (2^(N−1) − 1), −1). `uN` is
// UNORM in N bits: i / (2^N − 1). Positions are u of the box (pivot_min + pivot_size · u), scales are u of scale_max.
// a b c: the three components of the quaternion that are not left out, in the order x y z w, each s / √2; `out`: which
// one is (0 x, 1 y, 2 z, 3 w); it is √(1 − a² − b² − c²) (0 where that is negative).
//
// What the bits of each are is written at the top of its file in character/src/encodings, and in docs/asset-format.md.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>

#include "throng/character/encoding.h"

namespace throng {

// A movement without shear and with one scale.
struct BoneSample {
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 position{0.0};
  double scale = 1.0;
};

// Any movement that a matrix of three by four can say.
struct AffineSample {
  glm::dmat3 linear{1.0};
  glm::dvec3 position{0.0};
};

// What the integers of one clip are measured in; numbers that are exact as floats. q8 measures positions per column and
// local8 per slot, in boxes of the character's table; the rest by the clip's.
struct ClipRange {
  glm::dvec3 pivot_min{0.0};
  glm::dvec3 pivot_size{0.0};
  double scale_max = 1.0;  // rows: the largest entry of `linear`; q12, q8: the one scale
};

// q16, x16, q12, q8, half_quaternion. `words` holds words_per_item of them. A quaternion is of unit length only to
// within its rounding until interpolate() normalises it. For q8, positions are those in the column's box: the caller
// takes the frame's origin off before and adds it after.
void encode_bone(Encoding encoding, const BoneSample& sample, const ClipRange& range, std::span<std::uint32_t> words);
// The movement that encode_bone() wrote, within the encoding's rounding.
BoneSample decode_bone(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range);

// rows, half_rows.
void encode_affine(Encoding encoding, const AffineSample& sample, const ClipRange& range,
                   std::span<std::uint32_t> words);
// The movement that encode_affine() wrote, within the encoding's rounding.
AffineSample decode_affine(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range);

// local8: a rotation slot, and a translation slot (with the bone's scale); two words each. `range` is the slot's: its
// minimum and size, scale from min.w to min.w + size.w.
struct SlotRange {
  glm::dvec4 min{0.0};   // xyz: translation, w: scale
  glm::dvec4 size{0.0};  // xyz: translation, w: scale
};
// A rotation of local8 in two words.
void encode_rotation_slot(const glm::dquat& rotation, std::span<std::uint32_t, 2> words);
// The rotation that encode_rotation_slot() wrote, within its rounding.
glm::dquat decode_rotation_slot(std::span<const std::uint32_t, 2> words);
// A translation and scale of local8 in two words.
void encode_translation_slot(const glm::dvec3& translation, double scale, const SlotRange& range,
                             std::span<std::uint32_t, 2> words);
// xyz: the translation, w: the scale that encode_translation_slot() wrote, within its rounding.
glm::dvec4 decode_translation_slot(std::span<const std::uint32_t, 2> words, const SlotRange& range);

// Between two frames as shaders do it: the second quaternion brought into the first's hemisphere, all mixed linearly,
// the quaternion normalised.
BoneSample interpolate(const BoneSample& from, const BoneSample& to, double blend);
AffineSample interpolate(const AffineSample& from, const AffineSample& to, double blend);

}  // namespace throng
