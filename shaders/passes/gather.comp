#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
// Writes the lists: what each drawn character is at, and who is in each view. A character's place is its rank among those of its level
// in the order of the crowd.
#define THRONG_WRITES_DRAWN
#include "throng/shaders/passes/far_model.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/plan.glsl"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/history.glsl"
#endif

layout(local_size_x = kCullGroupSize) in;

layout(constant_id = 8) const uint kStillLevels = 0u;            // bit n: level n does not interpolate
layout(constant_id = 9) const uint kLevelBones = 0xFFFFFFFFu;    // two bits a level: bones less one

layout(std430, set = 1, binding = 8) writeonly buffer ViewLists { uint view_lists[]; };  // view by view
layout(std430, set = 1, binding = 11) readonly buffer Codes { uint codes[]; };
layout(std430, set = 1, binding = 12) readonly buffer GroupCounts { uint group_counts[]; };

layout(std430, set = 1, binding = 23) readonly buffer PartVertices { uint part_vertices[]; };  // of models with parts

layout(push_constant) uniform Batch { CullBatch batch; };

const uint kMostSubgroups = 32u;  // of a group: subgroups have eight threads or more
shared uint next_of_bucket[kMostBuckets];
shared uint levels[kSizeBins];
shared uint counts[kMostBuckets][kMostSubgroups];

// The threads of its subgroup below it among those of a ballot.
uint rank_in(uvec4 ballot) { return subgroupBallotExclusiveBitCount(ballot); }

// Counts its subgroup's characters of each list and level, and gives each its rank among them.
void rank_subgroup(uint lists, uint level, out uint ranks[kMostLists]) {
  for (uint list = 0u; list < batch.lists; ++list) {
    ranks[list] = 0u;
    bool in_list = (lists & (1u << list)) != 0u;
    uvec4 members = subgroupBallot(in_list);
    if (members == uvec4(0u)) continue;
    for (uint other = 0u; other < kMostLevels; ++other) {
      uvec4 same = subgroupBallot(in_list && level == other);
      if (in_list && level == other) ranks[list] = rank_in(same);
      if (subgroupElect()) counts[bucket_of(list, other)][gl_SubgroupID] = subgroupBallotBitCount(same);
    }
  }
}

void clear_counts() {
  uint all = batch.lists * kMostLevels * kMostSubgroups;
  for (uint i = gl_LocalInvocationIndex; i < all; i += kCullGroupSize) counts[i / kMostSubgroups][i % kMostSubgroups] = 0u;
}

// Counts of subgroups become where each begins.
void sum_subgroups() {
  uint bucket = gl_LocalInvocationIndex;
  if (bucket >= batch.lists * kMostLevels) return;
  uint next = next_of_bucket[bucket];
  for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    uint count = counts[bucket][i];
    counts[bucket][i] = next;
    next += count;
  }
  next_of_bucket[bucket] = next;
}

// Of those that do not fade, which are nearly all, a third of the record is read.
Moment moment_for(uint index, bool fading, uint level) {
  Moment moment;
  if (fading) {
    moment = moment_of(plays[index], image.now);
  } else {
    TrackRecord track = plays[index].track;
    moment.clip = track.clip;
    moment.cursor = cursor_at(clips[track.clip], phase_at(track, image.now));
    moment.previous_clip = kNoClip;
    moment.previous = moment.cursor;
    moment.weight = 1.0;
  }
  if ((kStillLevels & (1u << level)) != 0u) {
    moment.cursor = nearest_frame(moment.cursor);
    moment.previous = nearest_frame(moment.previous);
  }
  return moment;
}

// Whether skin.comp is to skin characters of a level, as far as the pool has room for them.
bool is_pooled(uint level) { return models[batch.model].skin_together != 0u && level < models[batch.model].mesh_count; }

uint first_vertex_of(uint at, uint level) {
  if (!is_pooled(level)) return kNotPooled;
  uint in_level = at - plans[batch.model].bases[level];
  if (in_level >= plans[batch.model].pooled_counts[level]) return kNotPooled;
  return plans[batch.model].vertex_bases[level] + in_level * models[batch.model].vertex_counts[level];
}

// Vertices of parts that a character does not wear: specks have none of them.
uint unworn_vertices(uint index, uint level) {
  if ((kMeshHas & kMeshParts) == 0u || level >= models[batch.model].mesh_count) return 0u;
  uvec2 hidden = plays[index].hidden_parts;
  uint sum = 0u;
  for (uint word = 0u; word < 2u; ++word)
    for (uint parts = hidden[word]; parts != 0u; parts &= parts - 1u)
      sum += part_vertices[level * kPartsCounted + 32u * word + uint(findLSB(parts))];
  return sum;
}

void add_drawn(uint at, uint index, bool fading, uint level) {
  DrawnRecord record;
  record.moment = moment_for(index, fading, level);
  record.instance = index;
  record.first_vertex = first_vertex_of(at, level);
  record.bones = 1u + ((kLevelBones >> (2u * min(level, kMostMeshLevels - 1u))) & 3u);
  write_drawn(at, record);
#ifdef THRONG_MOTION
  keep_history(at, index, history_of(instances[index], record.moment, plays[index].identity, image.number));
#endif
}

void main() {
  uint thread = gl_LocalInvocationIndex;
  if (thread < batch.lists * kMostLevels)
    next_of_bucket[thread] =
        plans[batch.model].bases[thread] + group_counts[thread * batch.group_count + gl_WorkGroupID.x];
  if (thread < kSizeBins) levels[thread] = plans[batch.model].level_of_bin[thread];
  uint first = gl_WorkGroupID.x * (kCullGroupSize * kCullRounds) + thread;
  uint mine[kCullRounds];
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    uint index = first + round * kCullGroupSize;
    mine[round] = index < batch.instance_count ? codes[index] : kUnseen;
  }
  barrier();
  uint unworn = 0u;
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    uint index = first + round * kCullGroupSize;
    uint code = mine[round];
    uint lists = lists_of(code);
    uint level = levels[bin_of(code)];
    uint ranks[kMostLists];
    clear_counts();
    barrier();
    rank_subgroup(lists, level, ranks);
    barrier();
    sum_subgroups();
    barrier();
    if (lists != 0u) {
      uint at = counts[bucket_of(0u, level)][gl_SubgroupID] + ranks[0];
      add_drawn(at, index, may_fade(code), level);
      unworn += unworn_vertices(index, level);
      for (uint list = 1u; list < batch.lists; ++list) {
        if ((lists & (1u << list)) == 0u) continue;
        uint place = counts[bucket_of(list, level)][gl_SubgroupID] + ranks[list];
        view_lists[(list - 1u) * models[batch.model].capacity + place] = at;
      }
    }
    barrier();
  }
  if ((kMeshHas & kMeshParts) == 0u) return;
  uint together = subgroupAdd(unworn);
  if (together != 0u && subgroupElect()) atomicAdd(plans[batch.model].unworn_vertices, together);
}
