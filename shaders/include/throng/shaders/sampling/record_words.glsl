// SPDX-License-Identifier: Apache-2.0
// The records from words, four at a time, for where structures cannot be bound: an RGBA32UI texture (WebGL 2) or a raw
// buffer. In the order C++ writes them, so a texture is filled with the same bytes as a buffer.
#ifndef THRONG_SHADERS_RECORD_WORDS_GLSL
#define THRONG_SHADERS_RECORD_WORDS_GLSL
#include "throng/shaders/shared/records.h"

// How many texels of four words each record takes.
THRONG_CONSTANT(uint, kInstanceTexels, 2u);
THRONG_CONSTANT(uint, kPlayTexels, 6u);
THRONG_CONSTANT(uint, kClipTexels, 4u);
THRONG_CONSTANT(uint, kTrackTexels, 2u);  // of a PlayRecord, its first

InstanceRecord instance_of_words(uvec4 a, uvec4 b) {
  vec4 place = uintBitsToFloat(a);
  InstanceRecord instance;
  instance.position = place.xyz;
  instance.scale = place.w;
  instance.rotation = b.xy;
  instance.clips = b.z;
  instance.tint = b.w;
  return instance;
}

TrackRecord track_of_words(uvec4 a, uvec4 b) {
  TrackRecord track;
  track.clip = a.x;
  track.wrap = a.y;
  track.phase = a.zw;
  track.rate = b.xy;
  track.start = b.zw;
  return track;
}

// The first five of its texels: the last holds what animation does not read.
PlayRecord play_of_words(uvec4 a, uvec4 b, uvec4 c, uvec4 d, uvec4 e) {
  PlayRecord play;
  play.track = track_of_words(a, b);
  play.previous = track_of_words(c, d);
  play.fade_start = e.xy;
  play.fade_ticks = e.z;
  play.variation = e.w;
  play.identity = 0u;
  play.parts_box = 0u;
  play.hidden_parts = uvec2(0u, 0u);
  return play;
}

ClipRecord clip_of_words(uvec4 a, uvec4 b, uvec4 c, uvec4 d) {
  vec4 low = uintBitsToFloat(a);
  ClipRecord clip;
  clip.pivot_min = low.xyz;
  clip.scale_max = low.w;
  clip.pivot_size = uintBitsToFloat(b.xyz);
  clip.loops = b.w;
  clip.first_frame = c.x;
  clip.frame_count = c.y;
  clip.layer = c.z;
  clip.encoding = c.w;
  clip.texels_per_frame = d.x;
  clip.frames_per_row = d.y;
  clip.frames_per_layer = d.z;
  clip.table = d.w;
  return clip;
}

#endif
