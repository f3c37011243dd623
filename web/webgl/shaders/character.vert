#version 300 es
// SPDX-License-Identifier: Apache-2.0
// A vertex of a character, for the picture and for shadow maps: posed before (THRONG_POSED), or decoded here.
#include "records.glsl"
#include "throng/shaders/scene/colour.glsl"

uniform mat4 clip_from_world;
uniform vec4 base_colour;
#ifdef THRONG_POSED
uniform highp usampler2D turns;
uniform highp usampler2D shifts;
uniform uint characters_in_row;
#endif

layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;
layout(location = 6) in vec4 colour;
#ifndef THRONG_VERTEX_MODE
layout(location = 1) in vec3 normal;
layout(location = 4) in uvec4 bones;
layout(location = 5) in vec4 weights;
#endif
#ifdef THRONG_TANGENTS
layout(location = 2) in vec4 tangent;
#endif
#ifdef THRONG_PARTS
layout(location = 7) in uint part;
#endif
layout(location = 8) in uint row;

out vec3 world_position;
out vec3 world_normal;
out vec4 world_tangent;  // w: side; zero when the model has none
out vec2 surface_uv;
out vec4 surface_colour;
flat out uint variation;

MeshVertex own_vertex() {
  MeshVertex vertex;
  vertex.position = position;
  vertex.uv = uv;
  vertex.colour = colour;
  vertex.tangent = vec4(0.0);
#ifdef THRONG_TANGENTS
  vertex.tangent = tangent;
#endif
#ifdef THRONG_VERTEX_MODE
  vertex.normal = vec3(0.0, 1.0, 0.0);
  vertex.bones = uvec4(0u);
  vertex.weights = vec4(0.0);
#else
  vertex.normal = normal;
  vertex.bones = bones;
  vertex.weights = weights;
#endif
  return vertex;
}

SkinnedVertex in_model(DrawnRow drawn, MeshVertex vertex) {
#ifdef THRONG_MORPHS
  vertex = morphed_vertex(drawn.moment, uint(gl_VertexID), vertex);
#endif
#ifdef THRONG_POSED
  ivec2 first = ivec2(int(row % characters_in_row * kColumns), int(row / characters_in_row));
  return skin_by_pose(turns, shifts, first, vertex, drawn.bones);
#else
  return sample_vertex(clips_at(drawn.moment), uint(gl_VertexID), vertex, drawn.bones);
#endif
}

void main() {
  DrawnRow drawn = read_row(row);
  MeshVertex vertex = own_vertex();
  SkinnedVertex placed = place(drawn.instance, in_model(drawn, vertex));
  vec4 tint = unpackUnorm4x8(drawn.instance.tint);
  world_position = placed.position;
  world_normal = placed.normal;
  world_tangent = placed.tangent;
  surface_uv = vertex.uv;
  surface_colour = base_colour * vertex.colour * vec4(linear_from_srgb(tint.rgb), tint.a);
  variation = drawn.variation;
  gl_Position = clip_from_world * vec4(placed.position, 1.0);
#ifdef THRONG_PARTS
  // Outside of every view, all at one place.
  if (!is_worn(drawn.hidden_parts, part)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
#endif
}
