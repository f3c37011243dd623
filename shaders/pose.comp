#version 460
#extension GL_GOOGLE_include_directive : require
// The pose pass: for every instance that plays a local8 clip, what each column of the model does at a moment. Some threads an
// instance: first they find where every link is relative to its parent, then each takes columns down their own chains.
#include "throng/shaders/crowd.glsl"

layout(constant_id = 7) const uint kLanes = kPoseGroupSize;  // threads of one instance, a power of two
layout(constant_id = 8) const uint kSharedLinks = 1u;        // links, or as many of them as are shared

layout(local_size_x = kPoseGroupSize) in;

layout(std430, set = 0, binding = 0) restrict readonly buffer Links { LinkRecord links[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer Columns { ColumnRecord columns[]; };
layout(std430, set = 0, binding = 2) restrict writeonly buffer Posed { PaletteRecord posed[]; };

layout(push_constant) uniform Batch { PoseBatch batch; };

// parent_from_link of every instance of the group. No larger than the model needs: how many groups run at once depends on it.
const uint kTogether = kPoseGroupSize / kLanes;
shared vec4 link_rotations[kTogether * kSharedLinks];
shared vec4 link_positions[kTogether * kSharedLinks];  // w: scale
shared uint link_parents[kTogether * kSharedLinks];

// The link relative to its parent. What has no slot is as at rest.
BoneSample sample_link(ClipRecord clip, FramePair frames, uint index) {
  LinkRecord link = links[index];
  BoneSample bone = BoneSample(link.rotation, link.position, link.scale);
  if (link.rotation_slot != kNoSlot) {
    uint word = 2u * link.rotation_slot;
    bone.rotation = mix_quaternions(decode_quaternion(fetch_two(atlas, atlas_layout(), frames.from, word)),
                                    decode_quaternion(fetch_two(atlas, atlas_layout(), frames.to, word)), frames.blend);
  }
  if (link.translation_slot != kNoSlot) {
    uint word = 2u * (kRotationSlots + link.translation_slot);
    uint row = clip.table + 2u * link.translation_slot;
    vec4 from = decode_translation_slot(fetch_two(atlas, atlas_layout(), frames.from, word), table[row], table[row + 1u]);
    vec4 to = decode_translation_slot(fetch_two(atlas, atlas_layout(), frames.to, word), table[row], table[row + 1u]);
    vec4 mixed = mix(from, to, frames.blend);
    bone.position = mixed.xyz;
    bone.scale = mixed.w;
  }
  return bone;
}

// Of all that the group shares, what one instance's threads do.
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

void main() {
  uint lane = gl_LocalInvocationIndex % kLanes;
  uint in_group = gl_LocalInvocationIndex / kLanes;
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint first = in_group * kSharedLinks;
  // The grid's last groups may have threads without an instance. They do another's work again, but write nothing: all must meet at
  // the barrier.
  uint slot = group * kTogether + in_group;
  InstanceRecord instance = instances[pose_slots[batch.instance_count + min(slot, batch.posed_count - 1u)]];
  ClipRecord clip = clips[instance.clip];
  FramePair frames = frames_at(clip, cursor_of(instance, batch.now));
  share_links(clip, frames, first, lane);
  barrier();
  if (slot >= batch.posed_count) return;

  for (uint i = lane; i < kColumns; i += kLanes) {
    ColumnRecord column = columns[i];
    BoneSample bone = BoneSample(column.rotation, column.position, column.scale);
    for (uint link = column.link; link != kNoLink; link = parent_of(first, link))
      bone = compose(parent_from_link(clip, frames, first, link), bone);
    posed[slot * kColumns + i] = PaletteRecord(bone.rotation, bone.position, bone.scale);
  }
}
