#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// A thing that hangs on a socket of every character: drawn where the character is drawn, for as long as that has
// triangles.
#include "throng/shaders/scene/colour.glsl"
#include "throng/shaders/passes/crowd_records.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/shared/prop.h"
#include "throng/shaders/shared/scene.h"
#include "throng/shaders/sampling/skinning.glsl"
#include "throng/shaders/shared/sockets.h"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/motion.glsl"
#endif

layout(std430, set = 1, binding = 8) readonly buffer ViewLists { uint view_lists[]; };
layout(std430, set = 3, binding = 0) readonly buffer Vertices { PropVertex vertices[]; };
layout(std430, set = 3, binding = 1) readonly buffer Places { SocketPlace places[]; };  // prop_places.comp

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(constant_id = 0) const uint kSocket = 0u;
layout(constant_id = 1) const uint kSockets = 1u;  // of a character
// Places of a socket: 2 where motion vectors are drawn, the second the last image's.
layout(constant_id = 2) const uint kPlaces = 1u;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 surface_uv;
layout(location = 3) out vec4 surface_colour;
layout(location = 4) out vec4 world_tangent;
layout(location = 5) flat out uint variation;

invariant gl_Position;

vec3 placed_at(SocketPlace place, vec3 position) {
  vec4 point = vec4(position, 1.0);
  return vec3(dot(place.row_x, point), dot(place.row_y, point), dot(place.row_z, point));
}

void main() {
  uint at = view_lists[gl_InstanceIndex];
  DrawnRecord record = read_drawn(at);
  uint number = at * kSockets + kSocket;
  SocketPlace place = places[number * kPlaces];
  PropVertex vertex = vertices[gl_VertexIndex];
  world_position = placed_at(place, vertex.position);
  world_normal = turn_normal(mat3_of_rows(place.row_x.xyz, place.row_y.xyz, place.row_z.xyz), vertex.normal);
  surface_uv = vec2(0.0);
  surface_colour = draw.base_colour * vec4(vertex.colour, 1.0);
  world_tangent = vec4(0.0);
  variation = variation_at(record.instance);
  gl_Position = draw.clip_from_world * vec4(world_position, 1.0);
#ifdef THRONG_MOTION
  hand_on_motion(draw.clip_from_world, world_position, placed_at(places[number * kPlaces + 1u], vertex.position));
#endif
}
