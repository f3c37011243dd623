// Matrices as dual quaternions and scales, for skinning that keeps volume. Knows no bindings. The C++ twin, in double, is
// throng::to_dual_quaternion. Quaternions are x y z w.
#ifndef THRONG_SHADERS_DUAL_QUATERNION_GLSL
#define THRONG_SHADERS_DUAL_QUATERNION_GLSL
#include "throng/shaders/bone_codecs.glsl"

// p ↦ rotate_by(real, scale · p) + what `dual` moves it by.
struct DualQuaternion {
  vec4 real;
  vec4 dual;
  vec3 scale;
};

vec4 quaternion_product(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

vec3 any_perpendicular(vec3 direction) {
  vec3 axis = abs(direction.x) < 0.5 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
  return normalize(axis - direction * dot(direction, axis));
}

// Of three unit vectors at right angles, right-handed. The largest of four is taken first, so that none is lost.
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
  const float kNoLength = 1e-15;
  vec3 c0 = move.basis[0], c1 = move.basis[1], c2 = move.basis[2];
  vec3 lengths = vec3(length(c0), length(c1), length(c2));
  bool mirrored = dot(c0, cross(c1, c2)) < 0.0;
  DualQuaternion result;
  result.scale = vec3(mirrored ? -lengths.x : lengths.x, lengths.yz);
  vec3 x = lengths.x > kNoLength ? c0 / result.scale.x : cross(c1, c2);
  float x_length = length(x);
  x = x_length > kNoLength ? x / x_length : vec3(1.0, 0.0, 0.0);
  vec3 y = c1 - x * dot(x, c1);
  if (length(y) <= max(kNoLength, 1e-6 * lengths.y)) y = cross(c2, x);
  float y_length = length(y);
  y = y_length > kNoLength ? y / y_length : any_perpendicular(x);
  result.real = quaternion_of_axes(x, y, cross(x, y));
  result.dual = 0.5 * quaternion_product(vec4(move.position, 0.0), result.real);
  return result;
}

vec3 moved_by(DualQuaternion move, vec3 point) {
  vec3 shift = move.real.w * move.dual.xyz - move.dual.w * move.real.xyz + cross(move.real.xyz, move.dual.xyz);
  return rotate_by(move.real, move.scale * point) + 2.0 * shift;
}

// The direction of the inverse of the scale, then turned; mirroring with the mesh. Where that has no length, turned alone.
vec3 turned_by(DualQuaternion move, vec3 normal) {
  vec3 scaled = normal * move.scale.yzx * move.scale.zxy;
  float length_squared = dot(scaled, scaled);
  scaled = length_squared > 1e-30 ? scaled * inversesqrt(length_squared) : normal;
  return rotate_by(move.real, move.scale.x * move.scale.y * move.scale.z < 0.0 ? -scaled : scaled);
}

#endif
