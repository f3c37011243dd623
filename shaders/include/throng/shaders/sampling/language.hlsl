// SPDX-License-Identifier: Apache-2.0
// The library's words in HLSL, shader model 5 and later.
#ifndef THRONG_SHADERS_LANGUAGE_HLSL
#define THRONG_SHADERS_LANGUAGE_HLSL

#define THRONG_NAMESPACE_BEGIN
#define THRONG_NAMESPACE_END
#define THRONG_FUNCTION
#define THRONG_CONSTANT(type, name, value) static const type name = value
#define THRONG_FLOAT(value) float(value)
#define THRONG_SQRT(value) sqrt(value)

#define vec2 float2
#define vec3 float3
#define vec4 float4
#define ivec2 int2
#define ivec3 int3
#define ivec4 int4
#define uvec2 uint2
#define uvec3 uint3
#define uvec4 uint4
#define mat3 float3x3
#define usampler2D Texture2D<uint4>
#define usampler2DArray Texture2DArray<uint4>
#define sampler2DArray Texture2DArray<float4>

// Matrices multiply columns from the left in every language, here by mul(m, v); how they are made and taken apart
// differs.
mat3 mat3_of_rows(vec3 x, vec3 y, vec3 z) { return mat3(x, y, z); }
mat3 mat3_of_columns(vec3 x, vec3 y, vec3 z) { return transpose(mat3(x, y, z)); }
vec3 column_of(mat3 m, int index) { return vec3(m[0][index], m[1][index], m[2][index]); }
vec3 mat3_times(mat3 m, vec3 v) { return mul(m, v); }

float mix(float from, float to, float blend) { return lerp(from, to, blend); }
vec2 mix(vec2 from, vec2 to, float blend) { return lerp(from, to, blend); }
vec3 mix(vec3 from, vec3 to, float blend) { return lerp(from, to, blend); }
vec4 mix(vec4 from, vec4 to, float blend) { return lerp(from, to, blend); }
float inversesqrt(float value) { return rsqrt(value); }

uint floatBitsToUint(float value) { return asuint(value); }
uvec4 floatBitsToUint(vec4 value) { return asuint(value); }
float uintBitsToFloat(uint bits) { return asfloat(bits); }
vec2 uintBitsToFloat(uvec2 bits) { return asfloat(bits); }
vec3 uintBitsToFloat(uvec3 bits) { return asfloat(bits); }
vec4 uintBitsToFloat(uvec4 bits) { return asfloat(bits); }

vec2 unpackHalf2x16(uint word) { return vec2(f16tof32(word & 0xFFFFu), f16tof32(word >> 16)); }
vec2 unpackUnorm2x16(uint word) { return vec2(float(word & 0xFFFFu), float(word >> 16)) / 65535.0; }

uvec4 texelFetch(usampler2D from, ivec2 address, int level) { return from.Load(ivec3(address, level)); }
uvec4 texelFetch(usampler2DArray from, ivec3 address, int level) { return from.Load(ivec4(address, level)); }
vec4 texelFetch(sampler2DArray from, ivec3 address, int level) { return from.Load(ivec4(address, level)); }

#include "throng/shaders/sampling/polyfills.glsl"

#endif
