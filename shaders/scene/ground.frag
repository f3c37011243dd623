#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The ground: receives the shadows, fades into the air.
#include "throng/shaders/scene/shading.glsl"

layout(location = 0) out vec4 target;

void main() {
  vec3 direction = view_direction(gl_FragCoord.xy);
  // Interpolating positions over a square of kilometres loses the millimetres shadows need; the ray does not.
  float along = (scene.ground_height - scene.eye.y) / direction.y;
  vec3 position = scene.eye + direction * max(along, 0.0);
  vec2 footprint = abs(dFdx(position.xz)) + abs(dFdy(position.xz));
  vec3 light = through_air(shade_ground(position, footprint), position);
  target = vec4(dithered(tone_map(light), gl_FragCoord.xy), 1.0);
}
