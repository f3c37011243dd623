// SPDX-License-Identifier: Apache-2.0
// Records of a model and its crowd from textures, as WebGL 2 has to read them, for the tests' ESSL shaders.
#ifdef THRONG_ATLAS_UNORM8
uniform highp sampler2DArray atlas;
#else
uniform highp usampler2DArray atlas;
#endif
uniform highp usampler2D clip_words;       // a clip a row
uniform highp sampler2D table_rows;        // one a row
uniform highp usampler2D character_words;  // a character a row
uniform highp usampler2D morph_words;      // four a row
#ifdef THRONG_CHAINS
uniform highp usampler2D channel_words;
uniform highp usampler2D skeleton_words;
#endif

uniform uvec2 now;
uniform uint quality;

#define THRONG_ATLAS atlas
#include "language_skin.glsl"

uvec4 word_texel(highp usampler2D from, int row, int texel) { return texelFetch(from, ivec2(texel, row), 0); }

ClipRecord read_clip(uint clip) {
  int row = int(clip);
  return clip_of_words(word_texel(clip_words, row, 0), word_texel(clip_words, row, 1), word_texel(clip_words, row, 2),
                       word_texel(clip_words, row, 3));
}

vec4 read_table_row(uint row) { return texelFetch(table_rows, ivec2(0, row), 0); }

uint read_morph_word(uint word) { return texelFetch(morph_words, ivec2(0, word >> 2u), 0)[word & 3u]; }

#ifdef THRONG_CHAINS
uint read_channel_word(uint word) { return fetch_word(channel_words, word); }
LinkRecord read_link(uint link) { return fetch_link(skeleton_words, kColumns, link); }
ColumnRecord read_column(uint column) { return fetch_column(skeleton_words, column); }
#endif

PlayRecord play_of_row(int row) {
  return play_of_words(word_texel(character_words, row, 2), word_texel(character_words, row, 3),
                       word_texel(character_words, row, 4), word_texel(character_words, row, 5),
                       word_texel(character_words, row, 6));
}
