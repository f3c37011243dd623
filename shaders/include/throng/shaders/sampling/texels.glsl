// SPDX-License-Identifier: Apache-2.0
// Words, links and columns from textures of whole numbers, for where there are no storage buffers: OpenGL ES 3.0 and
// WebGL 2. In C++ throng/character/upload.h fills them.
#ifndef THRONG_SHADERS_TEXELS_GLSL
#define THRONG_SHADERS_TEXELS_GLSL
#include "throng/shaders/sampling/bone_samples.glsl"
#include "throng/shaders/shared/pose_records.h"
#include "throng/shaders/shared/texels.h"

ivec2 texel_at(uint texel) { return ivec2(int(texel & (kTexelsInRow - 1u)), int(texel >> kRowShift)); }

// A word of an R32UI texture.
uint fetch_word(usampler2D words, uint word) { return texelFetch(words, texel_at(word), 0).x; }

LinkRecord link_of_words(uvec4 a, uvec4 b, uvec4 c) {
  LinkRecord link;
  link.rotation = uintBitsToFloat(a);
  link.position = uintBitsToFloat(b.xyz);
  link.scale = uintBitsToFloat(b.w);
  link.parent = c.x;
  link.rotation_slot = c.y;
  link.translation_slot = c.z;
  link.scale_slot = c.w;
  return link;
}

ColumnRecord column_of_words(uvec4 a, uvec4 b, uvec4 c) {
  ColumnRecord column;
  column.rotation = uintBitsToFloat(a);
  column.position = uintBitsToFloat(b.xyz);
  column.scale = uintBitsToFloat(b.w);
  column.link = c.x;
  column.origin_x = uintBitsToFloat(c.y);
  column.origin_y = uintBitsToFloat(c.z);
  column.origin_z = uintBitsToFloat(c.w);
  return column;
}

// Read from an RGBA32UI texture: the columns, and behind them the links.
ColumnRecord fetch_column(usampler2D skeleton, uint column) {
  uint at = column * kColumnTexels;
  return column_of_words(texelFetch(skeleton, texel_at(at), 0), texelFetch(skeleton, texel_at(at + 1u), 0),
                         texelFetch(skeleton, texel_at(at + 2u), 0));
}
LinkRecord fetch_link(usampler2D skeleton, uint columns, uint link) {
  uint at = columns * kColumnTexels + link * kLinkTexels;
  return link_of_words(texelFetch(skeleton, texel_at(at), 0), texelFetch(skeleton, texel_at(at + 1u), 0),
                       texelFetch(skeleton, texel_at(at + 2u), 0));
}

#endif
