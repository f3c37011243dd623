// SPDX-License-Identifier: Apache-2.0
// How many characters of each level each list gets from a group of threads (set 1, binding 12: bucket by bucket). Cull
// counts them where levels are known by then, count.comp where a budget of vertices decides about levels.
#ifndef THRONG_SHADERS_COUNTING_GLSL
#define THRONG_SHADERS_COUNTING_GLSL
#include "throng/shaders/passes/plan.glsl"

layout(std430, set = 1, binding = 12) writeonly buffer GroupCounts { uint group_counts[]; };

shared uint bucket_counts[kMostBuckets];
shared uint levels[kSizeBins];

// All threads call each of these; a barrier comes after the first and before the last.
void begin_counting(uint model) {
  uint thread = gl_LocalInvocationIndex;
  if (thread < kMostBuckets) bucket_counts[thread] = 0u;
  if (thread < kSizeBins) levels[thread] = plans[model].level_of_bin[thread];
}

// Only for characters in some list.
void count_character(uint code, uint list_count) {
  uint lists = lists_of(code);
  uint level = levels[bin_of(code)];
  // Neighbours are mostly of one level: then one of them counts for all.
  bool alike = subgroupAllEqual(level);
  for (uint list = 0u; list < list_count; ++list) {
    if ((lists & (1u << list)) == 0u) continue;
    uvec4 here = subgroupBallot(true);
    uint together = alike ? subgroupBallotBitCount(here) : 1u;
    if (!alike || subgroupBallotFindLSB(here) == gl_SubgroupInvocationID)
      atomicAdd(bucket_counts[bucket_of(list, level)], together);
  }
}

void end_counting(CullBatch batch) {
  uint thread = gl_LocalInvocationIndex;
  if (thread < batch.lists * kMostLevels)
    group_counts[thread * batch.group_count + gl_WorkGroupID.x] = bucket_counts[thread];
}

#endif
