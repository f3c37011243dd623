// SPDX-License-Identifier: Apache-2.0
// The ground's colour: a square paved with large slabs, stained by weather. Binds nothing.
#ifndef THRONG_SHADERS_GROUND_GLSL
#define THRONG_SHADERS_GROUND_GLSL
#include "throng/shaders/scene/noise.glsl"

const vec2 kSlab = vec2(1.8, 1.2);  // metres
const float kJoint = 0.016;

// How much of a pixel is joint, along one axis: exact while joints are apart, their mean once a pixel holds several.
float joint_share(float place, float size, float footprint) {
  float away = abs(fract(place / size + 0.5) - 0.5) * size;
  float width = max(footprint, 0.004);
  float share = clamp((0.5 * (kJoint + width) - away) / width, 0.0, 1.0) * min(1.0, kJoint / width);
  return mix(share, kJoint / size, smoothstep(0.25, 0.7, footprint / size));
}

// What the ground's albedo is multiplied by. `place` and `footprint` (of a pixel, along each axis) in metres.
float paved(vec2 place, vec2 footprint) {
  float row = floor(place.y / kSlab.y);
  vec2 shifted = vec2(place.x + kSlab.x * 0.5 * mod(row, 2.0), place.y);
  float clear = 1.0 - smoothstep(0.3, 1.0, max(footprint.x / kSlab.x, footprint.y / kSlab.y));
  float tone = 1.0;
  if (clear > 0.0) tone += clear * 0.13 * (cell_noise(ivec2(floor(shifted / kSlab))) - 0.5);
  float fine = 1.0 - smoothstep(0.02, 0.12, max(footprint.x, footprint.y));
  if (fine > 0.0) tone += fine * 0.06 * (smooth_noise(place * 9.0) - 0.5);
  tone += 0.16 * (smooth_noise(place * 0.31 + 7.3) - 0.5) + 0.14 * (smooth_noise(place * 0.057) - 0.5);
  float joints = max(joint_share(shifted.x, kSlab.x, footprint.x), joint_share(place.y, kSlab.y, footprint.y));
  return tone * (1.0 - 0.5 * joints);
}

#endif
