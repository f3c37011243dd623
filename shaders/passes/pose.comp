#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The pose pass: of models with local8 or localv clips, what each column does, for every drawn character. Some threads
// a character: first they find where every link is relative to its parent, then each takes columns down their own
// chains. With motion vectors they do so twice: the pose that was shown last is found again and not kept, since by now
// the character may be anywhere in the list.
#include "throng/shaders/passes/last.glsl"
#include "throng/shaders/passes/links.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/plan.glsl"

layout(constant_id = 8) const uint kLanes = kPoseGroupSize;  // threads of one character, a power of two
layout(constant_id = 9) const uint kSharedLinks = 1u;        // links, or as many of them as are shared

layout(local_size_x = kPoseGroupSize) in;

layout(std430, set = 1, binding = 9) restrict buffer Palette { vec4 palette[]; };  // palette.glsl

layout(push_constant) uniform Batch { CullBatch batch; };

// parent_from_link of every character of the group. No larger than the model needs: how many groups run at once depends
// on it.
const uint kTogether = kPoseGroupSize / kLanes;
shared vec4 link_rotations[kTogether * kSharedLinks];
shared vec4 link_positions[kTogether * kSharedLinks];  // w: scale
shared uint link_parents[kTogether * kSharedLinks];

// With THRONG_LINKED it is for models all of whose clips say what links do.
#ifdef THRONG_LINKED
const bool kAffine = false;
#else
const bool kAffine = (kEncodings & kAffineEncodings) != 0u;
#endif

// Puts the links that a group shares into its memory, with one character's threads.
void share_links(ClipRecord clip, FramePair frames, uint first, uint lane) {
  for (uint i = lane; i < kSharedLinks; i += kLanes) {
    BoneSample bone = sample_link(clip, frames, i);
    link_rotations[first + i] = bone.rotation;
    link_positions[first + i] = vec4(bone.position, bone.scale);
    link_parents[first + i] = links[i].parent;
  }
}

BoneSample parent_from_link(ClipRecord clip, FramePair frames, uint first, uint link) {
  if (link >= kSharedLinks) return sample_link(clip, frames, link);
  return BoneSample(link_rotations[first + link], link_positions[first + link].xyz, link_positions[first + link].w);
}

uint parent_of(uint first, uint link) { return link < kSharedLinks ? link_parents[first + link] : links[link].parent; }

BoneSample chained_bone(ClipRecord clip, FramePair frames, uint first, uint index) {
  ColumnRecord column = columns[index];
  BoneSample bone = BoneSample(column.rotation, column.position, column.scale);
  for (uint link = column.link; link != kNoLink; link = parent_of(first, link))
    bone = compose(parent_from_link(clip, frames, first, link), bone);
  return bone;
}

// About the origin.
BoneSample bone_at(ClipRecord clip, FramePair frames, uint first, uint column) {
#ifndef THRONG_LINKED
  if (!is_linked(clip)) {
    BoneSample bone = sample_bone(clip, frames, column);
    bone.position -= bone.scale * rotate_by(bone.rotation, pivot_of(clip, column));
    return bone;
  }
#endif
  return chained_bone(clip, frames, first, column);
}

AffineSample affine_at(ClipRecord clip, FramePair frames, uint first, uint column) {
  if (!is_affine(clip)) return affine_of_bone(bone_at(clip, frames, first, column));
  AffineSample bone = sample_affine(clip, frames, column);
  bone.position -= bone.basis * pivot_of(clip, column);
  return bone;
}

void store_bone(uint at, BoneSample bone) {
  palette[at] = bone.rotation;
  palette[at + 1u] = vec4(bone.position, bone.scale);
}

void store_affine(uint at, AffineSample bone) {
  mat3 rows = transpose(bone.basis);
  for (int i = 0; i < 3; ++i) palette[at + uint(i)] = vec4(rows[i], bone.position[i]);
}

