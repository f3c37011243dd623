// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip of a character: its facts (length, loop, events, root motion), and where its frames lie.

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "throng/character/channels.h"
#include "throng/character/clip_facts.h"
#include "throng/character/codecs/bone_codecs.h"
#include "throng/character/encoding.h"
#include "throng/character/error_report.h"
#include "throng/character/records.h"
#include "throng/math/bounds.h"
#include "throng/math/ground.h"

namespace throng {

// Where the ground under a character has gone since the clip's first frame: model_from_ground. Poses in the frames
// have it taken off.
using RootSample = GroundMotion;

// A clip's facts, and where its frames lie.
struct BakedClip {
  std::string name;
  double source_start = 0.0;  // the source's time of the first frame, seconds
  double length = 0.0;        // seconds; of one cycle when it loops, of first to last frame when not
  bool loops = false;
  std::uint32_t frame_count = 0;
  std::uint32_t first_frame = 0;  // in its layer, counted in frames of its own layout; clips may share frames
  std::uint32_t layer = 0;        // of its first frame; those it has no room for lie in the next (layer_frame)
  Encoding encoding = Encoding::q16;
  std::uint32_t first_table_row = 0;  // table_rows() of them in Character::table
  // Rows of morph weights (morphs.h): the first, and how many there are per frame step; 0: one row for the whole clip.
  std::uint32_t first_morph_row = 0;
  std::uint32_t morph_steps = 0;
  ChannelClip channels;  // localv: where its words lie; it has none in the atlas
  ClipRange range;
  Bounds bounds;                        // of every vertex at and between frames, the encoding's error added
  std::vector<ClipEvent> events;        // by time
  std::vector<RootSample> root_motion;  // empty, or one a frame and, when it loops, one more for the whole cycle
  ClipError error;
  std::string choice;  // why this rate and encoding

  // Frames a second.
  double rate() const;
};

// The frames around a time in seconds from the clip's first frame (wrapped when it loops, clamped when not), and the
// exact blend between them, in double.
struct ExactCursor {
  Cursor cursor;
  double blend = 0.0;
};
// The frames at that time of the clip: a loop goes on from its start, any other clip stays at its end.
ExactCursor cursor_at_time(const BakedClip& clip, double seconds);

}  // namespace throng
