// SPDX-License-Identifier: Apache-2.0
// How characters of one material differ: small changes of warmth, lightness and saturation, drawn from two numbers.
// Gloss is no part of it: flat faces that mirror the sun would turn white. The same in C++ and GLSL.
#ifndef THRONG_SHADERS_VARIATION_H
#define THRONG_SHADERS_VARIATION_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

#ifdef __cplusplus
using glm::dot;
using glm::max;
using glm::mix;
#endif

THRONG_CONSTANT(float, kMostWarmthChange, 0.11f);     // of 1: red gains what blue loses
THRONG_CONSTANT(float, kMostLightnessChange, 0.16f);  // of 1
THRONG_CONSTANT(float, kMostSaturationChange, 0.12f);

// Each from −1 to 1.
struct Variation {
  float warmth;
  float lightness;
  float saturation;
};

// All bits of a number stirred; 0 stays 0.
THRONG_FUNCTION uint stirred(uint x) {
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  return x ^ (x >> 16);
}

THRONG_FUNCTION float signed_byte(uint bits, uint shift) {
  return THRONG_FLOAT((bits >> shift) & 0xFFu) / 127.5f - 1.0f;
}

// The variation by an instance's number and a material's. An instance of number 0 is exactly its material.
THRONG_FUNCTION Variation variation_of(uint instance, uint material) {
  Variation result;
  result.warmth = 0.0f;
  result.lightness = 0.0f;
  result.saturation = 0.0f;
  if (instance == 0u) return result;
  uint bits = stirred(instance ^ stirred(material));
  result.warmth = signed_byte(bits, 0u);
  result.lightness = signed_byte(bits, 8u);
  result.saturation = signed_byte(bits, 16u);
  return result;
}

// `amount` from 0 (the colour as it is) to 1. Linear light.
THRONG_FUNCTION vec3 varied_colour(vec3 colour, Variation variation, float amount) {
  const vec3 luminance_weights = vec3(0.2126f, 0.7152f, 0.0722f);
  // Gains, not a turn of the hue: what a strong colour lacks it goes on lacking, and red does not become pink.
  float gain = variation.warmth * amount * kMostWarmthChange;
  vec3 warmed = colour * vec3(1.0f + gain, 1.0f, 1.0f - gain);
  float luminance = dot(warmed, luminance_weights);
  vec3 grey = vec3(luminance, luminance, luminance);
  vec3 dyed = mix(grey, warmed, 1.0f + variation.saturation * amount * kMostSaturationChange);
  return max(dyed * (1.0f + variation.lightness * amount * kMostLightnessChange), vec3(0.0f, 0.0f, 0.0f));
}

THRONG_NAMESPACE_END
#endif
