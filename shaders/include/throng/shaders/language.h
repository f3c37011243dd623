// The words that GLSL and C++ spell differently, so that one source serves both. Include only from the files beside
// this one.
#ifndef THRONG_SHADERS_LANGUAGE_H
#define THRONG_SHADERS_LANGUAGE_H

#ifdef __cplusplus

#include <bit>
#include <cstdint>
#include <glm/glm.hpp>

namespace throng::gpu {
using uint = std::uint32_t;
using glm::uvec2;
using glm::uvec3;
using glm::uvec4;
using glm::vec2;
using glm::vec3;
using glm::vec4;

// The high 32 bits of a 32 × 32 bit product.
constexpr uint mul_high(uint a, uint b) { return static_cast<uint>((std::uint64_t{a} * b) >> 32); }
}  // namespace throng::gpu

#define THRONG_NAMESPACE_BEGIN namespace throng::gpu {
#define THRONG_NAMESPACE_END }
#define THRONG_FUNCTION inline
#define THRONG_CONSTANT(type, name, value) inline constexpr type name = value
#define THRONG_FLOAT(value) static_cast<float>(value)

#else

uint mul_high(uint a, uint b) {
  uint high;
  uint low;
  umulExtended(a, b, high, low);
  return high;
}

#define THRONG_NAMESPACE_BEGIN
#define THRONG_NAMESPACE_END
#define THRONG_FUNCTION
#define THRONG_CONSTANT(type, name, value) const type name = value
#define THRONG_FLOAT(value) float(value)

#endif
#endif
