#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
// How many characters of each level each list gets from each group of threads.
#include "throng/shaders/passes/plan.glsl"

layout(local_size_x = kCullGroupSize) in;

layout(std430, set = 1, binding = 11) readonly buffer Codes { uint codes[]; };
layout(std430, set = 1, binding = 12) writeonly buffer GroupCounts { uint group_counts[]; };  // bucket by bucket

layout(push_constant) uniform Batch { CullBatch batch; };

shared uint counts[kMostBuckets];
shared uint levels[kSizeBins];

void main() {
  uint thread = gl_LocalInvocationIndex;
  if (thread < kMostBuckets) counts[thread] = 0u;
  if (thread < kSizeBins) levels[thread] = plans[batch.model].level_of_bin[thread];
  uint mine[kCullRounds / 2u];
  [[unroll]] for (uint pair = 0u; pair < kCullRounds / 2u; ++pair)
    mine[pair] = codes[first_code_word() + pair * kCullGroupSize];
  barrier();
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    uint code = code_in(mine[round / 2u], round);
    uint lists = lists_of(code);
    if (lists == 0u) continue;
    uint level = levels[bin_of(code)];
    // Neighbours are mostly of one level: then one of them counts for all.
    bool alike = subgroupAllEqual(level);
    for (uint list = 0u; list < batch.lists; ++list) {
      if ((lists & (1u << list)) == 0u) continue;
      uvec4 here = subgroupBallot(true);
      uint together = alike ? subgroupBallotBitCount(here) : 1u;
      if (!alike || subgroupBallotFindLSB(here) == gl_SubgroupInvocationID)
        atomicAdd(counts[bucket_of(list, level)], together);
    }
  }
  barrier();
  if (thread < batch.lists * kMostLevels) group_counts[thread * batch.group_count + gl_WorkGroupID.x] = counts[thread];
}
