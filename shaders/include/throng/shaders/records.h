// The structures that C++ writes and shaders read, written once. Layout std430; C++ asserts sizes and offsets in
// throng/asset/records.h.
#ifndef THRONG_SHADERS_RECORDS_H
#define THRONG_SHADERS_RECORDS_H
#include "throng/shaders/language.h"

THRONG_NAMESPACE_BEGIN

// One character of a crowd. Its clip is at phase + rate × (now − start), where now and start count ticks (timing.h) and
// a whole turn of the clip is 2^64. 64-bit numbers are (low, high).
struct InstanceRecord {
  vec3 position;  // world_from_model: scale, then rotation, then position
  float scale;
  vec4 rotation;  // quaternion x y z w
  uint clip;
  uint tint;  // RGBA, 8 bits each, red lowest, sRGB; multiplies the base colour
  uvec2 phase;
  uvec2 rate;  // signed: backwards when negative
  uvec2 start;
};

// One baked clip.
struct ClipRecord {
  vec3 pivot_min;  // the box that positions are measured in
  float scale_max;
  vec3 pivot_size;
  uint loops;        // 1 or 0
  uint first_frame;  // in its layer, counted in frames of its own layout (throng/asset/layout.h)
  uint frame_count;
  uint layer;
  uint encoding;  // encodings.h
  uint texels_per_frame;
  uint frames_per_row;
  uint rows_per_frame;
  uint table;  // its first row in the table of pivots and boxes (throng/asset/encoding.h)
};

THRONG_NAMESPACE_END
#endif
