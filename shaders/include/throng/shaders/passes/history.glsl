// SPDX-License-Identifier: Apache-2.0
// What characters were shown as (HistoryWords), for motion vectors: kept character by character from image to image,
// and laid beside the list of those that are drawn now. Only the gather pass writes either.
#ifndef THRONG_SHADERS_HISTORY_GLSL
#define THRONG_SHADERS_HISTORY_GLSL
#include "throng/shaders/shared/drawing.h"

layout(std430, set = 1, binding = 19) buffer History { uvec4 history_words[]; };
layout(std430, set = 1, binding = 20) writeonly buffer Last { uvec4 last_words[]; };

struct HistoryRecord {
  uvec4 words[4];
};

HistoryRecord history_of(InstanceRecord instance, Moment moment, uint identity, uint number) {
  HistoryRecord record;
  record.words[0] = uvec4(identity, number, moment.clip | (moment.previous_clip << 16), moment.cursor.frame);
  record.words[1] = uvec4(moment.cursor.next, floatBitsToUint(moment.cursor.blend), floatBitsToUint(moment.weight),
                          moment.previous.frame);
  record.words[2] = uvec4(moment.previous.next, floatBitsToUint(moment.previous.blend), instance.rotation);
  record.words[3] = uvec4(floatBitsToUint(instance.position), floatBitsToUint(instance.scale));
  return record;
}

// Somebody else may have had the place, or it was not drawn: then nothing is known of it.
bool is_known(HistoryRecord before, HistoryRecord now) {
  return now.words[0].x != 0u && before.words[0].x == now.words[0].x && before.words[0].y + 1u == now.words[0].y;
}

bool is_elsewhere(HistoryRecord before, HistoryRecord now) {
  return before.words[0].zw != now.words[0].zw || before.words[1] != now.words[1] || before.words[2] != now.words[2] ||
         before.words[3] != now.words[3];
}

void keep_history(uint at, uint index, HistoryRecord now) {
  HistoryRecord before;
  for (uint i = 0u; i < 4u; ++i) before.words[i] = history_words[index * 4u + i];
  for (uint i = 0u; i < 4u; ++i) history_words[index * 4u + i] = now.words[i];
  bool moved = is_known(before, now) && is_elsewhere(before, now);
  uint last = at * 4u;
  // For a character that stands still, drawing reads no more than that it does.
  last_words[last] = uvec4(before.words[0].x, moved ? 1u : 0u, before.words[0].zw);
  for (uint i = 1u; moved && i < 4u; ++i) last_words[last + i] = before.words[i];
}

#endif
