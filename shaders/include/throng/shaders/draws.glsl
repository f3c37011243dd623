// SPDX-License-Identifier: Apache-2.0
// The indirect draws of a model, as arrange.comp and split_draws.comp write them.
#ifndef THRONG_SHADERS_DRAWS_GLSL
#define THRONG_SHADERS_DRAWS_GLSL
#include "throng/shaders/plan.glsl"

// One part in one view: non-empty levels only, the finest first. `unpooled`: of those that the pool has no room for; the others
// otherwise.
void write_draws(uint model, uint view, uint part, bool unpooled) {
  ModelRecord of = models[model];
  uint draw = (view + (unpooled ? kMostViews : 0u)) * (of.part_count + 1u) + part;
  uint command = of.first_command + draw * kMostLevels;
  uint count = 0u;
  for (uint level = 0u; level < of.mesh_count; ++level) {
    RangeRecord range = ranges[of.first_range + part * kMostMeshLevels + level];
    uint bucket = bucket_of(view + 1u, level);
    uint pooled = plans[model].first_unpooled[bucket];
    uint first = unpooled ? pooled : 0u;
    uint characters = unpooled ? plans[model].totals[bucket] - pooled : pooled;
    if (characters == 0u || range.index_count == 0u) continue;
    commands[command + count] = CommandRecord(range.index_count, characters, range.first_index, 0u,
                                              view * of.capacity + plans[model].bases[bucket] + first);
    ++count;
  }
  draw_counts[of.first_count + draw] = count;
}

#endif
