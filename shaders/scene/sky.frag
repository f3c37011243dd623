#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#include "throng/shaders/scene/shading.glsl"

layout(location = 0) out vec4 target;

void main() {
  vec3 direction = view_direction(gl_FragCoord.xy);
  target = vec4(dithered(tone_map(sky_light(direction)), gl_FragCoord.xy), 1.0);
}
