#version 460
#extension GL_GOOGLE_include_directive : require
// The pose pass: for every instance that plays a local8 clip, what each column of the model does at a moment. One group an instance:
// first where every link is relative to its parent, then each column down its own chain.
#include "throng/shaders/crowd.glsl"

layout(local_size_x = kPoseGroupSize) in;

layout(std430, set = 0, binding = 0) readonly buffer Links { LinkRecord links[]; };
layout(std430, set = 0, binding = 1) readonly buffer Columns { ColumnRecord columns[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Posed { PaletteRecord posed[]; };

layout(push_constant) uniform Batch { PoseBatch batch; };

shared BoneSample parent_from_links[kSharedLinks];

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

void main() {
  // The same for all threads of a group, so that all of them meet at the barrier or none does.
  uint slot = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (slot >= batch.posed_count) return;
  InstanceRecord instance = instances[pose_slots[batch.instance_count + slot]];
  ClipRecord clip = clips[instance.clip];
  FramePair frames = frames_at(clip, cursor_of(instance, batch.now));

  uint shared_links = min(uint(links.length()), kSharedLinks);
  for (uint i = gl_LocalInvocationIndex; i < shared_links; i += kPoseGroupSize)
    parent_from_links[i] = sample_link(clip, frames, i);
  barrier();

  for (uint i = gl_LocalInvocationIndex; i < kColumns; i += kPoseGroupSize) {
    ColumnRecord column = columns[i];
    BoneSample bone = BoneSample(column.rotation, column.position, column.scale);
    for (uint link = column.link; link != kNoLink; link = links[link].parent)
      bone = compose(link < kSharedLinks ? parent_from_links[link] : sample_link(clip, frames, link), bone);
    posed[slot * kColumns + i] = PaletteRecord(bone.rotation, bone.position, bone.scale);
  }
}
