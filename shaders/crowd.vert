#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The crowd's colour pass: a vertex of a character, and its surface handed on.
#include "throng/shaders/colour.glsl"
#include "throng/shaders/drawn.glsl"
#include "throng/shaders/scene.h"
#ifdef THRONG_MOTION
#include "throng/shaders/motion.glsl"
#endif

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
// In world space. What poses local8 clips had is not kept: their characters are taken to have had the pose they have.
vec3 last_position(uint at, DrawnRecord record, MeshVertex vertex, vec3 now) {
  InstanceRecord instance = instances[record.instance];
  if (!has_moved(at)) return now;
  if (is_posed() || kSkinning == 2u) return carried_back(at, instance, now);
  SkinnedVertex before = skin_vertex(at, last_moment(at), gl_VertexIndex, vertex, record.bones);
  return place(last_instance(at, instance), before).position;
}
#endif

void main() {
  uint at = slots[gl_InstanceIndex];
  DrawnRecord record = read_drawn(at);
  MeshVertex vertex = read_vertex(gl_VertexIndex);
  SkinnedVertex placed = drawn_vertex(at, record, gl_VertexIndex, vertex);
  vec4 tint = unpackUnorm4x8(instances[record.instance].tint);
  world_position = placed.position;
  world_normal = placed.normal;
  world_tangent = placed.tangent;
  surface_uv = vertex.uv;
  surface_colour = draw.base_colour * vertex.colour * vec4(linear_from_srgb(tint.rgb), tint.a);
  variation = plays[record.instance].variation;
  gl_Position = draw.clip_from_world * vec4(placed.position, 1.0);
#ifdef THRONG_MOTION
  hand_on_motion(draw.clip_from_world, placed.position, last_position(at, record, vertex, placed.position));
#endif
}
