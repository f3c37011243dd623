// SPDX-License-Identifier: Apache-2.0
// q8: smallest-three quaternion of 11 bits, position of 10/10/9, one scale. The twin of character/src/encodings/q8.cpp,
// which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_Q8_GLSL
#define THRONG_SHADERS_ENCODINGS_Q8_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

// The frame's origin (the three floats before its first column) is for the caller to add to the position.
BoneSample decode_q8(uvec2 words, CodecRange range) {
  vec3 three = vec3(snorm_field(words.x, 0, 11), snorm_field(words.x, 11, 11), snorm_field(words.y, 0, 11));
  vec3 fraction = vec3(unorm_field(words.x, 22, 10), unorm_field(words.y, 13, 10), unorm_field(words.y, 23, 9));
  return make_bone(decode_smallest_three(three, bitfieldExtract(words.y, 11, 2)), decode_position(fraction, range),
                   range.scale_max);
}

#endif
