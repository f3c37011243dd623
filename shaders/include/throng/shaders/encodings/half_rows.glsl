// SPDX-License-Identifier: Apache-2.0
// half-rows: the classic 3 × RGBA16F. The twin of character/src/encodings/half_rows.cpp, which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_HALF_ROWS_GLSL
#define THRONG_SHADERS_ENCODINGS_HALF_ROWS_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

AffineSample decode_half_rows(uvec4 first, uvec2 last) {
  return affine_of_rows(four_halves(first.xy), four_halves(first.zw), four_halves(last));
}

#endif
