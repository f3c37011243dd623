#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The colour pass: a vertex of a character, far or near, and its surface handed on.
#include "throng/shaders/scene/colour.glsl"
#include "throng/shaders/passes/drawn_surface.glsl"
#include "throng/shaders/shared/scene.h"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/motion.glsl"
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
// The vertices of the last image, as the pool has them.
layout(std430, set = 3, binding = 3) readonly buffer NearLast { uvec4 near_last[]; };

// In world space.
vec3 last_position(DrawnPlace of, DrawnRecord record, MeshVertex vertex, vec3 now) {
  uint at = of.at;
  InstanceRecord instance = instance_at(record.instance);
  if (!has_moved(at)) return now;
  if (kVertexSource == kVerticesAtRest) return carried_back(at, instance, now);
  SkinnedVertex before = skin_vertex(pose_before(at), last_moment(at), of.vertex, vertex, record.bones);
  return place(last_instance(at, instance), before).position;
}
#endif

void hand_on(DrawnSurface surface) {
  world_position = surface.placed.position;
  world_normal = surface.placed.normal;
  world_tangent = surface.placed.tangent;
  surface_uv = surface.uv;
  surface_colour = draw.base_colour * surface.colour * vec4(linear_from_srgb(surface.tint.rgb), surface.tint.a);
  variation = surface.variation;
}

void draw_near(NearDrawTask task) {
  hand_on(near_surface(task, gl_VertexIndex));
#ifdef THRONG_MOTION
  vec3 last = world_position;
  if (task.known != 0u) last = pooled_position(near_last[task.last_offset + gl_VertexIndex]);
  hand_on_motion(draw.clip_from_world, world_position, last);
#endif
}

void draw_far(DrawnPlace place) {
  DrawnRecord record = read_drawn(place.at);
  MeshVertex vertex = read_vertex(place.vertex);
  hand_on(far_surface(place.at, record, place.vertex, vertex));
#ifdef THRONG_MOTION
  hand_on_motion(draw.clip_from_world, world_position, last_position(place, record, vertex, world_position));
#endif
}

void main() {
  uint instance = gl_InstanceIndex;
  if (is_near(instance)) {
    draw_near(draw_tasks[instance - kFirstNear]);
  } else {
    DrawnPlace place = drawn_place(instance, gl_VertexIndex);
    gl_Position = kOutside;
    if (!wears_vertex(drawn_instance(place.at), place.vertex)) return;
    draw_far(place);
  }
  gl_Position = draw.clip_from_world * vec4(world_position, 1.0);
}
