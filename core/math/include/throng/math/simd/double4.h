// SPDX-License-Identifier: Apache-2.0
#pragma once
// Four doubles that the compiler computes with two at a time.

#include <cmath>
#include <cstddef>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace throng::simd {

using Double2 __attribute__((vector_size(16))) = double;

struct Double4 {
  Double2 low = {0.0, 0.0};
  Double2 high = {0.0, 0.0};

  double operator[](std::size_t i) const { return i < 2 ? low[i] : high[i - 2]; }
  void set(std::size_t i, double value) {
    if (i < 2) {
      low[i] = value;
    } else {
      high[i - 2] = value;
    }
  }
};

inline Double4 splat4(double value) { return {Double2{value, value}, Double2{value, value}}; }
inline Double4 operator+(const Double4& a, const Double4& b) { return {a.low + b.low, a.high + b.high}; }
inline Double4 operator-(const Double4& a, const Double4& b) { return {a.low - b.low, a.high - b.high}; }
inline Double4 operator*(const Double4& a, const Double4& b) { return {a.low * b.low, a.high * b.high}; }
inline Double4 operator*(double a, const Double4& b) { return splat4(a) * b; }
inline Double4 least(const Double4& a, const Double4& b) {
  return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}
inline Double4 greatest(const Double4& a, const Double4& b) {
  return {a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

inline Double4 operator/(const Double4& a, const Double4& b) { return {a.low / b.low, a.high / b.high}; }
// In each lane `yes` where a > b, else `no`.
inline Double4 where_greater(const Double4& a, const Double4& b, const Double4& yes, const Double4& no) {
  return {a.low > b.low ? yes.low : no.low, a.high > b.high ? yes.high : no.high};
}

inline Double2 square_root(Double2 v) {
#ifdef __SSE2__
  return _mm_sqrt_pd(v);
#else
  return Double2{std::sqrt(v[0]), std::sqrt(v[1])};
#endif
}
inline Double4 square_root(const Double4& v) { return {square_root(v.low), square_root(v.high)}; }

// Three coordinates of four points.
struct Points4 {
  Double4 x, y, z;
};

inline Points4 operator+(const Points4& a, const Points4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Points4 operator-(const Points4& a, const Points4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Points4 operator*(const Double4& a, const Points4& b) { return {a * b.x, a * b.y, a * b.z}; }
inline Points4 operator*(double a, const Points4& b) { return splat4(a) * b; }
inline Points4 cross(const Points4& a, const Points4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Double4 dot(const Points4& a, const Points4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

}  // namespace throng::simd
