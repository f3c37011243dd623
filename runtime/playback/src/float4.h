#pragma once
// Four floats that the compiler computes with at once. A comparison gives a mask that the conditional operator chooses
// by.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/glm.hpp>

namespace throng::deforming {

using Float4 __attribute__((vector_size(16))) = float;
using Int4 __attribute__((vector_size(16))) = std::int32_t;
using Word4 __attribute__((vector_size(16))) = std::uint32_t;

inline Float4 splat(float value) { return Float4{value, value, value, value}; }
inline Float4 absolute(Float4 v) { return std::bit_cast<Float4>(std::bit_cast<Word4>(v) & 0x7FFFFFFFu); }
inline Float4 greatest(Float4 a, Float4 b) { return a > b ? a : b; }
inline Float4 to_floats(Int4 v) { return __builtin_convertvector(v, Float4); }
inline Float4 to_floats(Word4 v) { return to_floats(std::bit_cast<Int4>(v)); }  // of numbers below 2^31
inline Float4 mixed(Float4 from, Float4 to, Float4 blend) { return from + (to - from) * blend; }

inline Float4 four(const glm::vec3& v, float w = 0.0f) { return Float4{v.x, v.y, v.z, w}; }
inline glm::vec3 three(Float4 v) { return {v[0], v[1], v[2]}; }

// 1 / √v of positive numbers, to a float's last bits: a guess from the bits of v, and three steps of Newton's, each of
// which doubles the digits that are right. Compilers do not take four square roots at once on their own.
inline Float4 inverse_root(Float4 v) {
  Float4 root = std::bit_cast<Float4>(0x5F3759DFu - (std::bit_cast<Word4>(v) >> 1u));
  for (int step = 0; step < 3; ++step) root = root * (1.5f - 0.5f * v * root * root);
  return root;
}

// Three coordinates of four vectors.
struct Lanes {
  Float4 x, y, z;
};

inline Lanes mixed(const Lanes& from, const Lanes& to, Float4 blend) {
  return {mixed(from.x, to.x, blend), mixed(from.y, to.y, blend), mixed(from.z, to.z, blend)};
}
inline Float4 dot(const Lanes& a, const Lanes& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Lanes operator*(const Lanes& a, Float4 b) { return {a.x * b, a.y * b, a.z * b}; }

// Of unit length; where there is nothing left of it, `otherwise`.
inline Lanes unit_or(const Lanes& v, const Lanes& otherwise) {
  const Float4 squared = dot(v, v);
  const Float4 inverse = inverse_root(greatest(squared, splat(1e-30f)));
  const auto some = squared > splat(1e-20f);
  return {some ? v.x * inverse : otherwise.x, some ? v.y * inverse : otherwise.y, some ? v.z * inverse : otherwise.z};
}

}  // namespace throng::deforming
