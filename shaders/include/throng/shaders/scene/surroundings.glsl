// SPDX-License-Identifier: Apache-2.0
// What is around the characters, pixel by pixel as it is shown: for fragment shaders.
#ifndef THRONG_SHADERS_SURROUNDINGS_GLSL
#define THRONG_SHADERS_SURROUNDINGS_GLSL
#include "throng/shaders/scene/shading.glsl"

// The ground receives the shadows and fades into the air.
vec3 seen_ground(vec2 pixel) {
  vec3 direction = view_direction(pixel);
  // Interpolating positions over a square of kilometres loses the millimetres shadows need; the ray does not.
  float along = (scene.ground_height - scene.eye.y) / direction.y;
  vec3 position = scene.eye + direction * max(along, 0.0);
  vec2 footprint = abs(dFdx(position.xz)) + abs(dFdy(position.xz));
  vec3 light = through_air(shade_ground(position, footprint), position);
  return dithered(tone_map(light), pixel);
}

vec3 seen_sky(vec2 pixel) { return dithered(tone_map(sky_light(view_direction(pixel))), pixel); }

#endif
