// SPDX-License-Identifier: Apache-2.0
// What the passes that draw need of a vertex, of far and near characters alike: one draw has both. Those of far ones
// are found through the list of this view, those of near ones through their draw tasks (set 3), which the CPU wrote.
#ifndef THRONG_SHADERS_DRAWN_SURFACE_GLSL
#define THRONG_SHADERS_DRAWN_SURFACE_GLSL
#include "throng/shaders/passes/drawn.glsl"
#include "throng/shaders/shared/near.h"

layout(constant_id = 9) const uint kNearVertices = kNoNearVertices;
// Bits that a vertex's number takes in an index that sift.comp wrote; 0: it writes none for this pass.
layout(constant_id = 10) const uint kSiftedBits = 0u;

layout(std430, set = 3, binding = 0) readonly buffer NearCharacters { NearRecord near_characters[]; };
layout(std430, set = 3, binding = 1) readonly buffer DrawTasks { NearDrawTask draw_tasks[]; };
layout(std430, set = 3, binding = 2) readonly buffer NearSurfaces { uvec4 near_surfaces[]; };  // uv, colour

struct DrawnSurface {
  SkinnedVertex placed;  // in world space
  vec2 uv;
  vec4 colour;
  vec4 tint;
  uint variation;
};

// Where vertices of parts that are not worn go: outside of every view, all at one place.
const vec4 kOutside = vec4(2.0, 2.0, 2.0, 1.0);

bool is_near(uint instance) { return kNearVertices != kNoNearVertices && instance >= kFirstNear; }

// Which of the drawn characters an instance is, and which of its mesh's vertices.
struct DrawnPlace {
  uint at;
  uint vertex;
};

DrawnPlace drawn_place(uint instance, uint index) {
  if (kSiftedBits == 0u || instance < kFirstSifted) return DrawnPlace(view_list(instance), index);
  return DrawnPlace(view_list(instance - kFirstSifted + (index >> kSiftedBits)), index & ((1u << kSiftedBits) - 1u));
}

// w: side; zero where the mesh has none.
vec4 near_tangent(uint at) {
  uint word = kNearVertices == kNearWithTangents ? pool_tangents[at] : kNoTangent;
  return word == kNoTangent ? vec4(0.0) : pooled_tangent(word);
}

DrawnSurface near_surface(NearDrawTask task, uint index) {
  NearRecord character = near_characters[task.character];
  uvec4 words = pool_words(task.offset + index);
  uvec4 surface = near_surfaces[index];
  return DrawnSurface(SkinnedVertex(pooled_position(words), pooled_normal(words), near_tangent(task.offset + index)),
                      uintBitsToFloat(surface.xy), unpackUnorm4x8(surface.z), unpackUnorm4x8(character.tint),
                      character.variation);
}

DrawnSurface far_surface(uint at, DrawnRecord record, uint index, MeshVertex vertex) {
  return DrawnSurface(drawn_vertex(at, record, index, vertex), vertex.uv, vertex.colour,
                      unpackUnorm4x8(instance_at(record.instance).tint), variation_at(record.instance));
}

#endif
