#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef THRONG_SUBGROUP
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
// The pose pass of models all of whose clips are in localv: what each column does, for every drawn character. A thread
// takes links and columns, the same ones of one character after another. Chains are composed by jumping: after s rounds
// a link knows where it is relative to the one 2^s steps up its chain. pose.comp is for all other models.
//
// A group takes a character, and its threads tell each other through shared memory; with THRONG_SUBGROUP a subgroup
// does, which has a thread for every link and column: they read each other's numbers, and wait for nobody.
#include "throng/shaders/passes/last.glsl"
#include "throng/shaders/passes/links.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/plan.glsl"

layout(constant_id = 8) const uint kLanes = 32u;  // threads of a character
layout(constant_id = 9) const uint kLinks = 1u;
layout(constant_id = 10) const uint kJumps = 0u;
layout(constant_id = 12) const uint kShapes = 15u;   // kPoseFourths and the like: what no channel is, is compiled away
layout(constant_id = 13) const uint kTableWidth = 1u;  // rows of a block of the table

layout(local_size_x_id = 11) in;

layout(std430, set = 1, binding = 9) writeonly restrict buffer Palette { vec4 palette[]; };  // palette.glsl
layout(std430, set = 1, binding = 25) readonly restrict buffer PoseTable { uvec4 pose_table[]; };  // pose_records.h

layout(push_constant) uniform Batch { CullBatch batch; };

// Bases are added when fields are multiplied by the step: rows have them times the step.
ChannelHead head_of(uvec4 bits) {
  const uint kMask = (1u << kPoseWidthBits) - 1u;
  uvec3 widths = uvec3(bits.y, bits.y >> kPoseWidthBits, bits.y >> (2u * kPoseWidthBits)) & kMask;
  return ChannelHead(vec3(0.0), widths, bits.x & ~kPoseFourth);
}

// channel_fields() of channels whose components are in 32 bits together.
vec3 narrow_fields(uint frame, ChannelHead head) {
  uint first = frame + (head.bit >> 5);
  uint shift = head.bit & 31u;
  uint bits = (read_channel_word(first) >> shift) | ((read_channel_word(first + 1u) << 1) << (31u - shift));
  // A component that begins behind the 32nd bit has none.
  uvec3 fields = uvec3(bits, bits >> head.widths.x, bits >> ((head.widths.x + head.widths.y) & 31u));
  return vec3(fields & ((uvec3(1u) << head.widths) - 1u));
}

vec3 vector_in(uint frame, ChannelHead head, vec4 base) {
  vec3 fields = (kShapes & kPoseWide) != 0u ? channel_fields(frame, head) : narrow_fields(frame, head);
  return base.w * fields + base.xyz;
}

vec3 own_vector(uint row, ChannelFrames frames) {
  vec4 base = uintBitsToFloat(pose_table[row]);
  ChannelHead head = head_of(pose_table[row + 1u]);
  return mix(vector_in(frames.from, head, base), vector_in(frames.to, head, base), frames.blend);
}

// A rotation relative to its mean. Of a translation x, y and z are right.
vec4 components_in(uint frame, ChannelHead head, vec4 base, FourthComponent fourth) {
  vec3 v = vector_in(frame, head, base);
  float rest = sqrt(max(1.0 - dot(v, v), 0.0));
  if ((kShapes & kPoseFourths) != 0u && fourth.stored) rest = base.w * channel_fourth(frame, head, fourth);
  return vec4(v, rest);
}

// Position and scale of a link at rest: the same in every clip.
vec4 rest_of(uint link) { return uintBitsToFloat(pose_table[kTableWidth * kPoseRows + link]); }

// The link relative to its parent. `rest`: rest_of() it.
BoneSample link_at(uint clip, ChannelFrames frames, uint link, vec4 rest) {
  uint row = kTableWidth * (1u + kPoseRows * clip) + link;
  vec4 mean = uintBitsToFloat(pose_table[row]);
  vec4 base = uintBitsToFloat(pose_table[row + kTableWidth]);
  uvec4 bits = pose_table[row + 2u * kTableWidth];
  ChannelHead head = head_of(bits);
  FourthComponent fourth =
      FourthComponent((bits.x & kPoseFourth) != 0u, uintBitsToFloat(bits.z), (bits.y >> (3u * kPoseWidthBits)) & 31u);
  vec4 from = components_in(frames.from, head, base, fourth);
  vec4 to = components_in(frames.to, head, base, fourth);
  BoneSample bone;
  bone.rotation = turned_from_mean(mean, from, to, frames.blend);
  bone.position = rest.xyz;
  bone.scale = (kShapes & kPoseScales) != 0u ? rest.w : 1.0;
#ifdef THRONG_SUBGROUP
  // A thread that has no link may have unpacked where another's is.
  bool lent = bits.w != kNoPoseRow && (bits.w & kPoseLane) != 0u;
  vec3 shift = subgroupShuffle(mix(from.xyz, to.xyz, frames.blend), lent ? bits.w & ~kPoseLane : link);
  if (lent) bone.position = shift;
#else
  const bool lent = false;
#endif
  if ((kShapes & kPoseOwn) != 0u && bits.w != kNoPoseRow && !lent) {
    bone.position = own_vector(bits.w, frames);
    if ((kShapes & kPoseScales) != 0u) bone.scale = own_vector(bits.w + 2u, frames).x;
  }
  return bone;
}

uint jump_of(uvec4 bytes, uint round) { return (bytes[round >> 2] >> (8u * (round & 3u))) & 0xFFu; }

