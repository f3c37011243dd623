// SPDX-License-Identifier: Apache-2.0
// local8: slots relative to the parent; a rotation slot is decode_quaternion(). The twin of
// character/src/encodings/local8.cpp, which says what the bits mean.
#ifndef THRONG_SHADERS_ENCODINGS_LOCAL8_GLSL
#define THRONG_SHADERS_ENCODINGS_LOCAL8_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"

// A translation slot of local8: xyz and scale. `slot_min` and `slot_size` are its rows of the table.
vec4 decode_translation_slot(uvec2 words, vec4 slot_min, vec4 slot_size) {
  return slot_min + vec4(unorm16_pair(words.x), unorm16_pair(words.y)) * slot_size;
}

#endif
