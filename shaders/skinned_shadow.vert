#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The depth passes of characters that skinned.comp has skinned.
#include "throng/shaders/scene.h"
#include "throng/shaders/skinned_drawn.glsl"

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec2 surface_uv;
layout(location = 1) out float surface_alpha;

invariant gl_Position;

void main() {
  DrawSlot slot = draw_slots[gl_InstanceIndex];
  uvec4 surface = surfaces[gl_VertexIndex];
  surface_uv = uintBitsToFloat(surface.xy);
  surface_alpha =
      draw.base_colour.a * unpackUnorm4x8(surface.z).a * unpackUnorm4x8(characters[slot.character].tint).a;
  gl_Position = draw.clip_from_world * vec4(pooled_position(pool[slot.offset + gl_VertexIndex]), 1.0);
}
