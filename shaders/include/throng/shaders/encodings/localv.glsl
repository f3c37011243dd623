// SPDX-License-Identifier: Apache-2.0
// localv: channels relative to the parent, in bits as each needs. The twin of character/src/encodings/localv.cpp; what
// the bits mean is in shared/channels.h. Knows no bindings: whoever includes it says where the words are.
#ifndef THRONG_SHADERS_ENCODINGS_LOCALV_GLSL
#define THRONG_SHADERS_ENCODINGS_LOCALV_GLSL
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/shared/channels.h"
#include "throng/shaders/shared/records.h"
#include "throng/shaders/shared/timing.h"

uint read_channel_word(uint word);  // one of the character's words in localv; two past the last are read, too

// Two stored frames by their first words, and how far a moment is on the way from the one to the other.
struct ChannelFrames {
  uint from;
  uint to;
  float blend;
};

ChannelFrames channel_frames(ClipRecord clip, Cursor cursor) {
  StoredFrames between;
  between.from = cursor.frame;
  between.to = cursor.next;
  between.blend = cursor.blend;
  if (clip.frames_per_row != 0u)  // its frame map
    between = stored_frames(read_channel_word(clip.table + clip.frames_per_row + cursor.frame), clip.frames_per_layer,
                            cursor.blend);
  ChannelFrames made;
  made.from = clip.table + clip.layer + between.from * clip.texels_per_frame;
  made.to = clip.table + clip.layer + between.to * clip.texels_per_frame;
  made.blend = between.blend;
  return made;
}

// The first word of what a slot does in a clip, or kAtRest.
uint channel_of(ClipRecord clip, uint slot) {
  uint at = (read_channel_word(clip.table + (slot >> 1)) >> ((slot & 1u) * 16u)) & kNoChannel;
  return at == kNoChannel ? kAtRest : clip.table + at;
}

// What a channel's first words say: where its components are in a frame, and what they count from.
struct ChannelHead {
  vec3 base;
  uvec3 widths;
  uint bit;
};

ChannelHead channel_head(uint channel) {
  uint x = read_channel_word(channel);
  uint y = read_channel_word(channel + 1u);
  uint z = read_channel_word(channel + 2u);
  ChannelHead head;
  head.base = vec3(channel_base(x), channel_base(y), channel_base(z));
  head.widths = uvec3(channel_width(x), channel_width(y), channel_width(z));
  head.bit = channel_bit(x, y, z);
  return head;
}

// Takes a field of up to 31 bits off the front of what is left of four words; `shift` bits of the first are gone.
uint take_bits(inout uvec4 words, inout uint shift, uint width) {
  uint bits = bits_at(words.x, words.y, shift, width);
  shift += width;
  if (shift >= 32u) {
    shift -= 32u;
    words = words.yzww;
  }
  return bits;
}

// The components of a channel in one frame, in steps. Most lie in two words, nearly all in three.
vec3 channel_fields(uint frame, ChannelHead head) {
  uint first = frame + (head.bit >> 5);
  uint shift = head.bit & 31u;
  uint end = shift + head.widths.x + head.widths.y + head.widths.z;
  if (end == shift) return head.base;
  uvec4 words = uvec4(read_channel_word(first), read_channel_word(first + 1u), 0u, 0u);
  if (end > 64u) words.z = read_channel_word(first + 2u);
  if (end > 96u) words.w = read_channel_word(first + 3u);
  uint x = take_bits(words, shift, head.widths.x);
  uint y = take_bits(words, shift, head.widths.y);
  uint z = take_bits(words, shift, head.widths.z);
  return head.base + vec3(float(x), float(y), float(z));
}

// A fourth component, which comes behind the others.
struct FourthComponent {
  bool stored;
  float base;
  uint width;
};

float channel_fourth(uint frame, ChannelHead head, FourthComponent fourth) {
  uint bit = head.bit + head.widths.x + head.widths.y + head.widths.z;
  uint word = frame + (bit >> 5);
  return fourth.base + float(bits_at(read_channel_word(word), read_channel_word(word + 1u), bit & 31u, fourth.width));
}

// Relative to the mean.
vec4 channel_rotation_in(uint frame, ChannelHead head, float step, FourthComponent fourth) {
  vec3 v = step * channel_fields(frame, head);
  return vec4(v, fourth.stored ? step * channel_fourth(frame, head, fourth) : sqrt(max(1.0 - dot(v, v), 0.0)));
}

// The rotation between two that are given relative to a mean.
vec4 turned_from_mean(vec4 mean, vec4 from, vec4 to, float blend) {
  float cosine = dot(from, to);
  float by = turned_blend(abs(cosine), blend);
  vec4 rotation = multiply_quaternions(mean, from * (1.0 - by) + to * (cosine < 0.0 ? -by : by));
  // Words that nobody wrote must not become NaN.
  return rotation * inversesqrt(max(dot(rotation, rotation), 1e-12));
}

// A rotation between two frames. `channel`: channel_of() its slot, and not kAtRest.
vec4 channel_rotation(uint channel, ChannelFrames frames) {
  ChannelHead head = channel_head(channel);
  uint word_3 = read_channel_word(channel + 3u);
  uint word_4 = read_channel_word(channel + 4u);
  float step = uintBitsToFloat(word_4 & 0xFFFF0000u);
  FourthComponent fourth;
  fourth.stored = (word_4 & kFourComponents) != 0u;
  uint component = fourth.stored ? read_channel_word(channel + kRotationWords) : 0u;
  fourth.base = channel_base(component);
  fourth.width = channel_width(component);
  return turned_from_mean(rotation_mean(word_3, word_4), channel_rotation_in(frames.from, head, step, fourth),
                          channel_rotation_in(frames.to, head, step, fourth), frames.blend);
}

// A translation or a scale between two frames; of a scale that is one number, x alone is right.
vec3 channel_vector(uint channel, ChannelFrames frames) {
  ChannelHead head = channel_head(channel);
  float step = uintBitsToFloat(read_channel_word(channel + 3u));
  return step * mix(channel_fields(frames.from, head), channel_fields(frames.to, head), frames.blend);
}

#endif
