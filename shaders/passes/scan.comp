#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// In one bucket, every group's count becomes the sum of those before it; the whole sum is the bucket's total.
#include "throng/shaders/passes/plan.glsl"

layout(local_size_x = kScanGroupSize) in;

layout(std430, set = 1, binding = 12) buffer GroupCounts { uint group_counts[]; };

layout(push_constant) uniform Batch { CullBatch batch; };

shared uint sums[kScanGroupSize / 8u];  // subgroups have eight threads or more

void main() {
  uint bucket = gl_WorkGroupID.x;
  uint thread = gl_LocalInvocationIndex;
  // Each thread has a run of groups: it sums them, and once it knows what is before them it goes over them again.
  uint each = (batch.group_count + kScanGroupSize - 1u) / kScanGroupSize;
  uint first = bucket * batch.group_count + min(thread * each, batch.group_count);
  uint end = bucket * batch.group_count + min((thread + 1u) * each, batch.group_count);
  // The counts of a crowd of millions fit into registers: they are asked for all at once, and once.
  const uint kHeld = 16u;
  uint held[kHeld];
  uint own = 0u;
  [[unroll]] for (uint i = 0u; i < kHeld; ++i) {
    held[i] = first + i < end ? group_counts[first + i] : 0u;
    own += held[i];
  }
  for (uint group = first + kHeld; group < end; ++group) own += group_counts[group];
  uint before = subgroupExclusiveAdd(own);
  uint whole = subgroupAdd(own);
  if (subgroupElect()) sums[gl_SubgroupID] = whole;
  barrier();
  uint all = 0u;
  for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    before += i < gl_SubgroupID ? sums[i] : 0u;
    all += sums[i];
  }
  [[unroll]] for (uint i = 0u; i < kHeld; ++i) {
    if (first + i < end) group_counts[first + i] = before;
    before += held[i];
  }
  for (uint group = first + kHeld; group < end; ++group) {
    uint count = group_counts[group];
    group_counts[group] = before;
    before += count;
  }
  if (thread == 0u) plans[batch.model].totals[bucket] = all;
}
