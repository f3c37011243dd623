#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
// For drivers without a GPU, which set up every triangle on one thread: leaves behind, of the picture's triangles,
// those that face the eye and cover a sample, as indices and a command for a few characters each. Whatever is in doubt
// is kept, so the picture is the same.
//
// Such drivers read storage buffers number by number, thread by thread, in a loop; texels come four numbers at once.
#include "throng/shaders/passes/plan.glsl"

layout(constant_id = 0) const uint kSiftedBits = 16u;  // of an index: its vertex; above them its character
layout(constant_id = 1) const uint kSamples = 1u;      // 1 or 4 of a pixel, where Vulkan has them usually

layout(local_size_x = kSiftGroupSize) in;

layout(set = 1, binding = 0) uniform usamplerBuffer triangles;    // the mesh's indices
layout(set = 1, binding = 1) uniform usamplerBuffer pool_texels;  // pool.glsl
layout(std430, set = 1, binding = 2) readonly buffer Drawn { DrawnWords drawn[]; };
layout(std430, set = 1, binding = 3) readonly buffer ViewLists { uint view_lists[]; };  // the picture's first
layout(std430, set = 1, binding = 4) writeonly buffer Sifted { uint sifted[]; };
layout(std430, set = 1, binding = 5) writeonly buffer SiftedCommands { CommandRecord sifted_commands[]; };
layout(std430, set = 1, binding = 6) writeonly buffer SiftedCounts { uint sifted_counts[]; };  // of each draw

layout(push_constant) uniform Batch { SiftBatch batch; };

// How far a corner may be from where the driver puts it: its own steps are of a 256th of a pixel.
const float kStep = 1.0 / 128.0;

// A corner in pixels; z: whether it is before the eye.
vec3 corner(uint vertex) {
  vec4 clip = batch.clip_from_world * vec4(uintBitsToFloat(texelFetch(pool_texels, int(vertex)).xyz), 1.0);
  return vec3((clip.xy / clip.w * 0.5 + 0.5) * batch.size, clip.w);
}

// Whether a point is outside of the edge from a to b, for certain; `turn`: 1 or −1, which side is inside.
bool beyond(vec2 a, vec2 b, vec2 point, float turn) {
  vec2 along = b - a;
  vec2 to = point - a;
  return turn * (along.x * to.y - along.y * to.x) < -kStep * (abs(along.x) + abs(along.y) + abs(to.x) + abs(to.y));
}

// Whether any of a triangle's samples that lie there in their pixels may be covered.
bool may_cover(vec2 a, vec2 b, vec2 c, vec2 low, vec2 high, vec2 sample_place, float turn) {
  vec2 first = ceil(low - sample_place);
  vec2 last = floor(high - sample_place);
  if (any(lessThan(last, first))) return false;
  // Where there is one only, it is looked at closely.
  if (any(notEqual(last, first)) || turn == 0.0) return true;
  vec2 point = first + sample_place;
  return !(beyond(a, b, point, turn) || beyond(b, c, point, turn) || beyond(c, a, point, turn));
}

bool is_drawn(vec3 a, vec3 b, vec3 c) {
  const float kBefore = 1e-6;
  if (!(min(a.z, min(b.z, c.z)) > kBefore)) return true;
  vec2 low = min(a.xy, min(b.xy, c.xy)) - kStep;
  vec2 high = max(a.xy, max(b.xy, c.xy)) + kStep;
  if (any(lessThan(high, vec2(0.0))) || any(greaterThan(low, batch.size))) return false;
  // Far outside of the picture floats have coarser steps.
  const float kLarge = 4096.0;
  if (any(greaterThan(high - low, vec2(kLarge)))) return true;
  vec2 ab = b.xy - a.xy, ac = c.xy - a.xy;
  float area = ab.x * ac.y - ab.y * ac.x;
  float doubt = 2.0 * kStep * (abs(ab.x) + abs(ab.y) + abs(ac.x) + abs(ac.y));
  if (batch.one_sided != 0u && area > doubt) return false;
  float turn = abs(area) > doubt ? sign(area) : 0.0;
  if (kSamples == 1u) return may_cover(a.xy, b.xy, c.xy, low, high, vec2(0.5), turn);
  return may_cover(a.xy, b.xy, c.xy, low, high, vec2(0.375, 0.125), turn) ||
         may_cover(a.xy, b.xy, c.xy, low, high, vec2(0.875, 0.375), turn) ||
         may_cover(a.xy, b.xy, c.xy, low, high, vec2(0.125, 0.625), turn) ||
         may_cover(a.xy, b.xy, c.xy, low, high, vec2(0.625, 0.875), turn);
}

