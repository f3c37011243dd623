// SPDX-License-Identifier: Apache-2.0
// What bone encodings decode to, and what several of them share. Knows no bindings and no textures.
#ifndef THRONG_SHADERS_BONE_SAMPLES_GLSL
#define THRONG_SHADERS_BONE_SAMPLES_GLSL
#include "throng/shaders/sampling/fields.glsl"

// v' = scale · rotation · (v − pivot) + position.
struct BoneSample {
  vec4 rotation;  // quaternion x y z w
  vec3 position;
  float scale;
};

// v' = basis · (v − pivot) + position.
struct AffineSample {
  mat3 basis;
  vec3 position;
};

// What a clip's integers are measured in; for q8 and local8 the box of one column or slot.
struct CodecRange {
  vec3 box_min;
  vec3 box_size;
  float scale_max;
};

BoneSample make_bone(vec4 rotation, vec3 position, float scale) {
  BoneSample made;
  made.rotation = rotation;
  made.position = position;
  made.scale = scale;
  return made;
}

AffineSample make_affine(mat3 basis, vec3 position) {
  AffineSample made;
  made.basis = basis;
  made.position = position;
  return made;
}

CodecRange make_range(vec3 box_min, vec3 box_size, float scale_max) {
  CodecRange made;
  made.box_min = box_min;
  made.box_size = box_size;
  made.scale_max = scale_max;
  return made;
}

vec4 decode_quaternion(uvec2 words) { return vec4(snorm16_pair(words.x), snorm16_pair(words.y)); }

// `fields`: the three components there are, as SNORM; `left_out`: which one is not.
vec4 decode_smallest_three(vec3 fields, uint left_out) {
  vec3 q = fields * 0.70710678118654752;
  float rest = sqrt(max(1.0 - dot(q, q), 0.0));
  if (left_out == 0u) return vec4(rest, q);
  if (left_out == 1u) return vec4(q.x, rest, q.yz);
  return left_out == 2u ? vec4(q.xy, rest, q.z) : vec4(q, rest);
}

vec3 decode_position(vec3 fraction, CodecRange range) { return range.box_min + fraction * range.box_size; }

AffineSample affine_of_rows(vec4 x, vec4 y, vec4 z) {
  return make_affine(mat3_of_rows(x.xyz, y.xyz, z.xyz), vec3(x.w, y.w, z.w));
}

#endif
