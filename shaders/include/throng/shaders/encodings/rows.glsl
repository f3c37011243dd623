// SPDX-License-Identifier: Apache-2.0
// rows: a matrix of 16 bits an entry. The twin of character/src/encodings/rows.cpp, which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_ROWS_GLSL
#define THRONG_SHADERS_ENCODINGS_ROWS_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

// One row of rows: what is multiplied with the vertex, and added.
vec4 decode_row(uvec2 words, float box_min, float box_size, float scale_max) {
  vec3 entries = vec3(snorm16_pair(words.x), snorm_field(words.y, 0, 16)) * scale_max;
  return vec4(entries, box_min + unorm_field(words.y, 16, 16) * box_size);
}

AffineSample decode_rows(uvec4 first, uvec2 last, CodecRange range) {
  return affine_of_rows(decode_row(first.xy, range.box_min.x, range.box_size.x, range.scale_max),
                        decode_row(first.zw, range.box_min.y, range.box_size.y, range.scale_max),
                        decode_row(last, range.box_min.z, range.box_size.z, range.scale_max));
}

#endif
