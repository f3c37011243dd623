// SPDX-License-Identifier: Apache-2.0
// Time → frames, the same source on the CPU and in shaders, in integers, so that both find the same frames bit for bit.
//
// A phase is a 64-bit fraction of a clip: 0 is its start, 2^64 would be its end. Looping is integer overflow: exact,
// for ever.
#ifndef THRONG_SHADERS_TIMING_H
#define THRONG_SHADERS_TIMING_H
#include "throng/shaders/sampling/language.h"
#include "throng/shaders/shared/records.h"

THRONG_NAMESPACE_BEGIN

// What a clip is at. Frames are counted within the clip's layer.
struct Cursor {
  uint frame;
  uint next;
  float blend;  // in [0, 1)
};

// What a character is at: its clip, and while a cross-fade lasts the one that fades out.
struct Moment {
  uint clip;
  Cursor cursor;
  uint previous_clip;  // kNoClip: nothing fades, and `previous` means nothing
  Cursor previous;
  float weight;  // of `clip`, 0 to 1
};

THRONG_FUNCTION uvec2 add64(uvec2 a, uvec2 b) {
  uint low = a.x + b.x;
  return uvec2(low, a.y + b.y + (low < a.x ? 1u : 0u));
}

THRONG_FUNCTION uvec2 negate64(uvec2 a) { return add64(uvec2(~a.x, ~a.y), uvec2(1u, 0u)); }

// The low 64 bits of the product.
THRONG_FUNCTION uvec2 multiply64(uvec2 a, uvec2 b) {
  return uvec2(a.x * b.x, mul_high(a.x, b.x) + a.x * b.y + a.y * b.x);
}

// Whether the product of two unsigned numbers needs more than 64 bits.
THRONG_FUNCTION bool multiply64_overflows(uvec2 a, uvec2 b) {
  if (a.y != 0u && b.y != 0u) return true;
  uint cross_low = a.x * b.y + a.y * b.x;  // one of the two is 0
  uint cross_high = mul_high(a.x, b.y) + mul_high(a.y, b.x);
  return cross_high != 0u || mul_high(a.x, b.x) + cross_low < cross_low;
}

THRONG_FUNCTION bool negative64(uvec2 a) { return (a.y >> 31) != 0u; }
THRONG_FUNCTION bool less64(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

// A phase stepped `elapsed` ticks (signed) at `rate` (signed) on a clip that loops.
THRONG_FUNCTION uvec2 looped_phase(uvec2 phase, uvec2 rate, uvec2 elapsed) {
  return add64(phase, multiply64(rate, elapsed));
}

// The same on a clip that stops at its ends. At the end the phase is 2^64 − 1. A negative `elapsed` counts as none.
THRONG_FUNCTION uvec2 clamped_phase(uvec2 phase, uvec2 rate, uvec2 elapsed) {
  if (negative64(elapsed)) return phase;
  bool backwards = negative64(rate);
  uvec2 speed = backwards ? negate64(rate) : rate;
  bool far = multiply64_overflows(speed, elapsed);
  uvec2 distance = multiply64(speed, elapsed);
  if (backwards) return far || less64(phase, distance) ? uvec2(0u, 0u) : add64(phase, negate64(distance));
  uvec2 sum = add64(phase, distance);
  return far || less64(sum, phase) ? uvec2(0xFFFFFFFFu, 0xFFFFFFFFu) : sum;
}

// A phase of a ping-pong's cycle, there and back, as the phase of the clip.
THRONG_FUNCTION uvec2 folded_phase(uvec2 phase) {
  uvec2 twice = uvec2(phase.x << 1, (phase.y << 1) | (phase.x >> 31));
  return negative64(phase) ? uvec2(~twice.x, ~twice.y) : twice;
}

// Where a track's clip is at `now`.
THRONG_FUNCTION uvec2 phase_at(TrackRecord track, uvec2 now) {
  uvec2 elapsed = add64(now, negate64(track.start));
  if (track.wrap == kWrapClamp) return clamped_phase(track.phase, track.rate, elapsed);
  uvec2 phase = looped_phase(track.phase, track.rate, elapsed);
  return track.wrap == kWrapPingPong ? folded_phase(phase) : phase;
}

// How much of `track` is seen at `now`, the rest being `previous`: 0 as a cross-fade begins, 1 when it is over.
THRONG_FUNCTION float fade_weight(PlayRecord play, uvec2 now) {
  if (play.fade_ticks == 0u) return 1.0f;
  uvec2 elapsed = add64(now, negate64(play.fade_start));
  if (negative64(elapsed)) return 0.0f;
  if (elapsed.y != 0u || elapsed.x >= play.fade_ticks) return 1.0f;
  float t = THRONG_FLOAT(elapsed.x) / THRONG_FLOAT(play.fade_ticks);
  return t * t * (3.0f - 2.0f * t);
}

// A clip that loops has frame_count intervals, the last leading back to its first frame; one that does not has one
// fewer and its last frame is its end.
// The clip decides how its frames follow each other; how it is played does not.
THRONG_FUNCTION Cursor cursor_at(ClipRecord clip, uvec2 phase) {
  bool at_end = clip.loops == 0u && phase.x == 0xFFFFFFFFu && phase.y == 0xFFFFFFFFu;
  uint intervals = clip.loops != 0u ? clip.frame_count : clip.frame_count - 1u;
  uint frame = at_end ? intervals : mul_high(phase.y, intervals);
  uint next = at_end ? frame : frame + 1u;
  if (next >= clip.frame_count) next = clip.loops != 0u ? 0u : frame;
  // 24 bits are what a float holds exactly: the same value everywhere, never 1.
  uint fraction = at_end ? 0u : (phase.y * intervals) >> 8;
  Cursor cursor;
  cursor.frame = clip.first_frame + frame;
  cursor.next = clip.first_frame + next;
  cursor.blend = THRONG_FLOAT(fraction) * 5.9604644775390625e-8f;  // 2^-24
  return cursor;
}

THRONG_NAMESPACE_END
#endif
