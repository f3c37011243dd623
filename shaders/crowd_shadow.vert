#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The crowd's depth passes: the same animation, seen from a light.
#include "throng/shaders/drawn.glsl"
#include "throng/shaders/scene.h"

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec2 surface_uv;
layout(location = 1) out float surface_alpha;

invariant gl_Position;

void main() {
  uint at = slots[gl_InstanceIndex];
  DrawnRecord record = read_drawn(at);
  MeshVertex vertex = read_vertex(gl_VertexIndex);
  SkinnedVertex placed = drawn_vertex(at, record, gl_VertexIndex, vertex);
  surface_uv = vertex.uv;
  surface_alpha = draw.base_colour.a * vertex.colour.a * unpackUnorm4x8(instances[record.instance].tint).a;
  gl_Position = draw.clip_from_world * vec4(placed.position, 1.0);
}
