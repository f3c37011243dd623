// SPDX-License-Identifier: Apache-2.0
// half-quaternion: the classic 2 × RGBA16F. The twin of character/src/encodings/half_quaternion.cpp, which says what
// the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_HALF_QUATERNION_GLSL
#define THRONG_SHADERS_ENCODINGS_HALF_QUATERNION_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

BoneSample decode_half_quaternion(uvec4 words) {
  vec4 translation = four_halves(words.zw);
  return make_bone(four_halves(words.xy), translation.xyz, translation.w);
}

#endif
