#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Where each level begins in each list and in the pool of vertices, and the indirect draws and dispatches that follow.
// One group a model.
#include "throng/shaders/passes/plan.glsl"
#include "throng/shaders/shared/pose_records.h"

layout(local_size_x = kPlanGroupSize) in;

layout(std430, set = 0, binding = 6) readonly buffer NearCalls { NearCall near_calls[]; };  // as the counts are
layout(std430, set = 0, binding = 7) readonly buffer NearCommands { CommandRecord near_commands[]; };

layout(push_constant) uniform Settings { PlanSettings settings; };

// What the group's threads look up once for all: waiting for memory takes longer than all else here.
shared uint totals[kMostBuckets];
shared uint bases[kMostBuckets];
// For a stretch of the levels of all models: how many characters there are, and the vertices of each, 0 where none are
// skinned.
shared uint characters_of[kPlanGroupSize];
shared uint vertices_of[kPlanGroupSize];

// The vertices drawn, or the largest uint where there are more.
uint drawn_vertices(uint model) {
  uint sum = 0u;
  for (uint level = 0u; level < models[model].mesh_count; ++level) {
    uint high, low, carry;
    umulExtended(totals[level], models[model].vertex_counts[level], high, low);
    sum = uaddCarry(sum, low, carry);
    if (high != 0u || carry != 0u) return 0xFFFFFFFFu;
  }
  return sum;
}

void place_lists(uint model, uint thread) {
  if (thread > image.view_count) return;
  uint next = 0u;
  for (uint level = 0u; level <= models[model].mesh_count; ++level) {
    uint bucket = bucket_of(thread, level);
    bases[bucket] = next;
    plans[model].bases[bucket] = next;
    next += totals[bucket];
  }
  if (thread == 0u) plans[model].drawn_count = next;
}

// Groups of a dispatch in a grid that no device finds too wide.
uvec3 grid_of(uint groups) { return uvec3(min(groups, kWidestGrid), (groups + kWidestGrid - 1u) / kWidestGrid, 1u); }

uint groups_of(uint characters, uint together) { return together == 0u ? 0u : (characters + together - 1u) / together; }

// Levels of all models follow one another, each with as many characters as fit. The threads look them up, one adds them
// up.
void place_vertices(uint model, uint thread) {
  uint next = image.near_vertices;
  uint end = (model + 1u) * kMostMeshLevels;
  for (uint first = 0u; first < end; first += kPlanGroupSize) {
    uint at = first + thread;
    uint of = min(at / kMostMeshLevels, model);
    uint level_of = at % kMostMeshLevels;
    bool is_skinned = at < end && level_of < models[of].mesh_count && models[of].skin_together != 0u;
    characters_of[thread] = is_skinned ? plans[of].totals[level_of] : 0u;
    vertices_of[thread] = is_skinned ? max(models[of].vertex_counts[level_of], 1u) : 0u;
    barrier();
    for (uint i = 0u; thread == 0u && i < kPlanGroupSize && first + i < end; ++i) {
      uint each = vertices_of[i];
      uint room = next >= image.pool_vertices ? 0u : image.pool_vertices - next;
      uint pooled = each == 0u ? 0u : min(characters_of[i], room / max(each, 1u));
      if (first + i >= model * kMostMeshLevels) {
        uint level = first + i - model * kMostMeshLevels;
        plans[model].vertex_bases[level] = next;
        plans[model].pooled_counts[level] = pooled;
        uvec3 grid = grid_of(groups_of(pooled, models[model].skin_together));
        for (uint axis = 0u; axis < 3u; ++axis) plans[model].skin_dispatch[level * 3u + axis] = grid[axis];
      }
      next += pooled * each;
    }
    barrier();
  }
}

void count_meshed(uint model) {
  uint meshed = 0u;
  for (uint level = 0u; level < models[model].mesh_count; ++level) meshed += totals[level];
  uint poses = groups_of(meshed, models[model].pose_together);
  uvec3 grid = uvec3(min(poses, kMostPoseGroups), 1u, 1u);  // each takes more, one after another
  for (uint i = 0u; i < 3u; ++i) plans[model].pose_dispatch[i] = grid[i];
  plans[model].meshed_count = meshed;
  plans[model].drawn_vertices = drawn_vertices(model);
}

// One draw in one view: non-empty levels only, the finest first; then the pieces of near characters.
void write_call(uint model, uint view, uint draw) {
  ModelRecord of = models[model];
  uint call = call_number(of.draw_count, view, draw);
  uint command = of.first_command + call * of.command_room;
  uint count = 0u;
  for (uint level = 0u; level < of.mesh_count; ++level) {
    RangeRecord range = ranges[of.first_range + draw * kMostMeshLevels + level];
    uint bucket = bucket_of(view + 1u, level);
    uint characters = totals[bucket];
    if (characters == 0u || range.index_count == 0u || (view == 0u && of.sifted != 0u)) continue;
    commands[command + count] = CommandRecord(range.index_count, characters, range.first_index, 0u,
                                              view * of.capacity + bases[bucket]);
    ++count;
  }
  if (image.near_commands != 0u) {
    NearCall near = near_calls[of.first_call + call];
    for (uint i = 0u; i < near.count; ++i) commands[command + count + i] = near_commands[near.first + i];
    count += near.count;
  }
  command_counts[of.first_call + call] = count;
}

// The specks of a view: a strip of four vertices each. VkDrawIndirectCommand has no index: its numbers move up.
void write_specks(uint model, uint view) {
  ModelRecord of = models[model];
  uint call = call_number(of.draw_count, view, of.draw_count);
  uint bucket = bucket_of(view + 1u, of.mesh_count);
  uint characters = totals[bucket];
  commands[of.first_command + call * of.command_room] =
      CommandRecord(4u, characters, 0u, view * of.capacity + bases[bucket], 0u);
  command_counts[of.first_call + call] = characters == 0u ? 0u : 1u;
}

void main() {
  uint model = gl_WorkGroupID.x;
  uint thread = gl_LocalInvocationIndex;
  if (thread < kMostBuckets) totals[thread] = plans[model].totals[thread];
  barrier();
  place_lists(model, thread);
  if (thread == kPlanGroupSize - 1u) count_meshed(model);
  place_vertices(model, thread);
  uint draws = models[model].draw_count;
  for (uint i = thread; i < call_number(draws, image.view_count, 0u); i += kPlanGroupSize) {
    uint view = i / calls_of_a_view(draws);
    uint draw = i % calls_of_a_view(draws);
    if (draw < draws)
      write_call(model, view, draw);
    else
      write_specks(model, view);
  }
}