void main() {
  ModelRecord of = models[batch.model];
  // Which level this group is of, and where its triangles may go.
  uint group = gl_WorkGroupID.x;
  uint room = batch.first_index;
  uint level = 0u;
  uint total = 0u;
  RangeRecord range = RangeRecord(0u, 0u);
  bool found = false;
  uint in_level = 0u;
  uint groups_before = 0u;
  for (; level < of.mesh_count; ++level) {
    range = ranges[of.first_range + batch.draw * kMostMeshLevels + level];
    total = range.index_count == 0u ? 0u : plans[batch.model].totals[bucket_of(1u, level)];
    uint groups = (total + kSiftTogether - 1u) / kSiftTogether;
    if (group < groups_before + groups) {
      found = true;
      in_level = (group - groups_before) * kSiftTogether;
      room += in_level * range.index_count;
      break;
    }
    groups_before += groups;
    room += total * range.index_count;
  }
  if (group == 0u && gl_LocalInvocationIndex == 0u) {
    uint groups = 0u;
    for (uint i = 0u; i < of.mesh_count; ++i)
      if (ranges[of.first_range + batch.draw * kMostMeshLevels + i].index_count != 0u)
        groups += (plans[batch.model].totals[bucket_of(1u, i)] + kSiftTogether - 1u) / kSiftTogether;
    sifted_counts[batch.draw] = groups;
  }
  if (!found) return;
  uint first_place = plans[batch.model].bases[bucket_of(1u, level)] + in_level;
  uint characters = min(kSiftTogether, total - in_level);
  uint next = room;
  uint below = (1u << gl_SubgroupInvocationID) - 1u;
  uint triangle_count = range.index_count / 3u;
  for (uint character = 0u; character < characters; ++character) {
    uint first_vertex = drawn[view_lists[first_place + character]].first_vertex & kNotPooled;
    for (uint begin = 0u; begin < triangle_count; begin += kSiftGroupSize) {
      uint triangle = begin + gl_LocalInvocationIndex;
      bool is_kept = triangle < triangle_count;
      int at = int(range.first_index + min(triangle, triangle_count - 1u) * 3u);
      uvec3 corners =
          uvec3(texelFetch(triangles, at).x, texelFetch(triangles, at + 1).x, texelFetch(triangles, at + 2).x);
      vec3 a = corner(first_vertex + corners.x);
      vec3 b = corner(first_vertex + corners.y);
      vec3 c = corner(first_vertex + corners.z);
      is_kept = is_kept && is_drawn(a, b, c);
      uint kept = subgroupBallot(is_kept).x;
      if (is_kept) {
        uint to = next + 3u * uint(bitCount(kept & below));
        uint above = character << kSiftedBits;
        sifted[to] = corners.x | above;
        sifted[to + 1u] = corners.y | above;
        sifted[to + 2u] = corners.z | above;
      }
      next += 3u * uint(bitCount(kept));
    }
  }
  if (gl_LocalInvocationIndex == 0u)
    sifted_commands[batch.first_command + group] = CommandRecord(next - room, 1u, room, 0u, kFirstSifted + first_place);
}
