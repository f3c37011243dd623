#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// language_classic.glsl as GLSL.
layout(local_size_x = 64) in;

// Position, normal, bones, weights.
layout(std430, set = 0, binding = 0) readonly buffer Vertices { vec4 vertices[]; };
layout(std430, set = 0, binding = 1) readonly buffer Characters { vec4 characters[]; };  // frame, next, blend, layer
layout(std430, set = 0, binding = 2) writeonly buffer Found { vec4 found[]; };         // position, normal
layout(set = 0, binding = 3) uniform sampler2DArray anim_texture;

layout(push_constant) uniform Batch {
  uint vertex_count;
  uint count;
  uint kind;  // 0: a quaternion a bone; 1: rows; 2: vertices
  int rows_per_frame;
  int frames_per_layer;
};

#include "language_classic.glsl"

vec4 sample_anim(vec2 coordinates, float layer) { return textureLod(anim_texture, vec3(coordinates, layer), 0.0); }

void main() {
  uint item = gl_GlobalInvocationID.x;
  if (item >= count) return;
  uint index = item % vertex_count;
  vec4 character = characters[item / vertex_count];
  ivec2 frames = ivec2(character.xy);
  Anim anim = Anim(vec2(textureSize(anim_texture, 0).xy), rows_per_frame, frames_per_layer, int(character.w));
  AnimVertex vertex = AnimVertex(vertices[index * 4u].xyz, vertices[index * 4u + 1u].xyz);
  if (kind == 2u)
    vertex = stored_vertex(anim, int(index), frames.x, frames.y, character.z);
  else
    vertex = skinned_vertex(anim, kind == 1u, vertex, ivec4(vertices[index * 4u + 2u]), vertices[index * 4u + 3u],
                            frames.x, frames.y, character.z);
  found[item * 2u] = vec4(vertex.position, 1.0);
  found[item * 2u + 1u] = vec4(vertex.normal, 0.0);
}
