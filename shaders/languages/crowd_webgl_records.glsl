// SPDX-License-Identifier: Apache-2.0
// A model and its crowd in WebGL 2. There are no storage buffers, so records come from textures. All of them are
// NEAREST, without mipmaps: integers cannot be filtered.
uniform highp usampler2DArray atlas;       // the asset's: RG32UI or RGBA32UI; any texel where all clips are localv
uniform highp usampler2D channel_words;    // R32UI, kTexelsInRow in a row: the words of localv
uniform highp usampler2D skeleton_words;   // RGBA32UI, kTexelsInRow in a row: columns, and behind them links
uniform highp usampler2D clip_words;       // RGBA32UI: kClipTexels a clip, a clip a row
uniform highp sampler2D table_rows;        // RGBA32F, kTexelsInRow in a row
// RGBA32UI: kInstanceTexels, then kPlayTexels, a character; kCharactersInRow in a row.
uniform highp usampler2D character_words;

uniform uvec2 now;  // ticks, (low, high)

// The model's constants: write them into the source, and what its clips do not need is compiled away.
#define THRONG_ATLAS atlas
#define THRONG_CHAINS  // some clip is localv
const uint kAtlasWidth = 256u;
const uint kTexelWords = 4u;
const uint kFrameShapes = 7u;
const uint kEncodings = 2048u;  // bit n: some clip is of encoding n
const uint kColumns = 24u;
const uint kAnimatedTangents = 0u;
#include "throng/shaders/sampling/posed.glsl"
#include "throng/shaders/sampling/record_words.glsl"
#include "throng/shaders/sampling/sampling.glsl"

const uint kCharactersInRow = 128u;

ClipRecord read_clip(uint clip) {
  int y = int(clip);
  return clip_of_words(texelFetch(clip_words, ivec2(0, y), 0), texelFetch(clip_words, ivec2(1, y), 0),
                       texelFetch(clip_words, ivec2(2, y), 0), texelFetch(clip_words, ivec2(3, y), 0));
}

vec4 read_table_row(uint row) { return texelFetch(table_rows, texel_at(row), 0); }
uint read_channel_word(uint word) { return fetch_word(channel_words, word); }
LinkRecord read_link(uint link) { return fetch_link(skeleton_words, kColumns, link); }
ColumnRecord read_column(uint column) { return fetch_column(skeleton_words, column); }

uvec4 character_texel(uint character, uint texel) {
  uint x = (character % kCharactersInRow) * (kInstanceTexels + kPlayTexels) + texel;
  return texelFetch(character_words, ivec2(x, character / kCharactersInRow), 0);
}

InstanceRecord instance_of(uint character) {
  return instance_of_words(character_texel(character, 0u), character_texel(character, 1u));
}

PlayRecord play_of(uint character) {
  return play_of_words(character_texel(character, 2u), character_texel(character, 3u), character_texel(character, 4u),
                       character_texel(character, 5u), character_texel(character, 6u));
}
