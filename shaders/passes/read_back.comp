#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Writes the vertices of a range of drawn characters as the passes would place them, for the host to read.
#include "throng/shaders/passes/drawn.glsl"
#include "throng/shaders/shared/read_back.h"

layout(local_size_x = kReadBackGroupSize) in;

layout(std430, set = 0, binding = 0) writeonly buffer Skinned { float skinned[]; };

layout(push_constant) uniform Batch { ReadBackBatch batch; };

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= batch.vertex_count) return;
  uint at = batch.first + gl_WorkGroupID.y;
  DrawnRecord record = read_drawn(at);
  MeshVertex vertex = read_vertex(index);
  bool in_world = batch.world_space != 0u;
  SkinnedVertex result;
  if (in_world && is_in_pool(record) && wears_vertex(record.instance, index)) {
    result = pooled_vertex(record.first_vertex + index);
  } else {
    // In one place for both spaces: each call of skin_vertex is a copy of all encodings for the driver to compile.
    result = skin_vertex(pose_now(at), record.moment, index, vertex, in_world ? record.bones : batch.bones);
    if (in_world) result = place(instance_at(record.instance), result);
  }
  uint to = (gl_WorkGroupID.y * batch.vertex_count + index) * kReadBackFloats;
  for (uint i = 0u; i < 3u; ++i) {
    skinned[to + i] = result.position[i];
    skinned[to + 3u + i] = result.normal[i];
    skinned[to + 6u + i] = result.tangent[i];
  }
  skinned[to + 9u] = result.tangent.w;
}
