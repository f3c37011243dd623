#version 300 es
// SPDX-License-Identifier: Apache-2.0
// A large square under the eye; the fragment finds its own exact position.
#include "throng/shaders/scene/shading.glsl"

uniform mat4 clip_from_world;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 place = scene.eye.xz + corner * scene.ground_extent;
  gl_Position = clip_from_world * vec4(place.x, scene.ground_height, place.y, 1.0);
}
