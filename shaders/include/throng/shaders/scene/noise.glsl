// SPDX-License-Identifier: Apache-2.0
// Noise that needs no texture.
#ifndef THRONG_SHADERS_NOISE_GLSL
#define THRONG_SHADERS_NOISE_GLSL
#include "throng/shaders/shared/variation.h"

// 0 to 1, by pixel, neighbours far apart: interleaved gradients, the same in every picture.
float pixel_noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

// 0 to 1, of a cell of the plane's grid.
float cell_noise(ivec2 cell) {
  return float(stirred(uint(cell.x) * 0x9E3779B1u ^ stirred(uint(cell.y) + 0x68E31DA4u)) >> 8) * (1.0 / 16777216.0);
}

// 0 to 1, smooth, one bump or so a unit.
float smooth_noise(vec2 place) {
  ivec2 cell = ivec2(floor(place));
  vec2 t = place - vec2(cell);
  t = t * t * (3.0 - 2.0 * t);
  float low = mix(cell_noise(cell), cell_noise(cell + ivec2(1, 0)), t.x);
  float high = mix(cell_noise(cell + ivec2(0, 1)), cell_noise(cell + ivec2(1, 1)), t.x);
  return mix(low, high, t.y);
}

#endif
