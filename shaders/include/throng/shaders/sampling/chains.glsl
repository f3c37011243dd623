// SPDX-License-Identifier: Apache-2.0
// Chains of bones in localv: where a column is in the model, from what each link above it says relative to its parent.
// Knows no bindings: whoever includes it says where words, links and columns are. The C++ twin, in double, is
// throng::decode_columns.
#ifndef THRONG_SHADERS_CHAINS_GLSL
#define THRONG_SHADERS_CHAINS_GLSL
#include "throng/shaders/encodings/localv.glsl"
#include "throng/shaders/shared/pose_records.h"

LinkRecord read_link(uint link);        // one link of the skeleton
ColumnRecord read_column(uint column);  // how one column hangs on it

// A link relative to its parent, between two frames (channel_frames). What has no slot, or rests in this clip, is as at
// rest.
BoneSample sample_localv(ClipRecord clip, ChannelFrames frames, LinkRecord link) {
  BoneSample bone = make_bone(link.rotation, link.position, link.scale);
  uint turn = link.rotation_slot == kNoSlot ? kAtRest : channel_of(clip, link.rotation_slot);
  if (turn != kAtRest) bone.rotation = channel_rotation(turn, frames);
  uint shift = link.translation_slot == kNoSlot ? kAtRest : channel_of(clip, link.translation_slot);
  if (shift != kAtRest) bone.position = channel_vector(shift, frames);
  uint growth = link.scale_slot == kNoSlot ? kAtRest : channel_of(clip, link.scale_slot);
  if (growth != kAtRest) bone.scale = channel_vector(growth, frames).x;
  return bone;
}

// How a column moves, about the origin: its chain from the column's link to the root.
BoneSample compose_chain(ClipRecord clip, ChannelFrames frames, ColumnRecord column) {
  BoneSample bone = make_bone(column.rotation, column.position, column.scale);
  uint link = column.link;
  while (link != kNoLink) {
    LinkRecord record = read_link(link);
    bone = compose(sample_localv(clip, frames, record), bone);
    link = record.parent;
  }
  return bone;
}

// What a column turns about, and what a cross-fade to a clip in localv blends about.
vec3 origin_of(ColumnRecord column) { return vec3(column.origin_x, column.origin_y, column.origin_z); }

#endif
