// SPDX-License-Identifier: Apache-2.0
#pragma once
// One clip as words: its range, its rows of the table, and its frames one after the other.

#include "bone_frames/pivots.h"

namespace throng::detail::bake {

struct EncodedClip {
  Encoding encoding = Encoding::q16;
  ClipRange range;
  std::uint32_t frame_count = 0;
  std::uint64_t words_per_frame = 0;
  std::vector<glm::vec4> table;
  std::vector<std::uint32_t> words;  // frame after frame, without any room between; localv: as channels.h says
  ChannelClip channels = {};         // localv alone, which has nothing in the atlas

  bool in_atlas() const { return !is_channel_encoding(encoding); }
  // What it costs, whatever the atlas adds to round it up.
  std::uint64_t bytes() const { return 4 * words.size() + sizeof(glm::vec4) * table.size(); }
};

// What the clip does that this encoding cannot hold; nothing when it can hold all. Not for local8, whose chains are
// another matter.
std::optional<Misfit> misfit_of(Encoding encoding, const ColumnSamples& samples);

// What an encoding can hold, for the message: "rotation, translation and uniform scale".
std::string_view held_by(Encoding encoding);

// Any bone encoding but local8; the clip must fit it.
EncodedClip encode_clip(Encoding encoding, const ColumnSamples& samples, const ColumnShape& shape);

// The float not above (below) a number: ranges are floats to the shader, and must hold every value all the same.
float float_below(double value);
float float_above(double value);

}  // namespace throng::detail::bake
