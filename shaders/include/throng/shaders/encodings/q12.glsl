// SPDX-License-Identifier: Apache-2.0
// q12: smallest-three quaternion of 15 bits, position of 16, one scale. The twin of character/src/encodings/q12.cpp,
// which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_Q12_GLSL
#define THRONG_SHADERS_ENCODINGS_Q12_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

BoneSample decode_q12(uvec3 words, CodecRange range) {
  vec3 three = vec3(snorm_field(words.x, 16, 15), snorm_field(words.y, 16, 15), snorm_field(words.z, 16, 15));
  vec3 fraction = vec3(unorm_field(words.x, 0, 16), unorm_field(words.y, 0, 16), unorm_field(words.z, 0, 16));
  uint left_out = (words.x >> 31) | ((words.y >> 31) << 1);
  return make_bone(decode_smallest_three(three, left_out), decode_position(fraction, range), range.scale_max);
}

#endif
