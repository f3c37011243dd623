#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Where every socket of every character is: world_from_socket, for other draws to hang things on.
#include "throng/shaders/passes/socket_places.glsl"

layout(local_size_x = kSocketGroupSize) in;

layout(std430, set = 0, binding = 0) readonly buffer Sockets { SocketRecord sockets[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Places { SocketPlace places[]; };  // character by character

layout(push_constant) uniform Batch { SocketBatch batch; };

void main() {
  uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * kSocketGroupSize + gl_GlobalInvocationID.x;
  if (i >= batch.instance_count * batch.socket_count) return;
  uint index = i / batch.socket_count;
  PosedClips posed = clips_at(moment_of(play_at(index), batch.now));
  places[i] = socket_place(instance_at(index), hidden_parts_at(index), posed, sockets[i % batch.socket_count]);
}
