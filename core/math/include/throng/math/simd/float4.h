// SPDX-License-Identifier: Apache-2.0
#pragma once
// Four floats, or integers, computed with at once. A comparison gives a mask that the conditional operator chooses by.
// Everything here is exact IEEE arithmetic in a fixed order, so that a result is the same to the bit on every
// processor.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/glm.hpp>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace throng::simd {

using Float4 __attribute__((vector_size(16))) = float;
using Int4 __attribute__((vector_size(16))) = std::int32_t;
using Word4 __attribute__((vector_size(16))) = std::uint32_t;

inline Float4 splat(float value) { return Float4{value, value, value, value}; }

inline Float4 load(const float* from) {
  Float4 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(float* to, Float4 v) { std::memcpy(to, &v, sizeof v); }

inline Float4 four(const glm::vec3& v, float w = 0.0f) { return Float4{v.x, v.y, v.z, w}; }
inline glm::vec3 three(Float4 v) { return {v[0], v[1], v[2]}; }

inline Int4 to_integers(Float4 v) { return __builtin_convertvector(v, Int4); }  // fractions are cut off
inline Float4 to_floats(Int4 v) { return __builtin_convertvector(v, Float4); }
inline Float4 to_floats(Word4 v) { return to_floats(std::bit_cast<Int4>(v)); }  // of numbers below 2³¹

inline Float4 mixed(Float4 from, Float4 to, Float4 blend) { return from + (to - from) * blend; }
inline Float4 least(Float4 a, Float4 b) { return a < b ? a : b; }
inline Float4 greatest(Float4 a, Float4 b) { return a > b ? a : b; }
inline Float4 absolute(Float4 v) { return std::bit_cast<Float4>(std::bit_cast<Word4>(v) & 0x7FFFFFFFu); }

// Whether a comparison holds anywhere.
inline bool any(Int4 mask) {
#ifdef __SSE__
  return _mm_movemask_ps(std::bit_cast<__m128>(mask)) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

inline Float4 square_root(Float4 v) {
#ifdef __SSE__
  return _mm_sqrt_ps(v);
#else
  return Float4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

// 1 / √v of positive numbers, to a float's last bits: a guess from the bits of v and three of Newton's steps, each of
// which doubles the digits that are right. Quicker than a root and a division where many are on the way.
inline Float4 inverse_square_root(Float4 v) {
  Float4 root = std::bit_cast<Float4>(0x5F3759DFu - (std::bit_cast<Word4>(v) >> 1u));
  for (int step = 0; step < 3; ++step) root = root * (1.5f - 0.5f * v * root * root);
  return root;
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

// Four vectors, coordinate by coordinate.
struct Vectors4 {
  Float4 x, y, z;
};

inline Vectors4 operator+(const Vectors4& a, const Vectors4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vectors4 operator-(const Vectors4& a, const Vectors4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vectors4 operator*(const Vectors4& a, const Vectors4& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vectors4 operator*(const Vectors4& a, Float4 s) { return {a.x * s, a.y * s, a.z * s}; }
inline Float4 dot(const Vectors4& a, const Vectors4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vectors4 mixed(const Vectors4& from, const Vectors4& to, Float4 blend) {
  return {mixed(from.x, to.x, blend), mixed(from.y, to.y, blend), mixed(from.z, to.z, blend)};
}

inline Vectors4 load_vectors(const float (&rows)[3][4]) { return {load(rows[0]), load(rows[1]), load(rows[2])}; }
inline void store(float (&rows)[3][4], const Vectors4& v) {
  store(rows[0], v.x);
  store(rows[1], v.y);
  store(rows[2], v.z);
}

// The first three elements of v[0] to v[3].
inline Vectors4 vectors_of(const Float4* v) {
  const Float4 xy01 = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
  const Float4 xy23 = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
  const Float4 z01 = __builtin_shufflevector(v[0], v[1], 2, 6, 2, 6);
  const Float4 z23 = __builtin_shufflevector(v[2], v[3], 2, 6, 2, 6);
  return {__builtin_shufflevector(xy01, xy23, 0, 1, 4, 5), __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7),
          __builtin_shufflevector(z01, z23, 0, 1, 4, 5)};
}

// The vectors at unit length; `otherwise` where one is too short to normalise.
inline Vectors4 unit_or(const Vectors4& v, const Vectors4& otherwise) {
  const Float4 squared = dot(v, v);
  const Float4 inverse = inverse_square_root(greatest(squared, splat(1e-30f)));
  const auto some = squared > splat(1e-20f);
  return {some ? v.x * inverse : otherwise.x, some ? v.y * inverse : otherwise.y, some ? v.z * inverse : otherwise.z};
}

// Four quaternions, coordinate by coordinate.
struct Quaternions4 {
  Float4 x, y, z, w;
};

// Summed in the order that eight floats at a time (float8.h) give, too.
inline Float4 dot(const Quaternions4& a, const Quaternions4& b) {
  return (a.x * b.x + a.z * b.z) + (a.y * b.y + a.w * b.w);
}
inline Quaternions4 operator*(const Quaternions4& q, Float4 s) { return {q.x * s, q.y * s, q.z * s, q.w * s}; }
inline Quaternions4 operator+(const Quaternions4& a, const Quaternions4& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
inline Quaternions4 conjugate(const Quaternions4& q) { return {-q.x, -q.y, -q.z, q.w}; }

inline Quaternions4 operator*(const Quaternions4& a, const Quaternions4& b) {
  return {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
          (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
}

inline Quaternions4 normalised(const Quaternions4& q) { return q * (splat(1.0f) / square_root(dot(q, q))); }

// The quaternions at unit length; `otherwise` where one is too short to normalise.
inline Quaternions4 unit_or(const Quaternions4& q, const Quaternions4& otherwise) {
  const Float4 squared = dot(q, q);
  const auto some = squared > splat(1e-20f);
  const Quaternions4 unit = q * (splat(1.0f) / square_root(some ? squared : splat(1.0f)));
  return {some ? unit.x : otherwise.x, some ? unit.y : otherwise.y, some ? unit.z : otherwise.z,
          some ? unit.w : otherwise.w};
}

inline Quaternions4 load_quaternions(const float (&rows)[4][4]) {
  return {load(rows[0]), load(rows[1]), load(rows[2]), load(rows[3])};
}
inline void store(float (&rows)[4][4], const Quaternions4& q) {
  store(rows[0], q.x);
  store(rows[1], q.y);
  store(rows[2], q.z);
  store(rows[3], q.w);
}

}  // namespace throng::simd
