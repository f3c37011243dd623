#pragma once
// Four floats, or integers, that the compiler computes with at once. A comparison gives a mask that the conditional
// operator chooses by.

#include <bit>
#include <cstdint>

namespace throng::detail::bake {

using Float4 __attribute__((vector_size(16))) = float;
using Int4 __attribute__((vector_size(16))) = std::int32_t;
using Word4 __attribute__((vector_size(16))) = std::uint32_t;

inline Float4 splat(float value) { return Float4{value, value, value, value}; }
inline Float4 least(Float4 a, Float4 b) { return a < b ? a : b; }
inline Float4 greatest(Float4 a, Float4 b) { return a > b ? a : b; }
inline Float4 absolute(Float4 v) { return std::bit_cast<Float4>(std::bit_cast<Word4>(v) & 0x7FFFFFFFu); }

// Fractions are cut off.
inline Int4 to_integers(Float4 v) { return __builtin_convertvector(v, Int4); }
inline Float4 to_floats(Int4 v) { return __builtin_convertvector(v, Float4); }

// The first three elements of four vectors, one element each.
struct Lanes {
  Float4 x, y, z;
};
inline Lanes lanes_of(const Float4* v) {
  const Float4 xy01 = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
  const Float4 xy23 = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
  const Float4 z01 = __builtin_shufflevector(v[0], v[1], 2, 6, 2, 6);
  const Float4 z23 = __builtin_shufflevector(v[2], v[3], 2, 6, 2, 6);
  return {__builtin_shufflevector(xy01, xy23, 0, 1, 4, 5), __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7),
          __builtin_shufflevector(z01, z23, 0, 1, 4, 5)};
}

}  // namespace throng::detail::bake
