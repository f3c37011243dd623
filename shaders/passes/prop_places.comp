#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Where every socket of every character that is drawn with triangles is, in the pose that is drawn; and with motion
// vectors, behind each, where it was in the pose that was drawn last.
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/last.glsl"
#include "throng/shaders/passes/socket_places.glsl"

layout(local_size_x = kSocketGroupSize) in;

layout(std430, set = 0, binding = 0) readonly buffer Sockets { SocketRecord sockets[]; };
// The places, drawn character by drawn character.
layout(std430, set = 0, binding = 1) writeonly buffer Places { SocketPlace places[]; };
layout(std430, set = 0, binding = 2) readonly buffer Plans { PlanRecord plans[]; };

layout(push_constant) uniform Batch { DrawnSocketBatch batch; };

void main() {
  uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * kSocketGroupSize + gl_GlobalInvocationID.x;
  uint at = i / batch.socket_count;
  if (at >= plans[batch.model].meshed_count) return;
  DrawnRecord record = read_drawn(at);
  InstanceRecord instance = instance_at(record.instance);
  SocketRecord socket = sockets[i % batch.socket_count];
  uvec2 hidden = hidden_parts_at(record.instance);
  SocketPlace place = socket_place(instance, hidden, clips_at(record.moment), socket);
  if (kHistory == 0u) {
    places[i] = place;
    return;
  }
  places[2u * i] = place;
  if (has_moved(at)) place = socket_place(last_instance(at, instance), hidden, clips_at(last_moment(at)), socket);
  places[2u * i + 1u] = place;
}
