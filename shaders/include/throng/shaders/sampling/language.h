// SPDX-License-Identifier: Apache-2.0
// The words that C++, GLSL, ESSL and HLSL spell differently, so that one source serves all. The source is written in
// GLSL's words as far as they go; where a language lacks one, its file gives it a function of that name. Include only
// from the files beside this one.
//
// Before HLSL define THRONG_HLSL; the others are known by what they predefine.
#ifndef THRONG_SHADERS_LANGUAGE_H
#define THRONG_SHADERS_LANGUAGE_H

#if defined(__cplusplus)

#include <bit>
#include <cmath>
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
#define THRONG_SQRT(value) std::sqrt(value)

#elif defined(THRONG_HLSL)
#include "throng/shaders/sampling/language.hlsl"
#elif defined(GL_ES)
#include "throng/shaders/sampling/language.essl"
#else
#include "throng/shaders/sampling/language.glsl"
#endif
#endif
