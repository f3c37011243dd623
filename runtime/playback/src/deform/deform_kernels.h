// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops that deforming a mesh spends its time in: vertices on up to four columns whose directions turn with the
// columns themselves. Four floats at a time and, where the processor can, eight. The two may differ in their last bits.

#include <array>
#include <cstdint>
#include <span>

#include "throng/math/simd/float4.h"

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace throng::detail::playback::kernels {

using namespace simd;

// A vertex at rest, in a line of the cache.
struct alignas(64) RestVertex {
  std::array<float, 4> position{0.0f, 0.0f, 0.0f, 1.0f};
  std::array<float, 4> normal{};  // the last is 0
  std::array<float, 4> weights{};
  std::array<std::uint16_t, 4> columns{};
  std::uint32_t vertex = 0;  // of the mesh
};

// What a column does: the columns of its matrices, the first two and the last two in a register of eight.
struct alignas(64) Column {
  std::array<std::array<float, 4>, 4> points{};   // the last is added
  std::array<std::array<float, 4>, 4> normals{};  // of unit length when the column only rotates; the last is 0
};

// Where vertices that all follow as many columns are moved.
struct Move {
  std::span<const RestVertex> vertices = {};  // a multiple of four
  const float* tangents = nullptr;            // four a vertex
  const Column* columns = nullptr;
  // All columns scale alike: their points' matrices turn directions, too.
  bool even = false;
  float nothing = 0.0f;            // the squared length at which nothing is left of a direction
  glm::mat3 rotation{1.0f};        // of the character, for those
  glm::vec3* positions = nullptr;  // each by the number of the vertex; null: not wanted
  glm::vec3* normals = nullptr;
  glm::vec4* turned_tangents = nullptr;  // without their side
};

// `influences`: 1 … 4, those that every one of the vertices has.
void move_narrow(const Move& move, std::uint32_t influences);
void move_wide(const Move& move, std::uint32_t influences);

bool has_wide();

// 1 / √v to 22 bits: a guess and one of Newton's steps.
__attribute__((always_inline)) inline Float4 quick_inverse_square_root(Float4 v) {
#ifdef __SSE__
  const Float4 guess = _mm_rsqrt_ps(v);
  return guess * (1.5f - 0.5f * v * guess * guess);
#else
  return inverse_square_root(v);
#endif
}

// Four directions, by what each is multiplied to be of unit length.
struct Directions {
  Float4 of[4];
};
struct Lengths {
  Float4 inverse;
  bool lost;  // nothing is left of one of them
};
__attribute__((always_inline)) inline Lengths lengths_of(const Directions& directions, float nothing) {
  const Vectors4 all = vectors_of(directions.of);
  const Float4 squared = dot(all, all);
  const Float4 pairs = least(squared, __builtin_shufflevector(squared, squared, 2, 3, 0, 1));
  return {quick_inverse_square_root(squared), !(pairs[0] > nothing && pairs[1] > nothing)};
}

__attribute__((always_inline)) inline void store3(void* to, Float4 v) {
  std::memcpy(to, &v, 2 * sizeof(float));
  const float z = v[2];
  std::memcpy(static_cast<std::byte*>(to) + 2 * sizeof(float), &z, sizeof z);
}

// Where the columns leave nothing of a direction, it turns with the character alone.
inline Float4 unit_direction(Float4 direction, const Move& move, const float* at_rest) {
  const glm::vec3 v = three(direction);
  const float squared = glm::dot(v, v);
  if (squared > move.nothing) return direction * splat(1.0f / std::sqrt(squared));
  return four(move.rotation * glm::vec3(at_rest[0], at_rest[1], at_rest[2]));
}

// Writes four directions; `at_rest` is the first one's, `stride` floats from one to the next.
template <class To>
__attribute__((always_inline)) inline void put_directions(const Directions& directions, const Move& move,
                                                          const RestVertex* vertices, const float* at_rest,
                                                          std::size_t stride, To* to) {
  const Lengths lengths = lengths_of(directions, move.nothing);
  if (lengths.lost) [[unlikely]] {
    for (std::size_t i = 0; i < 4; ++i)
      store3(to + vertices[i].vertex, unit_direction(directions.of[i], move, at_rest + i * stride));
    return;
  }
  store3(to + vertices[0].vertex, directions.of[0] * splat(lengths.inverse[0]));
  store3(to + vertices[1].vertex, directions.of[1] * splat(lengths.inverse[1]));
  store3(to + vertices[2].vertex, directions.of[2] * splat(lengths.inverse[2]));
  store3(to + vertices[3].vertex, directions.of[3] * splat(lengths.inverse[3]));
}

}  // namespace throng::detail::playback::kernels
