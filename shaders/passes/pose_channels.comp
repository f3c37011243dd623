#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// The pose pass of models all of whose clips are in localv: what each column does, for every drawn character. A group
// takes one character after another; a thread takes links and columns, the same ones of all of them. Chains are
// composed by jumping: after s rounds a link knows where it is relative to the one 2^s steps up its chain. pose.comp is
// for all other models.
#include "throng/shaders/passes/last.glsl"
#include "throng/shaders/passes/links.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/plan.glsl"

layout(constant_id = 8) const uint kLanes = 32u;  // threads of a group, as local_size_x
layout(constant_id = 9) const uint kLinks = 1u;
layout(constant_id = 10) const uint kJumps = 0u;

layout(local_size_x_id = 11) in;

layout(std430, set = 1, binding = 9) writeonly restrict buffer Palette { vec4 palette[]; };  // palette.glsl
layout(std430, set = 1, binding = 25) readonly restrict buffer PoseTable { uvec4 pose_table[]; };  // pose_records.h

layout(push_constant) uniform Batch { CullBatch batch; };

const uint kMost = kLinks > kColumns ? kLinks : kColumns;
const uint kLinkRounds = (kLinks + kLanes - 1u) / kLanes;
const uint kColumnRounds = (kColumns + kLanes - 1u) / kLanes;

// A pose as far as it is composed: rotations, then positions and scales. The gap keeps the two in different banks.
const uint kPlaces = (kMost + 3u) / 8u * 8u + 4u;
shared vec4 moves[2u * kPlaces];

void share(uint at, BoneSample bone) {
  moves[at] = bone.rotation;
  moves[kPlaces + at] = vec4(bone.position, bone.scale);
}

BoneSample shared_bone(uint at) { return BoneSample(moves[at], moves[kPlaces + at].xyz, moves[kPlaces + at].w); }

ChannelHead head_of(uvec4 base, uvec4 bits) {
  const uint kMask = (1u << kPoseWidthBits) - 1u;
  uvec3 widths = uvec3(bits.y, bits.y >> kPoseWidthBits, bits.y >> (2u * kPoseWidthBits)) & kMask;
  return ChannelHead(uintBitsToFloat(base.xyz), widths, bits.x & ~kPoseFourth);
}

vec3 own_vector(uint row, ChannelFrames frames) {
  uvec4 base = pose_table[row];
  ChannelHead head = head_of(base, pose_table[row + 1u]);
  vec3 steps = mix(channel_fields(frames.from, head), channel_fields(frames.to, head), frames.blend);
  return uintBitsToFloat(base.w) * steps;
}

// The link relative to its parent.
BoneSample link_at(uint clip, ChannelFrames frames, uint link) {
  uint row = kLinks * (1u + kPoseRows * clip) + link;
  vec4 mean = uintBitsToFloat(pose_table[row]);
  uvec4 base = pose_table[row + kLinks];
  uvec4 bits = pose_table[row + 2u * kLinks];
  vec4 place = uintBitsToFloat(pose_table[row + 3u * kLinks]);
  ChannelHead head = head_of(base, bits);
  FourthComponent fourth =
      FourthComponent((bits.x & kPoseFourth) != 0u, uintBitsToFloat(bits.z), (bits.y >> (3u * kPoseWidthBits)) & 31u);
  float step = uintBitsToFloat(base.w);
  BoneSample bone;
  bone.rotation = turned_from_mean(mean, channel_rotation_in(frames.from, head, step, fourth),
                                   channel_rotation_in(frames.to, head, step, fourth), frames.blend);
  bone.position = place.xyz;
  bone.scale = place.w;
  if (bits.w != kNoPoseRow) {
    bone.position = own_vector(bits.w, frames);
    bone.scale = own_vector(bits.w + 2u, frames).x;
  }
  return bone;
}

// What is the same for all characters: a thread's links and columns.
uvec4 jumps[kLinkRounds];
ColumnRecord own_columns[kColumnRounds];

uint jump_of(uvec4 bytes, uint round) { return (bytes[round >> 2] >> (8u * (round & 3u))) & 0xFFu; }

// Leaves in `moves` where every link is. All threads of a group call it, for the same clip.
void share_chains(uint clip, Cursor cursor) {
  uint lane = gl_LocalInvocationIndex;
  ChannelFrames frames = channel_frames(clips[clip], cursor);
  BoneSample bones[kLinkRounds];
  [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r)
    bones[r] = link_at(clip, frames, min(lane + r * kLanes, kLinks - 1u));
  [[unroll]] for (uint round = 0u; round <= kJumps; ++round) {
    barrier();
    [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r)
      if (lane + r * kLanes < kLinks) share(lane + r * kLanes, bones[r]);
    barrier();
    if (round == kJumps) break;
    [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r) {
      uint to = jump_of(jumps[r], round);
      if (to != kNoJump) bones[r] = compose(shared_bone(to), bones[r]);
    }
  }
}

// About the origin, once the chains are shared.
BoneSample column_now(uint r) {
  ColumnRecord column = own_columns[r];
  return compose(shared_bone(column.link), BoneSample(column.rotation, column.position, column.scale));
}

// With what fades out, about where the two links are.
BoneSample blended(BoneSample previous, BoneSample bone, float weight, uint r) {
  vec3 pivot = origin_of(own_columns[r]);
  bone.position += bone.scale * rotate_by(bone.rotation, pivot);
  previous.position += previous.scale * rotate_by(previous.rotation, pivot);
  bone = mix_bones(previous, bone, weight);
  bone.position -= bone.scale * rotate_by(bone.rotation, pivot);
  return bone;
}

void write_pose(uint pose, Moment moment) {
  uint lane = gl_LocalInvocationIndex;
  bool fades = moment.previous_clip != kNoClip && moment.weight < 1.0;
  BoneSample bones[kColumnRounds];
  if (fades) {
    share_chains(moment.previous_clip, moment.previous);
    [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r) bones[r] = column_now(r);
  }
  share_chains(moment.clip, moment.cursor);
  [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r) {
    BoneSample bone = column_now(r);
    if (fades) bone = blended(bones[r], bone, moment.weight, r);
    bones[r] = bone;
  }
  barrier();
  [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r)
    if (lane + r * kLanes < kColumns) share(lane + r * kLanes, bones[r]);
  barrier();
  // Neighbours write what lies side by side.
  for (uint i = lane; i < 2u * kColumns; i += kLanes)
    palette[pose * 2u * kColumns + i] = moves[(i & 1u) * kPlaces + (i >> 1)];
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r) jumps[r] = pose_table[min(lane + r * kLanes, kLinks - 1u)];
  [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r) own_columns[r] = columns[min(lane + r * kLanes, kColumns - 1u)];
  uint count = plans[batch.model].meshed_count;
  for (uint at = gl_WorkGroupID.x; at < count; at += gl_NumWorkGroups.x) {
    write_pose(kHistory != 0u ? 2u * at : at, read_drawn(at).moment);
    // Nobody asks for the last pose of one that stands still.
    if (kHistory != 0u && has_moved(at)) write_pose(2u * at + 1u, last_moment(at));
  }
}
