#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
// Writes the lists: what each drawn character is at, and who is in each view. A character's place is its rank among
// those of its level in the order of the crowd.
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

// Counts of as many rounds at once as there is room for: of each bucket a column for each subgroup in each round. With
// a view or two that is all rounds. Subgroups have eight threads or more, so that one round always fits.
const uint kCountRoom = kMostBuckets * (kCullGroupSize / 8u);
shared uint counts[kCountRoom];
shared uint next_of_bucket[kMostBuckets];
shared uint levels[kSizeBins];
shared uint some;  // characters of the group are drawn: 1 or 0

uint bucket_count() { return batch.lists * kMostLevels; }
uint rounds_at_once() { return clamp(kCountRoom / (bucket_count() * gl_NumSubgroups), 1u, kCullRounds); }

// The threads of its subgroup below it among those of a ballot.
uint rank_in(uvec4 ballot) { return subgroupBallotExclusiveBitCount(ballot); }

// Ranks among characters of one subgroup, each below 256: of list 0, then of the others, four to a word.
struct Ranks {
  uint drawn;
  uvec2 views;
};
uint rank_of(Ranks ranks, uint list) {
  if (list == 0u) return ranks.drawn;
  uint at = list - 1u;
  return ((at < 4u ? ranks.views.x : ranks.views.y) >> (8u * (at & 3u))) & 0xFFu;
}
void put_rank(inout Ranks ranks, uint list, uint rank) {
  if (list == 0u) {
    ranks.drawn = rank;
    return;
  }
  uint at = list - 1u;
  uint bits = rank << (8u * (at & 3u));
  if (at < 4u) ranks.views.x |= bits;
  else ranks.views.y |= bits;
}

// Counts its subgroup's characters of each list and level, and gives each its rank among them. A subgroup fills a
// column of its own, which is all 0 before. Neighbours are of few levels, so it goes by those that there are.
Ranks rank_subgroup(uint lists, uint level, uint column, uint column_count) {
  Ranks ranks = Ranks(0u, uvec2(0u));
  bool waits = lists != 0u;
  for (;;) {
    uint finest = subgroupMin(waits ? level : kMostLevels);
    if (finest == kMostLevels) return ranks;
    bool same = waits && level == finest;
    for (uint list = 0u; list < batch.lists; ++list) {
      bool in_list = same && (lists & (1u << list)) != 0u;
      uvec4 members = subgroupBallot(in_list);
      if (in_list) put_rank(ranks, list, rank_in(members));
      if (subgroupElect()) counts[bucket_of(list, finest) * column_count + column] = subgroupBallotBitCount(members);
    }
    waits = waits && !same;
  }
}

// Counts become where each begins, bucket by bucket: a subgroup takes one after another.
void sum_columns(uint column_count) {
  for (uint bucket = gl_SubgroupID; bucket < bucket_count(); bucket += gl_NumSubgroups) {
    uint next = next_of_bucket[bucket];
    for (uint first = 0u; first < column_count; first += gl_SubgroupSize) {
      uint column = first + gl_SubgroupInvocationID;
      uint at = bucket * column_count + min(column, column_count - 1u);
      uint count = column < column_count ? counts[at] : 0u;
      uint before = subgroupExclusiveAdd(count);
      if (column < column_count) counts[at] = next + before;
      next += subgroupAdd(count);
    }
    if (subgroupElect()) next_of_bucket[bucket] = next;
  }
}

// Most characters do not fade: then their track is enough.
Moment moment_for(uint index, TrackRecord track, bool fading, uint level) {
  Moment moment;
  if (fading) {
    moment = moment_of(play_at(index), image.now);
  } else {
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
  uvec2 hidden = hidden_parts_at(index);
  uint sum = 0u;
  for (uint word = 0u; word < 2u; ++word)
    for (uint parts = hidden[word]; parts != 0u; parts &= parts - 1u)
      sum += part_vertices[level * kPartsCounted + 32u * word + uint(findLSB(parts))];
  return sum;
}

void add_drawn(uint at, uint index, TrackRecord track, bool fading, uint level) {
  DrawnRecord record;
  record.moment = moment_for(index, track, fading, level);
  record.instance = index;
  record.first_vertex = first_vertex_of(at, level);
  record.bones = 1u + ((kLevelBones >> (2u * min(level, kMostMeshLevels - 1u))) & 3u);
  write_drawn(at, record);
#ifdef THRONG_MOTION
  keep_history(at, index, history_of(instance_at(index), record.moment, identity_at(index), image.number));
#endif
}

void main() {
  uint thread = gl_LocalInvocationIndex;
  uint mine[kCullRounds / 2u];
  uint any = 0u;
  [[unroll]] for (uint pair = 0u; pair < kCullRounds / 2u; ++pair) {
    mine[pair] = codes[first_code_word() + pair * kCullGroupSize];
    any |= mine[pair];
  }
  // Of many groups nobody is seen.
  if (thread == 0u) some = 0u;
  barrier();
  if (subgroupAny(any != 0u) && subgroupElect()) atomicOr(some, 1u);
  barrier();
  if (some == 0u) return;
  // What they play is asked for at once, and is there when they have their places.
  uint first = gl_WorkGroupID.x * (kCullGroupSize * kCullRounds) + thread;
  TrackRecord tracks[kCullRounds];
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round)
    if (code_in(mine[round / 2u], round) != kUnseen) tracks[round] = track_at(first + round * kCullGroupSize);
  if (thread < bucket_count())
    next_of_bucket[thread] =
        plans[batch.model].bases[thread] + group_counts[thread * batch.group_count + gl_WorkGroupID.x];
  if (thread < kSizeBins) levels[thread] = plans[batch.model].level_of_bin[thread];
  uint rounds = rounds_at_once();
  uint column_count = rounds * gl_NumSubgroups;
  uint unworn = 0u;
  for (uint begin = 0u; begin < kCullRounds; begin += rounds) {
    barrier();
    for (uint i = thread; i < bucket_count() * column_count; i += kCullGroupSize) counts[i] = 0u;
    barrier();
    Ranks ranks[kCullRounds];
    [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
      if (round < begin || round >= begin + rounds) continue;
      uint code = code_in(mine[round / 2u], round);
      uint column = (round - begin) * gl_NumSubgroups + gl_SubgroupID;
      ranks[round] = rank_subgroup(lists_of(code), levels[bin_of(code)], column, column_count);
    }
    barrier();
    sum_columns(column_count);
    barrier();
    [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
      if (round < begin || round >= begin + rounds) continue;
      uint code = code_in(mine[round / 2u], round);
      uint lists = lists_of(code);
      if (lists == 0u) continue;
      uint index = first + round * kCullGroupSize;
      uint level = levels[bin_of(code)];
      uint column = (round - begin) * gl_NumSubgroups + gl_SubgroupID;
      uint at = counts[bucket_of(0u, level) * column_count + column] + rank_of(ranks[round], 0u);
      add_drawn(at, index, tracks[round], may_fade(code), level);
      unworn += unworn_vertices(index, level);
      for (uint list = 1u; list < batch.lists; ++list) {
        if ((lists & (1u << list)) == 0u) continue;
        uint place = counts[bucket_of(list, level) * column_count + column] + rank_of(ranks[round], list);
        view_lists[(list - 1u) * models[batch.model].capacity + place] = at;
      }
    }
  }
  if ((kMeshHas & kMeshParts) == 0u) return;
  uint together = subgroupAdd(unworn);
  if (together != 0u && subgroupElect()) atomicAdd(plans[batch.model].unworn_vertices, together);
}
