#version 460
#extension GL_GOOGLE_include_directive : require
// Writes the vertices of a range of instances, as the crowd passes would place them.
#include "throng/shaders/crowd.glsl"
#include "throng/shaders/skin_batch.h"

layout(local_size_x = kSkinGroupSize) in;

layout(std430, set = 0, binding = 0) writeonly buffer Skinned { float skinned[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Cursors { uvec4 cursors[]; };  // frame, next, bits of blend, 0

layout(push_constant) uniform Batch { SkinBatch batch; };

void main() {
  uint vertex = gl_GlobalInvocationID.x;
  uint in_batch = gl_WorkGroupID.y;
  if (vertex >= batch.vertex_count) return;
  uint index = batch.first_instance + in_batch;
  InstanceRecord instance = instances[index];
  Cursor cursor = cursor_of(instance, batch.now);
  if (vertex == 0u) cursors[in_batch] = uvec4(cursor.frame, cursor.next, floatBitsToUint(cursor.blend), 0u);

  SkinnedVertex result = skin_vertex(index, clips[instance.clip], cursor, vertex, read_vertex(vertex));
  if (batch.world_space != 0u) result = place(instance, result);

  uint to = (in_batch * batch.vertex_count + vertex) * kSkinnedVertexFloats;
  for (uint i = 0u; i < 3u; ++i) {
    skinned[to + i] = result.position[i];
    skinned[to + 3u + i] = result.normal[i];
  }
}
