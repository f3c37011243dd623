#version 300 es
// SPDX-License-Identifier: Apache-2.0
// language_skin.glsl as ESSL, read back by transform feedback. The test puts the model's numbers before it, as an
// engine would; with THRONG_POSE_PASS language_pose.frag has written what bones do.
#include "language_records.glsl"

#ifdef THRONG_POSE_PASS
uniform highp usampler2D turns;  // a character a row
uniform highp usampler2D shifts;
#endif

in uvec4 mesh_position;
in uvec4 mesh_normal;
in uvec4 mesh_tangent;
in uvec4 mesh_bones;
in uvec4 mesh_weights;

flat out uvec4 found_position;
flat out uvec4 found_normal;
flat out uvec4 found_tangent;

void main() {
  int row = gl_InstanceID;
  InstanceRecord instance = instance_of_words(word_texel(character_words, row, 0), word_texel(character_words, row, 1));
  MeshVertex vertex = mesh_vertex(mesh_position, mesh_normal, mesh_tangent, mesh_bones, mesh_weights);
#ifdef THRONG_POSE_PASS
  SkinnedVertex placed = place(instance, skin_by_pose(turns, shifts, ivec2(0, row), vertex, quality & 7u));
  float weight = fade_weight(play_of_row(row), now);
  SkinnedBits bits;
  bits.position = bits_of(vec4(placed.position, weight));
  bits.normal = bits_of(vec4(placed.normal, 0.0));
  bits.tangent = bits_of(placed.tangent);
#else
  SkinnedBits bits = skin_bits(instance, play_of_row(row), uint(gl_VertexID), vertex, now, quality);
#endif
  found_position = bits.position;
  found_normal = bits.normal;
  found_tangent = bits.tangent;
  gl_Position = vec4(0.0);
}
