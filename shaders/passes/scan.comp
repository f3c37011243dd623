#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// Of one bucket: every group's count becomes the sum of those before it; the whole sum is the bucket's total.
#include "throng/shaders/passes/plan.glsl"

layout(local_size_x = kScanGroupSize) in;

layout(std430, set = 1, binding = 12) buffer GroupCounts { uint group_counts[]; };

layout(push_constant) uniform Batch { CullBatch batch; };

shared uint sums[kScanGroupSize / 8u];  // subgroups have eight threads or more

void main() {
  uint bucket = gl_WorkGroupID.x;
  uint thread = gl_LocalInvocationIndex;
  uint first = bucket * batch.group_count;
  uint before = 0u;
  for (uint tile = 0u; tile < batch.group_count; tile += kScanGroupSize) {
    uint group = tile + thread;
    uint count = group < batch.group_count ? group_counts[first + group] : 0u;
    uint within = subgroupExclusiveAdd(count);
    uint whole = subgroupAdd(count);
    if (subgroupElect()) sums[gl_SubgroupID] = whole;
    barrier();
    uint all = 0u;
    uint earlier = 0u;
    for (uint i = 0u; i < gl_NumSubgroups; ++i) {
      earlier += i < gl_SubgroupID ? sums[i] : 0u;
      all += sums[i];
    }
    if (group < batch.group_count) group_counts[first + group] = before + earlier + within;
    before += all;
    barrier();
  }
  if (thread == 0u) plans[batch.model].totals[bucket] = before;
}
