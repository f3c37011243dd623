#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The depth passes: the same animation, seen from a light.
#include "throng/shaders/passes/drawn_surface.glsl"
#include "throng/shaders/shared/scene.h"

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec2 surface_uv;
layout(location = 1) out float surface_alpha;

invariant gl_Position;

DrawnSurface drawn_surface(uint instance) {
  if (is_near(instance)) return near_surface(draw_tasks[instance - kFirstNear], gl_VertexIndex);
  uint at = view_list(instance);
  return far_surface(at, read_drawn(at), gl_VertexIndex, read_vertex(gl_VertexIndex));
}

void main() {
  gl_Position = kOutside;
  if (!is_near(gl_InstanceIndex) && !wears_vertex(drawn_instance(view_list(gl_InstanceIndex)), gl_VertexIndex)) return;
  DrawnSurface surface = drawn_surface(gl_InstanceIndex);
  surface_uv = surface.uv;
  surface_alpha = draw.base_colour.a * surface.colour.a * surface.tint.a;
  gl_Position = draw.clip_from_world * vec4(surface.placed.position, 1.0);
}
