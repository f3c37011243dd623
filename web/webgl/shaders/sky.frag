#version 300 es
// SPDX-License-Identifier: Apache-2.0
#include "throng/shaders/scene/surroundings.glsl"
#include "display.glsl"

layout(location = 0) out vec4 target;

void main() {
  target = vec4(displayed(seen_sky(pixel_from_above(gl_FragCoord.xy, scene.picture_height))), 1.0);
}
