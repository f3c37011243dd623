// SPDX-License-Identifier: Apache-2.0
// A model and the rows of a plan (crowd.plan of throng.js) in WebGL 2, which has no storage buffers: records come from
// textures. The model's constants are #defined before this by model.js, so that what its clips do not need is compiled
// away.
uniform highp usampler2DArray atlas;
uniform highp usampler2D clip_words;
uniform highp sampler2D table_rows;
uniform highp usampler2D channel_words;
uniform highp usampler2D skeleton_words;
uniform highp usampler2D morph_texels;
uniform highp usampler2D drawn_words;

#define THRONG_ATLAS atlas
const uint kAtlasWidth = THRONG_ATLAS_WIDTH;
const uint kTexelWords = THRONG_TEXEL_WORDS;
const uint kFrameShapes = THRONG_FRAME_SHAPES;
const uint kEncodings = THRONG_ENCODINGS;
const uint kColumns = THRONG_COLUMNS;
const uint kAnimatedTangents = THRONG_ANIMATED_TANGENTS;
#include "throng/shaders/sampling/posed.glsl"
#include "throng/shaders/sampling/record_words.glsl"
#include "throng/shaders/shared/parts.h"
#ifdef THRONG_MORPHS
#include "throng/shaders/sampling/morphs.glsl"
uint read_morph_word(uint word) { return fetch_word(morph_texels, word); }
#endif

ClipRecord read_clip(uint clip) {
  int y = int(clip);
  return clip_of_words(texelFetch(clip_words, ivec2(0, y), 0), texelFetch(clip_words, ivec2(1, y), 0),
                       texelFetch(clip_words, ivec2(2, y), 0), texelFetch(clip_words, ivec2(3, y), 0));
}

vec4 read_table_row(uint row) { return texelFetch(table_rows, texel_at(row), 0); }
#ifdef THRONG_CHAINS
uint read_channel_word(uint word) { return fetch_word(channel_words, word); }
LinkRecord read_link(uint link) { return fetch_link(skeleton_words, kColumns, link); }
ColumnRecord read_column(uint column) { return fetch_column(skeleton_words, column); }
#endif

// A character that is drawn, as the plan wrote it.
struct DrawnRow {
  InstanceRecord instance;
  Moment moment;
  uint variation;
  uvec2 hidden_parts;
  uint bones;  // how many of its bones each vertex follows
};

const uint kRowTexels = 5u;

uvec4 row_texel(uint row, uint texel) { return texelFetch(drawn_words, texel_at(row * kRowTexels + texel), 0); }

Moment moment_of_words(uint clips, uvec4 now, uvec4 before) {
  Moment moment;
  moment.clip = clips & 0xFFFFu;
  moment.cursor.frame = now.x;
  moment.cursor.next = now.y;
  moment.cursor.blend = uintBitsToFloat(now.z);
  moment.weight = uintBitsToFloat(now.w);
  moment.previous_clip = clips >> 16;
  moment.previous.frame = before.x;
  moment.previous.next = before.y;
  moment.previous.blend = uintBitsToFloat(before.z);
  return moment;
}

// What the pose pass needs of a row.
Moment row_moment(uint row) { return moment_of_words(row_texel(row, 1u).z, row_texel(row, 2u), row_texel(row, 3u)); }

DrawnRow read_row(uint row) {
  DrawnRow drawn;
  drawn.instance = instance_of_words(row_texel(row, 0u), row_texel(row, 1u));
  drawn.moment = moment_of_words(drawn.instance.clips, row_texel(row, 2u), row_texel(row, 3u));
  uvec4 rest = row_texel(row, 4u);
  drawn.variation = rest.x;
  drawn.hidden_parts = rest.yz;
  drawn.bones = rest.w & 0xFFu;
  return drawn;
}
