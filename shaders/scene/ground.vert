#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// A large square under the scene's origin of view; the fragment finds its own exact position.
#include "throng/shaders/scene/shading.glsl"

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  vec2 place = scene.eye.xz + corner * scene.ground_extent;
  gl_Position = scene.clip_from_world * vec4(place.x, scene.ground_height, place.y, 1.0);
}