// With what fades out, which lies in the palette already.
BoneSample blended_bone(uint at, PosedClips posed, uint first, uint column) {
  BoneSample bone = bone_at(posed.clip, posed.frames, first, column);
  if (!fades(posed)) return bone;
  BoneSample previous = BoneSample(palette[at], palette[at + 1u].xyz, palette[at + 1u].w);
  vec3 pivot = fade_pivot(posed.clip, column);
  bone.position += bone.scale * rotate_by(bone.rotation, pivot);
  previous.position += previous.scale * rotate_by(previous.rotation, pivot);
  bone = mix_bones(previous, bone, posed.weight);
  bone.position -= bone.scale * rotate_by(bone.rotation, pivot);
  return bone;
}

AffineSample blended_affine(uint at, PosedClips posed, uint first, uint column) {
  AffineSample bone = affine_at(posed.clip, posed.frames, first, column);
  if (!fades(posed)) return bone;
  AffineSample previous = affine_of_rows(palette[at], palette[at + 1u], palette[at + 2u]);
  vec3 pivot = fade_pivot(posed.clip, column);
  bone.position += bone.basis * pivot;
  previous.position += previous.basis * pivot;
  bone = mix_affine(previous, bone, posed.weight);
  bone.position -= bone.basis * pivot;
  return bone;
}

// Rotations are blended as such, whatever the palette holds in the end.
void write_leaving(uint at, PosedClips posed, uint first, uint column) {
  if (kAffine && is_affine(posed))
    store_affine(at, affine_at(posed.previous_clip, posed.previous_frames, first, column));
  else
    store_bone(at, bone_at(posed.previous_clip, posed.previous_frames, first, column));
}

void write_blended(uint at, PosedClips posed, uint first, uint column) {
  if (!kAffine)
    store_bone(at, blended_bone(at, posed, first, column));
  else if (is_affine(posed))
    store_affine(at, blended_affine(at, posed, first, column));
  else
    store_affine(at, affine_of_bone(blended_bone(at, posed, first, column)));
}

uint palette_row(uint pose, uint column) { return (pose * kColumns + column) * (kAffine ? 3u : 2u); }

// Every thread of the group calls it, and those with `writes` leave something behind.
void pose_character(uint pose, Moment moment, bool writes, uint first, uint lane) {
  PosedClips posed = clips_at(moment);
  // What fades out goes to the palette first; what comes is blended with it there.
  bool fading = fades(posed);
  if (fading && is_linked(posed.previous_clip))
    share_links(posed.previous_clip, posed.previous_frames, first, lane);
  barrier();
  for (uint i = lane; fading && writes && i < kColumns; i += kLanes)
    write_leaving(palette_row(pose, i), posed, first, i);
  barrier();
  if (is_linked(posed.clip)) share_links(posed.clip, posed.frames, first, lane);
  barrier();
  for (uint i = lane; writes && i < kColumns; i += kLanes) write_blended(palette_row(pose, i), posed, first, i);
}

void main() {
  uint lane = gl_LocalInvocationIndex % kLanes;
  uint in_group = gl_LocalInvocationIndex / kLanes;
  uint first = in_group * kSharedLinks;
  uint posed_count = plans[batch.model].meshed_count;
  for (uint group = gl_WorkGroupID.x; group * kTogether < posed_count; group += gl_NumWorkGroups.x) {
    // The last group may have threads without a character. They do another's work again, but write nothing: all must
    // meet at the barriers.
    uint number = group * kTogether + in_group;
    bool writes = number < posed_count;
    uint at = min(number, posed_count - 1u);
    Moment moment = read_drawn(at).moment;
    pose_character(kHistory != 0u ? 2u * at : at, moment, writes, first, lane);
    barrier();  // all have read what was shared
    if (kHistory == 0u) continue;
    // Nobody asks for the last pose of one that stands still.
    bool moved = has_moved(at);
    if (moved) moment = last_moment(at);
    pose_character(2u * at + 1u, moment, writes && moved, first, lane);
    barrier();
  }
}
