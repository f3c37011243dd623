#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Puts characters that changed where they belong: what is uploaded is what changed.
#include "throng/shaders/shared/changes.h"

layout(local_size_x = kChangeGroupSize) in;

layout(std430, set = 0, binding = 0) readonly buffer Changes { ChangeRecord changes[]; };
layout(std430, set = 0, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, set = 1, binding = 0) writeonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 1, binding = 1) writeonly buffer Plays { PlayRecord plays[]; };

layout(push_constant) uniform Batch { ChangeBatch batch; };

void main() {
  uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * kChangeGroupSize + gl_GlobalInvocationID.x;
  if (i >= batch.count) return;
  instances[places[i]] = changes[i].instance;
  plays[places[i]] = changes[i].play;
}
