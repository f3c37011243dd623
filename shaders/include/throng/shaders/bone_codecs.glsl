// The bone encodings: words of an animation texture → how a bone moves. Knows no bindings and no textures. What the bits mean is in
// throng/character/bone_codecs.h, whose functions, in double, are the twins of these; a test compares the two over the whole range of
// every field.
#ifndef THRONG_SHADERS_BONE_CODECS_GLSL
#define THRONG_SHADERS_BONE_CODECS_GLSL
#include "throng/shaders/fields.glsl"

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

BoneSample decode_q16(uvec4 words, CodecRange range) {
  vec4 fraction = vec4(unorm16_pair(words.z), unorm16_pair(words.w));
  return make_bone(decode_quaternion(words.xy), decode_position(fraction.xyz, range), fraction.w * range.scale_max);
}

BoneSample decode_x16(uvec4 words, CodecRange range) {
  vec3 three = vec3(snorm_field(words.x, 0, 18), snorm_field(words.y, 0, 18), snorm_field(words.z, 0, 18));
  uint y = (words.x >> 18) | (bitfieldExtract(words.z, 18, 6) << 14);
  uint z = (words.y >> 18) | (bitfieldExtract(words.z, 24, 6) << 14);
  vec3 fraction = vec3(unorm_field(words.w, 0, 20), unorm_of(y, 20), unorm_of(z, 20));
  return make_bone(decode_smallest_three(three, words.z >> 30), decode_position(fraction, range),
                   unorm_field(words.w, 20, 12) * range.scale_max);
}

BoneSample decode_q12(uvec3 words, CodecRange range) {
  vec3 three = vec3(snorm_field(words.x, 16, 15), snorm_field(words.y, 16, 15), snorm_field(words.z, 16, 15));
  vec3 fraction = vec3(unorm_field(words.x, 0, 16), unorm_field(words.y, 0, 16), unorm_field(words.z, 0, 16));
  uint left_out = (words.x >> 31) | ((words.y >> 31) << 1);
  return make_bone(decode_smallest_three(three, left_out), decode_position(fraction, range), range.scale_max);
}

// The frame's origin (the three floats before its first column) is for the caller to add to the position.
BoneSample decode_q8(uvec2 words, CodecRange range) {
  vec3 three = vec3(snorm_field(words.x, 0, 11), snorm_field(words.x, 11, 11), snorm_field(words.y, 0, 11));
  vec3 fraction = vec3(unorm_field(words.x, 22, 10), unorm_field(words.y, 13, 10), unorm_field(words.y, 23, 9));
  return make_bone(decode_smallest_three(three, bitfieldExtract(words.y, 11, 2)), decode_position(fraction, range),
                   range.scale_max);
}

BoneSample decode_half_quaternion(uvec4 words) {
  vec4 translation = four_halves(words.zw);
  return make_bone(four_halves(words.xy), translation.xyz, translation.w);
}

// One row of rows: what is multiplied with the vertex, and added.
vec4 decode_row(uvec2 words, float box_min, float box_size, float scale_max) {
  vec3 entries = vec3(snorm16_pair(words.x), snorm_field(words.y, 0, 16)) * scale_max;
  return vec4(entries, box_min + unorm_field(words.y, 16, 16) * box_size);
}

AffineSample affine_of_rows(vec4 x, vec4 y, vec4 z) {
  return make_affine(mat3_of_rows(x.xyz, y.xyz, z.xyz), vec3(x.w, y.w, z.w));
}

AffineSample decode_rows(uvec4 first, uvec2 last, CodecRange range) {
  return affine_of_rows(decode_row(first.xy, range.box_min.x, range.box_size.x, range.scale_max),
                        decode_row(first.zw, range.box_min.y, range.box_size.y, range.scale_max),
                        decode_row(last, range.box_min.z, range.box_size.z, range.scale_max));
}

AffineSample decode_half_rows(uvec4 first, uvec2 last) {
  return affine_of_rows(four_halves(first.xy), four_halves(first.zw), four_halves(last));
}

// A translation slot of local8: xyz and scale. `slot_min` and `slot_size` are its rows of the table.
vec4 decode_translation_slot(uvec2 words, vec4 slot_min, vec4 slot_size) {
  return slot_min + vec4(unorm16_pair(words.x), unorm16_pair(words.y)) * slot_size;
}

// q and −q are one rotation: without the change of sign half of the in-betweens would go the long way round.
vec4 mix_quaternions(vec4 from, vec4 to, float blend) {
  return normalize(mix(from, dot(from, to) < 0.0 ? -to : to, blend));
}

BoneSample mix_bones(BoneSample from, BoneSample to, float blend) {
  return make_bone(mix_quaternions(from.rotation, to.rotation, blend), mix(from.position, to.position, blend),
                   mix(from.scale, to.scale, blend));
}

AffineSample mix_affine(AffineSample from, AffineSample to, float blend) {
  return make_affine(from.basis * (1.0 - blend) + to.basis * blend, mix(from.position, to.position, blend));
}

vec3 rotate_by(vec4 quaternion, vec3 v) {
  vec3 t = 2.0 * cross(quaternion.xyz, v);
  return v + quaternion.w * t + cross(quaternion.xyz, t);
}

// First b, then a.
vec4 multiply_quaternions(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// First `inner`, then `outer`; pivots at the origin.
BoneSample compose(BoneSample outer, BoneSample inner) {
  return make_bone(multiply_quaternions(outer.rotation, inner.rotation),
                   outer.position + outer.scale * rotate_by(outer.rotation, inner.position), outer.scale * inner.scale);
}

#endif
