// SPDX-License-Identifier: Apache-2.0
// The bone encodings: words of an animation texture → how a bone moves. Knows no bindings and no textures. Each has a
// file in encodings/, the twin of its C++ in character/src/encodings; a test compares the two over the whole range of
// every field.
#ifndef THRONG_SHADERS_BONE_CODECS_GLSL
#define THRONG_SHADERS_BONE_CODECS_GLSL
#include "throng/shaders/encodings/half_quaternion.glsl"
#include "throng/shaders/encodings/half_rows.glsl"
#include "throng/shaders/encodings/local8.glsl"
#include "throng/shaders/encodings/q12.glsl"
#include "throng/shaders/encodings/q16.glsl"
#include "throng/shaders/encodings/q8.glsl"
#include "throng/shaders/encodings/rows.glsl"
#include "throng/shaders/encodings/x16.glsl"

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
