// SPDX-License-Identifier: Apache-2.0
// The structures that C++ writes and shaders read, written once. Layout std430; C++ asserts sizes and offsets in
// throng/character/records.h. 64-bit numbers are (low, high).
#ifndef THRONG_SHADERS_RECORDS_H
#define THRONG_SHADERS_RECORDS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

// What culling reads of every character, every image: kept small.
struct InstanceRecord {
  vec3 position;   // world_from_model: scale, then rotation, then position
  float scale;     // below 0: hidden, drawn by nothing; its size is what it would be without the sign
  uvec2 rotation;  // a unit quaternion, packed: rotation.h
  uint clips;      // low half: the clip it plays; high half: the one that fades out, or kNoClip
  uint tint;       // RGBA, 8 bits each, red lowest, sRGB; multiplies the base colour
};

THRONG_CONSTANT(uint, kNoClip, 0xFFFFu);

// What happens at a clip's ends.
THRONG_CONSTANT(uint, kWrapClamp, 0u);
THRONG_CONSTANT(uint, kWrapLoop, 1u);
THRONG_CONSTANT(uint, kWrapPingPong, 2u);

// A clip as it is played: it is at phase + rate × (now − start), where now and start count ticks (timing.h) and a whole
// cycle is 2^64. A cycle of a ping-pong leads there and back.
struct TrackRecord {
  uint clip;
  uint wrap;
  uvec2 phase;
  uvec2 rate;  // signed: backwards when negative
  uvec2 start;
};

// What a character plays: read of those that are drawn. While a cross-fade lasts there are two tracks.
struct PlayRecord {
  TrackRecord track;
  TrackRecord previous;  // fades out
  uvec2 fade_start;
  uint fade_ticks;  // 0: nothing fades, and `previous` means nothing
  uint variation;   // any number: materials take their differences between characters from it
  uint identity;   // no other character has it: what is known of it from the last image is known by this. 0: nothing is
  uint parts_box;  // how much less far than its model it reaches for what it does not wear: parts.h
  uvec2 hidden_parts;  // a bit for each part of the model that it does not wear
};

// One baked clip.
struct ClipRecord {
  vec3 pivot_min;  // the box that positions are measured in
  float scale_max;
  vec3 pivot_size;
  uint loops;        // 1 or 0: whether its last frame leads back to its first
  uint first_frame;  // in its layer, counted in frames of its own layout (throng/character/layout.h)
  uint frame_count;
  // localv (channels.h) has other numbers in these: its first stored frame, words of a frame, its frame map, how many
  // frames are stored, its first word.
  uint layer;     // of its first frame; those that there is no room for lie in the next
  uint encoding;  // encodings.h
  uint texels_per_frame;
  uint frames_per_row;
  uint frames_per_layer;
  uint table;  // its first row in the table of pivots and boxes (throng/character/encoding.h)
};

THRONG_NAMESPACE_END
#endif
