#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Cuts holes into the shadows of materials that have them; opaque ones draw without a fragment shader.
#include "throng/shaders/shared/scene.h"

layout(push_constant) uniform Draw { DrawUniforms draw; };
layout(set = 2, binding = 0) uniform sampler2D base_texture;

layout(location = 0) in vec2 surface_uv;
layout(location = 1) in float surface_alpha;

void main() {
  if (texture(base_texture, surface_uv).a * surface_alpha < draw.alpha_cutoff) discard;
}
