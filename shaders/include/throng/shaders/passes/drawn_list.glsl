// SPDX-License-Identifier: Apache-2.0
// The characters that are drawn in this image (set 1, binding 7): the DrawnWords of all, then the FadingWords of all,
// which few have. Written and read sixteen bytes at a time: a word at a time took eight times as long on a large GPU.
// Define THRONG_WRITES_DRAWN to write.
#ifndef THRONG_SHADERS_DRAWN_LIST_GLSL
#define THRONG_SHADERS_DRAWN_LIST_GLSL
#include "throng/shaders/shared/drawing.h"

#ifdef THRONG_WRITES_DRAWN

layout(std430, set = 1, binding = 7) writeonly buffer Drawn { uvec4 drawn_words[]; };

// There is room for as many of either: three texels a character.
uint first_fading_word() { return uint(drawn_words.length()) / 3u * 2u; }

void write_drawn(uint at, DrawnRecord record) {
  Moment moment = record.moment;
  drawn_words[at * 2u] =
      uvec4(record.instance, moment.clip | (moment.previous_clip << 16), moment.cursor.frame, moment.cursor.next);
  drawn_words[at * 2u + 1u] = uvec4(floatBitsToUint(moment.cursor.blend), floatBitsToUint(moment.weight),
                                    record.first_vertex | (record.bones << kFirstVertexBits), 0u);
  if (moment.previous_clip != kNoClip)
    drawn_words[first_fading_word() + at] =
        uvec4(moment.previous.frame, moment.previous.next, floatBitsToUint(moment.previous.blend), 0u);
}

#else

#ifdef THRONG_TEXELS
#include "throng/shaders/passes/model_texels.glsl"
uvec4 drawn_word(uint at) { return texelFetch(drawn_texels, int(at)); }
uint drawn_words_there() { return uint(textureSize(drawn_texels)); }
#else
layout(std430, set = 1, binding = 7) readonly buffer Drawn { uvec4 drawn_words[]; };
uvec4 drawn_word(uint at) { return drawn_words[at]; }
uint drawn_words_there() { return uint(drawn_words.length()); }
#endif

// There is room for as many of either: three texels a character.
uint first_fading_word() { return drawn_words_there() / 3u * 2u; }

uint drawn_instance(uint at) { return drawn_word(at * 2u).x; }

DrawnRecord read_drawn(uint at) {
  uvec4 first = drawn_word(at * 2u);
  uvec4 second = drawn_word(at * 2u + 1u);
  DrawnRecord record;
  record.instance = first.x;
  record.moment.clip = first.y & 0xFFFFu;
  record.moment.previous_clip = first.y >> 16;
  record.moment.cursor = Cursor(first.z, first.w, uintBitsToFloat(second.x));
  record.moment.weight = uintBitsToFloat(second.y);
  record.moment.previous = record.moment.cursor;
  if (record.moment.previous_clip != kNoClip) {
    uvec4 third = drawn_word(first_fading_word() + at);
    record.moment.previous = Cursor(third.x, third.y, uintBitsToFloat(third.z));
  }
  record.first_vertex = second.z & ((1u << kFirstVertexBits) - 1u);
  record.bones = second.z >> kFirstVertexBits;
  return record;
}

#endif
#endif
