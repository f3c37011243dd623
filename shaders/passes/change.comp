#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Puts characters that changed where they belong: what is uploaded is what changed.
#include "throng/shaders/sampling/record_words.glsl"
#include "throng/shaders/shared/changes.h"

layout(local_size_x = kChangeGroupSize) in;

layout(std430, set = 0, binding = 0) readonly buffer Changes { uvec4 change_words[]; };  // ChangeRecord
layout(std430, set = 0, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, set = 1, binding = 0) writeonly buffer Instances { uvec4 instance_words[]; };  // crowd_records.glsl
layout(std430, set = 1, binding = 1) writeonly buffer Plays { uvec4 play_words[]; };

layout(push_constant) uniform Batch { ChangeBatch batch; };

void main() {
  uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * kChangeGroupSize + gl_GlobalInvocationID.x;
  if (i >= batch.count) return;
  uint to = places[i];
  uint from = i * (kInstanceTexels + kPlayTexels);
  instance_words[to] = change_words[from];
  instance_words[uint(instance_words.length()) / kInstanceTexels + to] = change_words[from + 1u];
  from += kInstanceTexels;
  for (uint texel = 0u; texel < kTrackTexels; ++texel)
    play_words[kTrackTexels * to + texel] = change_words[from + texel];
  uint rest = kTrackTexels * (uint(play_words.length()) / kPlayTexels) + (kPlayTexels - kTrackTexels) * to;
  for (uint texel = 0u; texel < (kPlayTexels - kTrackTexels); ++texel)
    play_words[rest + texel] = change_words[from + kTrackTexels + texel];
}
