// SPDX-License-Identifier: Apache-2.0
// x16: smallest-three quaternion of 18 bits, position of 20, scale of 12. The twin of character/src/encodings/x16.cpp,
// which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_X16_GLSL
#define THRONG_SHADERS_ENCODINGS_X16_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

BoneSample decode_x16(uvec4 words, CodecRange range) {
  vec3 three = vec3(snorm_field(words.x, 0, 18), snorm_field(words.y, 0, 18), snorm_field(words.z, 0, 18));
  uint y = (words.x >> 18) | (bitfieldExtract(words.z, 18, 6) << 14);
  uint z = (words.y >> 18) | (bitfieldExtract(words.z, 24, 6) << 14);
  vec3 fraction = vec3(unorm_field(words.w, 0, 20), unorm_of(y, 20), unorm_of(z, 20));
  return make_bone(decode_smallest_three(three, words.z >> 30), decode_position(fraction, range),
                   unorm_field(words.w, 20, 12) * range.scale_max);
}

#endif
