#version 300 es
// SPDX-License-Identifier: Apache-2.0
// language_skin.glsl as ESSL, its records from textures as WebGL 2 has to, read back by transform feedback. The test puts
// the model's numbers before it, as an engine would.
#ifdef THRONG_ATLAS_UNORM8
uniform highp sampler2DArray atlas;
#else
uniform highp usampler2DArray atlas;
#endif
uniform highp usampler2D clip_words;       // a clip a row
uniform highp sampler2D table_rows;        // one a row
uniform highp usampler2D character_words;  // a character a row
uniform highp usampler2D morph_words;      // four a row

uniform uvec2 now;
uniform uint quality;

#define THRONG_ATLAS atlas
#include "language_skin.glsl"

in uvec4 mesh_position;
in uvec4 mesh_normal;
in uvec4 mesh_tangent;
in uvec4 mesh_bones;
in uvec4 mesh_weights;

flat out uvec4 found_position;
flat out uvec4 found_normal;
flat out uvec4 found_tangent;

uvec4 word_texel(highp usampler2D from, int row, int texel) { return texelFetch(from, ivec2(texel, row), 0); }

ClipRecord read_clip(uint clip) {
  int row = int(clip);
  return clip_of_words(word_texel(clip_words, row, 0), word_texel(clip_words, row, 1), word_texel(clip_words, row, 2),
                       word_texel(clip_words, row, 3));
}

vec4 read_table_row(uint row) { return texelFetch(table_rows, ivec2(0, row), 0); }

uint read_morph_word(uint word) { return texelFetch(morph_words, ivec2(0, word >> 2u), 0)[word & 3u]; }

void main() {
  int row = gl_InstanceID;
  InstanceRecord instance = instance_of_words(word_texel(character_words, row, 0), word_texel(character_words, row, 1));
  PlayRecord play = play_of_words(word_texel(character_words, row, 2), word_texel(character_words, row, 3),
                                  word_texel(character_words, row, 4), word_texel(character_words, row, 5),
                                  word_texel(character_words, row, 6));
  MeshVertex vertex = mesh_vertex(mesh_position, mesh_normal, mesh_tangent, mesh_bones, mesh_weights);
  SkinnedBits bits = skin_bits(instance, play, uint(gl_VertexID), vertex, now, quality);
  found_position = bits.position;
  found_normal = bits.normal;
  found_tangent = bits.tangent;
  gl_Position = vec4(0.0);
}