// How a column moves, about the origin, on its link.
BoneSample on_link(BoneSample link, ColumnRecord column) {
  return compose(link, BoneSample(column.rotation, column.position, column.scale));
}

// Columns are blended about where their links are, which is as if the links were.
bool fades(Moment moment) { return moment.previous_clip != kNoClip && moment.weight < 1.0; }

#ifdef THRONG_SUBGROUP

// What is the same for all characters: a thread's link and column.
uvec4 own_jumps;
vec4 own_rest;
ColumnRecord own_column;

BoneSample shuffled(BoneSample bone, uint from) {
  vec4 rotation = subgroupShuffle(bone.rotation, from);
  if ((kShapes & kPoseScales) == 0u) return BoneSample(rotation, subgroupShuffle(bone.position, from), 1.0);
  vec4 place = subgroupShuffle(vec4(bone.position, bone.scale), from);
  return BoneSample(rotation, place.xyz, place.w);
}

// Where a thread's link is. All of a subgroup call it, for the same clip.
BoneSample link_in(uint clip, Cursor cursor, uint lane) {
  BoneSample bone = link_at(clip, channel_frames(clips[clip], cursor), lane, own_rest);
  [[unroll]] for (uint round = 0u; round < kJumps; ++round) {
    uint to = jump_of(own_jumps, round);
    BoneSample up = shuffled(bone, to == kNoJump ? lane : to);
    if (to != kNoJump) bone = compose(up, bone);
  }
  return bone;
}

void write_pose(uint pose, Moment moment, uint lane) {
  BoneSample link = link_in(moment.clip, moment.cursor, lane);
  if (fades(moment))
    link = mix_bones(link_in(moment.previous_clip, moment.previous, lane), link, moment.weight);
  BoneSample bone = on_link(shuffled(link, own_column.link), own_column);
  if (lane >= kColumns) return;
  uint at = 2u * (pose * kColumns + lane);
  palette[at] = bone.rotation;
  palette[at + 1u] = vec4(bone.position, bone.scale);
}

void main() {
  uint lane = gl_SubgroupInvocationID;
  own_jumps = pose_table[lane];
  own_rest = rest_of(lane);
  own_column = columns[min(lane, kColumns - 1u)];
  uint count = plans[batch.model].meshed_count;
  uint step = gl_NumWorkGroups.x * gl_NumSubgroups;
  for (uint at = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID; at < count; at += step) {
    write_pose(kHistory != 0u ? 2u * at : at, read_drawn(at).moment, lane);
    // Nobody asks for the last pose of one that stands still.
    if (kHistory != 0u && has_moved(at)) write_pose(2u * at + 1u, last_moment(at), lane);
  }
}

#else

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

// What is the same for all characters: a thread's links and columns.
uvec4 jumps[kLinkRounds];
vec4 rests[kLinkRounds];
ColumnRecord own_columns[kColumnRounds];

BoneSample bones[kLinkRounds];  // where a thread's links are, as far as they are composed

// All have read what was shared before.
void share_links() {
  uint lane = gl_LocalInvocationIndex;
  barrier();
  [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r)
    if (lane + r * kLanes < kLinks) share(lane + r * kLanes, bones[r]);
  barrier();
}

// All threads of a group call it, for the same clip.
void find_links(uint clip, Cursor cursor) {
  uint lane = gl_LocalInvocationIndex;
  ChannelFrames frames = channel_frames(clips[clip], cursor);
  [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r)
    bones[r] = link_at(clip, frames, min(lane + r * kLanes, kLinks - 1u), rests[r]);
  [[unroll]] for (uint round = 0u; round < kJumps; ++round) {
    share_links();
    [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r) {
      uint to = jump_of(jumps[r], round);
      if (to != kNoJump) bones[r] = compose(shared_bone(to), bones[r]);
    }
  }
}

void write_pose(uint pose, Moment moment) {
  uint lane = gl_LocalInvocationIndex;
  bool fading = fades(moment);
  BoneSample previous[kLinkRounds];
  if (fading) {
    find_links(moment.previous_clip, moment.previous);
    [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r) previous[r] = bones[r];
  }
  find_links(moment.clip, moment.cursor);
  if (fading)
    [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r) bones[r] = mix_bones(previous[r], bones[r], moment.weight);
  share_links();
  BoneSample moved[kColumnRounds];
  [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r)
    moved[r] = on_link(shared_bone(own_columns[r].link), own_columns[r]);
  barrier();
  [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r)
    if (lane + r * kLanes < kColumns) share(lane + r * kLanes, moved[r]);
  barrier();
  // Neighbours write what lies side by side.
  for (uint i = lane; i < 2u * kColumns; i += kLanes)
    palette[pose * 2u * kColumns + i] = moves[(i & 1u) * kPlaces + (i >> 1)];
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  [[unroll]] for (uint r = 0u; r < kLinkRounds; ++r) {
    jumps[r] = pose_table[min(lane + r * kLanes, kLinks - 1u)];
    rests[r] = rest_of(min(lane + r * kLanes, kLinks - 1u));
  }
  [[unroll]] for (uint r = 0u; r < kColumnRounds; ++r) own_columns[r] = columns[min(lane + r * kLanes, kColumns - 1u)];
  uint count = plans[batch.model].meshed_count;
  for (uint at = gl_WorkGroupID.x; at < count; at += gl_NumWorkGroups.x) {
    write_pose(kHistory != 0u ? 2u * at : at, read_drawn(at).moment);
    // Nobody asks for the last pose of one that stands still.
    if (kHistory != 0u && has_moved(at)) write_pose(2u * at + 1u, last_moment(at));
  }
}

#endif
