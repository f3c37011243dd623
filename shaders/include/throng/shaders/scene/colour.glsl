// SPDX-License-Identifier: Apache-2.0
// Colour arithmetic.
#ifndef THRONG_SHADERS_COLOUR_GLSL
#define THRONG_SHADERS_COLOUR_GLSL
#include "throng/shaders/scene/noise.glsl"

vec3 linear_from_srgb(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

// Light → display, linear in and out, as film takes it: each stop of highlights gets less room, and the power gives
// back the contrast that costs.
vec3 filmic(vec3 light) { return 1.0 - exp(-pow(max(light, vec3(0.0)), vec3(1.15))); }

// Half a step of 8-bit sRGB up or down, by pixel, so that slow gradients do not show their steps.
vec3 dithered(vec3 colour, vec2 pixel) {
  float noise = pixel_noise(pixel) - 0.5;
  vec3 srgb_slope = 2.2 * pow(max(colour, vec3(1e-4)), vec3(0.545));  // of x ↦ x^2.2, near enough
  return colour + srgb_slope * (noise / 255.0);
}

#endif
