// SPDX-License-Identifier: Apache-2.0
// A vertex of a character as the passes that draw see it: skinned here, or read from the pool.
#ifndef THRONG_SHADERS_DRAWN_GLSL
#define THRONG_SHADERS_DRAWN_GLSL
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/palette.glsl"
#include "throng/shaders/passes/pool.glsl"
#include "throng/shaders/shared/vertex_source.h"

layout(constant_id = 8) const uint kVertexSource = kVerticesAsDrawn;

#ifdef THRONG_TEXELS
uint view_list(uint place) { return texelFetch(view_list_texels, int(place)).x; }
uvec4 pool_words(uint vertex) { return texelFetch(pool_texels, int(vertex)); }
#else
layout(std430, set = 1, binding = 8) readonly buffer ViewLists { uint view_lists[]; };  // view by view
layout(std430, set = 1, binding = 10) readonly buffer Pool { uvec4 pool[]; };
uint view_list(uint place) { return view_lists[place]; }
uvec4 pool_words(uint vertex) { return pool[vertex]; }
#endif
layout(std430, set = 1, binding = 16) readonly buffer PoolTangents { uint pool_tangents[]; };

SkinnedVertex pooled_vertex(uint index) {
  uvec4 words = pool_words(index);
  SkinnedVertex vertex = SkinnedVertex(pooled_position(words), pooled_normal(words), vec4(0.0));
  if (kTangents != 0u) vertex.tangent = pooled_tangent(pool_tangents[index]);
  return vertex;
}

// Whether skin.comp has left the character's vertices in the pool: those of parts that it wears.
bool is_in_pool(DrawnRecord record) {
  return kVertexSource == kVerticesPooled ||
         (kVertexSource == kVerticesPooledOrDrawn && record.first_vertex != kNotPooled);
}

// In world space. `at`: which of the drawn characters it is.
SkinnedVertex drawn_vertex(uint at, DrawnRecord record, uint index, MeshVertex vertex) {
  if (is_in_pool(record)) return pooled_vertex(record.first_vertex + index);
  if (kVertexSource == kVerticesAtRest)
    return place(instance_at(record.instance), SkinnedVertex(vertex.position, vertex.normal, vertex.tangent));
  return place(instance_at(record.instance), skin_vertex(pose_now(at), record.moment, index, vertex, record.bones));
}

#endif
