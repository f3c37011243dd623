// SPDX-License-Identifier: Apache-2.0
// A clip of two frames in localv made of six words, for tests of every language: one slot turns, another shifts. The
// twin of channel_items.h.
#include "throng/shaders/encodings/localv.glsl"

#ifdef THRONG_HLSL
static uvec4 item_words;
static uvec2 item_more;
#else
uvec4 item_words;
uvec2 item_more;
#endif

// Where the clip lies among all words: its first channel begins at word 65535, which in a slot table is none.
THRONG_CONSTANT(uint, kItemFirst, 65534u);

uint read_channel_word(uint place) {
  uint word = place - kItemFirst;
  if (word == 0u) return 0x00070001u;  // the slot table: channels at 1 and 7
  if (word == 1u || word == 7u) return item_words.x;
  if (word == 2u || word == 8u) return item_words.y;
  if (word == 3u || word == 9u) return item_words.z;
  if (word == 4u) return item_words.w;
  if (word == 5u) return item_more.x;
  if (word == 6u) return item_words.y & 0x3FFFFFFu;  // a fourth component
  if (word == 10u) return item_more.x & 0xFFFF0000u;
  uint mixed = item_more.y * 1664525u + word * 1013904223u;
  return mixed ^ (mixed >> 15);
}

BoneSample decode_channel_item(ClipRecord clip, uvec4 words, uvec2 more) {
  item_words = words;
  item_more = more;
  clip.table = kItemFirst;
  clip.layer = 11u;
  clip.texels_per_frame = 8u;
  clip.frames_per_row = 0u;
  clip.frames_per_layer = 2u;
  Cursor cursor;
  cursor.frame = 0u;
  cursor.next = 1u;
  cursor.blend = float(more.y & 0xFFFFFFu) * 5.9604644775390625e-8;
  ChannelFrames frames = channel_frames(clip, cursor);
  uint turn = channel_of(clip, 0u);
  vec4 rotation = turn == kAtRest ? vec4(0.0) : channel_rotation(turn, frames);
  return make_bone(rotation, channel_vector(channel_of(clip, 1u), frames), 1.0);
}
