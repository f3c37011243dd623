// SPDX-License-Identifier: Apache-2.0
// Where values lie in an animation texture, and how they are read: the formulas of throng/character/layout.h. Knows no
// bindings; a test compares it with C++ texel by texel.
//
// Integer coordinates throughout: nothing is filtered. A texel is one word (R32UI; RGBA8 with THRONG_ATLAS_UNORM8), two
// (RG32UI) or four (RGBA32UI). Make an AtlasLayout of constants (specialisation constants are good) and the branches on
// them vanish.
#ifndef THRONG_SHADERS_ATLAS_GLSL
#define THRONG_SHADERS_ATLAS_GLSL
#include "throng/shaders/shared/frame_shapes.h"
#include "throng/shaders/shared/records.h"

struct AtlasLayout {
  uint width;        // texels
  uint texel_words;  // 1, 2 or 4
  uint shapes;       // which of frame_shapes.h any clip has; all bits: whatever comes
};

AtlasLayout make_atlas_layout(uint width, uint texel_words, uint shapes) {
  AtlasLayout made;
  made.width = width;
  made.texel_words = texel_words;
  made.shapes = shapes;
  return made;
}

// The first texel of a frame. Take it once, for all that is read of the frame.
struct FramePlace {
  uint x;
  uint y;
  uint layer;
};

// Rows of a frame that is wider than the atlas; 1 where it is not.
uint rows_per_frame(AtlasLayout atlas_layout, ClipRecord clip) {
  return (clip.texels_per_frame + atlas_layout.width - 1u) / atlas_layout.width;
}

// `frame` counts from the top of the clip's layer, as a Cursor's do. What that has no room for lies in the next.
FramePlace frame_place(AtlasLayout atlas_layout, ClipRecord clip, uint frame) {
  FramePlace place;
  place.x = 0u;
  place.y = frame;
  place.layer = clip.layer;
  if ((atlas_layout.shapes & kFramesRunOn) != 0u) {
    uint full_layers = frame / clip.frames_per_layer;
    place.layer += full_layers;
    place.y -= full_layers * clip.frames_per_layer;
  }
  if ((atlas_layout.shapes & kFramesSideBySide) != 0u) {
    uint in_layer = place.y;
    place.y = in_layer / clip.frames_per_row;
    place.x = (in_layer - place.y * clip.frames_per_row) * clip.texels_per_frame;
  }
  if ((atlas_layout.shapes & kFramesFolded) != 0u) place.y *= rows_per_frame(atlas_layout, clip);
  return place;
}

// A frame that lies in one row never reaches the width, so one formula serves all.
ivec3 texel_address(AtlasLayout atlas_layout, FramePlace place, uint texel_in_frame) {
  uint x = place.x + texel_in_frame;
  uint row = (atlas_layout.shapes & kFramesFolded) != 0u ? x / atlas_layout.width : 0u;
  return ivec3(x - row * atlas_layout.width, place.y + row, place.layer);
}

#ifdef THRONG_ATLAS_UNORM8

// An atlas of rgbm alone, bound as RGBA8: its texels come as numbers from 0 to 1, and a word is the four bytes they
// stand for.
#define THRONG_ATLAS_SAMPLER sampler2DArray
uvec4 fetch_texel(THRONG_ATLAS_SAMPLER atlas, AtlasLayout atlas_layout, FramePlace place, uint texel_in_frame) {
  uvec4 bytes = uvec4(texelFetch(atlas, texel_address(atlas_layout, place, texel_in_frame), 0) * 255.0 + 0.5);
  return uvec4(bytes.x | (bytes.y << 8) | (bytes.z << 16) | (bytes.w << 24), 0u, 0u, 0u);
}

#else

#define THRONG_ATLAS_SAMPLER usampler2DArray
uvec4 fetch_texel(THRONG_ATLAS_SAMPLER atlas, AtlasLayout atlas_layout, FramePlace place, uint texel_in_frame) {
  return texelFetch(atlas, texel_address(atlas_layout, place, texel_in_frame), 0);
}

#endif

// Words of a frame from `word` on. Items of two, four and six words start at a multiple of two, four and two; items of
// three start anywhere and may lie in two texels. Texels of one word have items of two and three.
uvec2 fetch_two(THRONG_ATLAS_SAMPLER atlas, AtlasLayout atlas_layout, FramePlace place, uint word) {
  if (atlas_layout.texel_words == 1u)
    return uvec2(fetch_texel(atlas, atlas_layout, place, word).x, fetch_texel(atlas, atlas_layout, place, word + 1u).x);
  uvec4 texel = fetch_texel(atlas, atlas_layout, place, word / atlas_layout.texel_words);
  return atlas_layout.texel_words == 2u || (word & 2u) == 0u ? texel.xy : texel.zw;
}

uvec3 fetch_three(THRONG_ATLAS_SAMPLER atlas, AtlasLayout atlas_layout, FramePlace place, uint word) {
  if (atlas_layout.texel_words == 1u)
    return uvec3(fetch_two(atlas, atlas_layout, place, word), fetch_texel(atlas, atlas_layout, place, word + 2u).x);
  uint texel = word / atlas_layout.texel_words;
  uvec4 first = fetch_texel(atlas, atlas_layout, place, texel);
  if (atlas_layout.texel_words == 2u) {
    uvec2 second = fetch_texel(atlas, atlas_layout, place, texel + 1u).xy;
    return (word & 1u) == 0u ? uvec3(first.xy, second.x) : uvec3(first.y, second);
  }
  uint within = word & 3u;
  if (within == 0u) return first.xyz;
  if (within == 1u) return first.yzw;
  uvec2 second = fetch_texel(atlas, atlas_layout, place, texel + 1u).xy;
  return within == 2u ? uvec3(first.zw, second.x) : uvec3(first.w, second);
}

uvec4 fetch_four(THRONG_ATLAS_SAMPLER atlas, AtlasLayout atlas_layout, FramePlace place, uint word) {
  uint texel = word / atlas_layout.texel_words;
  uvec4 first = fetch_texel(atlas, atlas_layout, place, texel);
  if (atlas_layout.texel_words == 4u) return first;
  return uvec4(first.xy, fetch_texel(atlas, atlas_layout, place, texel + 1u).xy);
}

struct SixWords {
  uvec4 first;
  uvec2 last;
};

SixWords make_six(uvec4 first, uvec2 last) {
  SixWords made;
  made.first = first;
  made.last = last;
  return made;
}

SixWords fetch_six(THRONG_ATLAS_SAMPLER atlas, AtlasLayout atlas_layout, FramePlace place, uint word) {
  uint texel = word / atlas_layout.texel_words;
  uvec4 a = fetch_texel(atlas, atlas_layout, place, texel);
  uvec4 b = fetch_texel(atlas, atlas_layout, place, texel + 1u);
  if (atlas_layout.texel_words == 2u)
    return make_six(uvec4(a.xy, b.xy), fetch_texel(atlas, atlas_layout, place, texel + 2u).xy);
  if ((word & 2u) == 0u) return make_six(a, b.xy);
  return make_six(uvec4(a.zw, b.xy), b.zw);
}

#endif
