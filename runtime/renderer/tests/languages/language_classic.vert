#version 300 es
// SPDX-License-Identifier: Apache-2.0
// language_classic.glsl as ESSL, read back by transform feedback.
precision highp float;
precision highp int;
uniform highp sampler2DArray anim_texture;
uniform highp sampler2D characters;  // frame, next, blend, layer: one a row
uniform uint kind;                   // 0: a quaternion a bone; 1: rows; 2: vertices
uniform uint rows_per_frame;
uniform uint frames_per_layer;

in uvec4 mesh_position;
in uvec4 mesh_normal;
in uvec4 mesh_bones;
in uvec4 mesh_weights;

flat out vec4 found_position;
flat out vec4 found_normal;

#include "language_classic.glsl"

vec4 sample_anim(vec2 coordinates, float layer) { return textureLod(anim_texture, vec3(coordinates, layer), 0.0); }

void main() {
  vec4 character = texelFetch(characters, ivec2(0, gl_InstanceID), 0);
  ivec2 frames = ivec2(character.xy);
  Anim anim = Anim(vec2(textureSize(anim_texture, 0).xy), int(rows_per_frame), int(frames_per_layer), int(character.w));
  AnimVertex vertex = AnimVertex(uintBitsToFloat(mesh_position).xyz, uintBitsToFloat(mesh_normal).xyz);
  if (kind == 2u)
    vertex = stored_vertex(anim, gl_VertexID, frames.x, frames.y, character.z);
  else
    vertex = skinned_vertex(anim, kind == 1u, vertex, ivec4(uintBitsToFloat(mesh_bones)), uintBitsToFloat(mesh_weights),
                            frames.x, frames.y, character.z);
  found_position = vec4(vertex.position, 1.0);
  found_normal = vec4(vertex.normal, 0.0);
  gl_Position = vec4(0.0);
}
