// SPDX-License-Identifier: Apache-2.0
// q16: quaternion, position and scale of 16 bits. The twin of character/src/encodings/q16.cpp, which says what the bits
// mean.
#ifndef THRONG_SHADERS_ENCODINGS_Q16_GLSL
#define THRONG_SHADERS_ENCODINGS_Q16_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

BoneSample decode_q16(uvec4 words, CodecRange range) {
  vec4 fraction = vec4(unorm16_pair(words.z), unorm16_pair(words.w));
  return make_bone(decode_quaternion(words.xy), decode_position(fraction.xyz, range), fraction.w * range.scale_max);
}

#endif
