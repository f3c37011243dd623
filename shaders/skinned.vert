#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The colour pass of characters that skinned.comp has skinned: hands on what crowd.vert does.
#include "throng/shaders/colour.glsl"
#include "throng/shaders/scene.h"
#include "throng/shaders/skinned_drawn.glsl"

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 surface_uv;
layout(location = 3) out vec4 surface_colour;
layout(location = 4) out vec4 world_tangent;
layout(location = 5) flat out uint variation;

// A caller's own depth pass over the same vertices must find the same depth to the last bit.
invariant gl_Position;

#ifdef THRONG_MOTION
layout(std430, set = 1, binding = 5) readonly buffer LastPool { uvec4 last_pool[]; };
layout(std430, set = 1, binding = 6) readonly buffer View { SkinnedView view; };

// As motion_target.glsl reads them.
layout(location = 6) out vec3 picture_place;
layout(location = 7) out vec3 last_picture_place;
#endif

void main() {
  DrawSlot slot = draw_slots[gl_InstanceIndex];
  SkinnedCharacter character = characters[slot.character];
  uvec4 surface = surfaces[gl_VertexIndex];
  uint at = slot.offset + gl_VertexIndex;
  uvec4 words = pool[at];
  vec4 tint = unpackUnorm4x8(character.tint);
  world_position = pooled_position(words);
  world_normal = pooled_normal(words);
  world_tangent = drawn_tangent(at);
  surface_uv = uintBitsToFloat(surface.xy);
  surface_colour = draw.base_colour * unpackUnorm4x8(surface.z) * vec4(linear_from_srgb(tint.rgb), tint.a);
  variation = character.variation;
  gl_Position = draw.clip_from_world * vec4(world_position, 1.0);
#ifdef THRONG_MOTION
  vec3 last_position = world_position;
  if (slot.known != 0u) last_position = pooled_position(last_pool[slot.last_offset + gl_VertexIndex]);
  picture_place = gl_Position.xyw;
  last_picture_place = (view.last_clip_from_world * vec4(last_position, 1.0)).xyw;
#endif
}
