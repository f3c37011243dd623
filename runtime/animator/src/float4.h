#pragma once
// Four floats computed with at once, one for each of four bones. A comparison gives a mask that the conditional
// operator chooses by. Everything here is exact IEEE arithmetic, so that a pose is the same on every processor.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace throng::soa {

using Float4 __attribute__((vector_size(16))) = float;
using Word4 __attribute__((vector_size(16))) = std::uint32_t;

inline Float4 splat(float value) { return Float4{value, value, value, value}; }

inline Float4 load(const float* from) {
  Float4 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(float* to, Float4 v) { std::memcpy(to, &v, sizeof v); }

inline Float4 mixed(Float4 from, Float4 to, Float4 fraction) { return from + (to - from) * fraction; }
inline Float4 least(Float4 a, Float4 b) { return a < b ? a : b; }
inline Float4 greatest(Float4 a, Float4 b) { return a > b ? a : b; }

inline Float4 root(Float4 v) {
#ifdef __SSE__
  return _mm_sqrt_ps(v);
#else
  return Float4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

struct Quaternion {
  Float4 x, y, z, w;
};

// Summed in the order that eight floats at a time give, too.
inline Float4 dot(const Quaternion& a, const Quaternion& b) {
  return (a.x * b.x + a.z * b.z) + (a.y * b.y + a.w * b.w);
}
inline Quaternion operator*(const Quaternion& q, Float4 s) { return {q.x * s, q.y * s, q.z * s, q.w * s}; }
inline Quaternion operator+(const Quaternion& a, const Quaternion& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
inline Quaternion conjugate(const Quaternion& q) { return {-q.x, -q.y, -q.z, q.w}; }

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
          (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
}

inline Quaternion normalised(const Quaternion& q) { return q * (splat(1.0f) / root(dot(q, q))); }

// Of unit length; where there is nothing left of it, `otherwise`.
inline Quaternion unit_or(const Quaternion& q, const Quaternion& otherwise) {
  const Float4 squared = dot(q, q);
  const auto some = squared > splat(1e-20f);
  const Quaternion unit = q * (splat(1.0f) / root(some ? squared : splat(1.0f)));
  return {some ? unit.x : otherwise.x, some ? unit.y : otherwise.y, some ? unit.z : otherwise.z,
          some ? unit.w : otherwise.w};
}

inline Quaternion load_quaternion(const float (&rows)[4][4]) {
  return {load(rows[0]), load(rows[1]), load(rows[2]), load(rows[3])};
}
inline void store(float (&rows)[4][4], const Quaternion& q) {
  store(rows[0], q.x);
  store(rows[1], q.y);
  store(rows[2], q.z);
  store(rows[3], q.w);
}

// Rows become columns.
inline void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
  const Float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

}  // namespace throng::soa
