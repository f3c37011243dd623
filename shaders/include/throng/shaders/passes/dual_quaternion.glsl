// SPDX-License-Identifier: Apache-2.0
// Matrices as dual quaternions and scales, for skinning that keeps volume. Knows no bindings. The C++ twin, in double,
// is throng::to_dual_quaternion. Quaternions are x y z w.
#ifndef THRONG_SHADERS_DUAL_QUATERNION_GLSL
#define THRONG_SHADERS_DUAL_QUATERNION_GLSL
#include "throng/shaders/sampling/bone_codecs.glsl"

// p ↦ rotate_by(real, scale · p) + what `dual` moves it by.
struct DualQuaternion {
  vec4 real;
  vec4 dual;
  vec3 scale;
};

vec4 quaternion_product(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

const float kShortestColumn = 1e-15;  // throng::kShortestColumn; its square is still a float

vec3 unit_or(vec3 v, float no_length, vec3 otherwise) {
  float len = length(v);
  return len > no_length ? v / len : otherwise;
}

vec3 any_across(vec3 unit) {
  vec3 axis = abs(unit.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
  return normalize(cross(unit, axis));
}

// The quaternion of three unit vectors at right angles, right-handed. The largest of four is taken first, so that none
// is lost.
vec4 quaternion_of_axes(vec3 x, vec3 y, vec3 z) {
  float trace = x.x + y.y + z.z;
  vec4 q;
  if (trace > 0.0)
    q = vec4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace);
  else if (x.x >= y.y && x.x >= z.z)
    q = vec4(1.0 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y);
  else if (y.y >= z.z)
    q = vec4(x.y + y.x, 1.0 + y.y - x.x - z.z, y.z + z.y, z.x - x.z);
  else
    q = vec4(z.x + x.z, y.z + z.y, 1.0 + z.z - x.x - y.y, x.y - y.x);
  return normalize(q);
}

// Columns of no length, or along another, have their direction from the others; their scale stays what it is.
DualQuaternion dual_quaternion_of(AffineSample move) {
  const float kAlong = 1e-6;
  vec3 c0 = move.basis[0], c1 = move.basis[1], c2 = move.basis[2];
  float side = dot(c0, cross(c1, c2)) < 0.0 ? -1.0 : 1.0;
  DualQuaternion result;
  result.scale = vec3(side * length(c0), length(c1), length(c2));
  vec3 other = unit_or(c1, kShortestColumn, unit_or(c2, kShortestColumn, vec3(0.0, 1.0, 0.0)));
  vec3 x = unit_or(side * c0, kShortestColumn, unit_or(cross(c1, c2), kShortestColumn, any_across(other)));
  vec3 y = unit_or(c1 - x * dot(x, c1), max(kShortestColumn, kAlong * result.scale.y),
                   unit_or(cross(c2, x), max(kShortestColumn, kAlong * result.scale.z), any_across(x)));
  result.real = quaternion_of_axes(x, y, cross(x, y));
  result.dual = 0.5 * quaternion_product(vec4(move.position, 0.0), result.real);
  return result;
}

vec3 moved_by(DualQuaternion move, vec3 point) {
  vec3 shift = move.real.w * move.dual.xyz - move.dual.w * move.real.xyz + cross(move.real.xyz, move.dual.xyz);
  return rotate_by(move.real, move.scale * point) + 2.0 * shift;
}

// The direction of the inverse of the scale, then turned; mirroring with the mesh. Where that has no length, turned
// alone.
vec3 turned_by(DualQuaternion move, vec3 normal) {
  float side = move.scale.x * move.scale.y * move.scale.z < 0.0 ? -1.0 : 1.0;
  vec3 scaled = side * move.scale.yzx * move.scale.zxy * normal;
  return rotate_by(move.real, unit_or(scaled, kShortestColumn, normal));
}

#endif
