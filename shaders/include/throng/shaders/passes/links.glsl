// SPDX-License-Identifier: Apache-2.0
// Skeletons of local8 and localv clips: where each link is relative to its parent (set 1, bindings 14 and 15).
#ifndef THRONG_SHADERS_LINKS_GLSL
#define THRONG_SHADERS_LINKS_GLSL
#include "throng/shaders/passes/far_model.glsl"

layout(std430, set = 1, binding = 14) restrict readonly buffer Links { LinkRecord links[]; };
layout(std430, set = 1, binding = 15) restrict readonly buffer Columns { ColumnRecord columns[]; };

LinkRecord read_link(uint link) { return links[link]; }
ColumnRecord read_column(uint column) { return columns[column]; }
#include "throng/shaders/sampling/chains.glsl"

// The link relative to its parent. What has no slot is as at rest.
BoneSample sample_link(ClipRecord clip, FramePair frames, uint index) {
  LinkRecord link = links[index];
  if (is_of(clip, kEncodingLocalv))
    return sample_localv(clip, ChannelFrames(frames.from.x, frames.to.x, frames.blend), link);
  BoneSample bone = BoneSample(link.rotation, link.position, link.scale);
  if (link.rotation_slot != kNoSlot) {
    uint word = 2u * link.rotation_slot;
    bone.rotation = mix_quaternions(decode_quaternion(fetch_two(atlas, atlas_layout(), frames.from, word)),
                                    decode_quaternion(fetch_two(atlas, atlas_layout(), frames.to, word)), frames.blend);
  }
  if (link.translation_slot != kNoSlot) {
    uint word = 2u * (kRotationSlots + link.translation_slot);
    uint row = clip.table + 2u * link.translation_slot;
    vec4 from =
        decode_translation_slot(fetch_two(atlas, atlas_layout(), frames.from, word), table[row], table[row + 1u]);
    vec4 to = decode_translation_slot(fetch_two(atlas, atlas_layout(), frames.to, word), table[row], table[row + 1u]);
    vec4 mixed = mix(from, to, frames.blend);
    bone.position = mixed.xyz;
    bone.scale = mixed.w;
  }
  return bone;
}

// The point that a cross-fade to a clip blends a column about.
vec3 fade_pivot(ClipRecord clip, uint column) {
  if (!is_linked(clip)) return pivot_of(clip, column);
  return origin_of(columns[column]);
}

// How a column of a clip moves, about the origin: for those who need few columns. The pose pass shares links between
// its threads.
AffineSample chained_column(ClipRecord clip, FramePair frames, uint column) {
  ColumnRecord of = columns[column];
  BoneSample bone = BoneSample(of.rotation, of.position, of.scale);
  for (uint link = of.link; link != kNoLink; link = links[link].parent)
    bone = compose(sample_link(clip, frames, link), bone);
  return affine_of_bone(bone);
}

#endif
