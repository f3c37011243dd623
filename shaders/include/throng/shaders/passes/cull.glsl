// SPDX-License-Identifier: Apache-2.0
// The body of cull.comp and cull_hidden.comp (which defines THRONG_HIDES).
#ifndef THRONG_SHADERS_CULL_GLSL
#define THRONG_SHADERS_CULL_GLSL
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/passes/boxes.glsl"
#include "throng/shaders/passes/plan.glsl"
#include "throng/shaders/sampling/record_words.glsl"
#include "throng/shaders/shared/rotation.h"
#ifdef THRONG_HIDES
#include "throng/shaders/passes/occluders.glsl"
#endif

layout(local_size_x = kCullGroupSize) in;

// InstanceRecords, read sixteen bytes at a time.
layout(std430, set = 1, binding = 0) readonly buffer Instances { uvec4 instance_words[]; };
layout(std430, set = 1, binding = 1) readonly buffer Plays { PlayRecord plays[]; };
layout(std430, set = 1, binding = 11) writeonly buffer Codes { uint codes[]; };  // code_words

layout(push_constant) uniform Batch { CullBatch batch; };

shared uint bins[kSizeBins];
#ifdef THRONG_HIDES
shared uint hidden_here;
#endif

// A clip's box in the world: its middle, and what it reaches along its own axes.
struct WorldBox {
  vec3 centre;
  vec3 axis_x;
  vec3 axis_y;
  vec3 axis_z;
};

// While one clip fades into another, limbs turn from one pose to the other and may leave both boxes on the way.
WorldBox box_of(InstanceRecord instance, uint index) {
  uint clip = instance.clips & 0xFFFFu;
  uint previous = instance.clips >> 16;
  ModelBox box = clip_box(clip);
  if (previous != kNoClip) {
    ModelBox other = clip_box(previous);
    vec3 low = min(box.centre - box.extent, other.centre - other.extent);
    vec3 high = max(box.centre + box.extent, other.centre + other.extent);
    box = ModelBox(0.5 * (low + high), 0.5 * (high - low) + fade_reach(clip));
  } else if (models[batch.model].has_parts != 0u) {
    box = worn_box(box, plays[index].parts_box);
  }
  vec3 extent = (box.extent + models[batch.model].beyond) * instance.scale;
  vec4 rotation = unpack_rotation(instance.rotation);
  return WorldBox(instance.position + rotate_by(rotation, box.centre * instance.scale),
                  rotate_by(rotation, vec3(extent.x, 0.0, 0.0)), rotate_by(rotation, vec3(0.0, extent.y, 0.0)),
                  rotate_by(rotation, vec3(0.0, 0.0, extent.z)));
}

bool sees(ViewRecord view, WorldBox box) {
  float inside = 1.0;
  for (int i = 0; i < 6; ++i) {
    vec4 plane = view.planes[i];
    float reach = abs(dot(plane.xyz, box.axis_x)) + abs(dot(plane.xyz, box.axis_y)) + abs(dot(plane.xyz, box.axis_z));
    // A little more: rounding here must not lose what touches the edge.
    inside = min(inside, dot(plane.xyz, box.centre) + plane.w + 1.001 * reach);
  }
  return inside >= 0.0;
}

uint views_that_see(WorldBox box) {
  uint all = (1u << image.view_count) - 1u;
  if (image.culling == 0u) return all;
  uint views = 0u;
  for (uint i = 0u; i < image.view_count; ++i) views |= sees(image.views[i], box) ? 1u << i : 0u;
  return views;
}

uint size_bin(InstanceRecord instance, WorldBox box) {
  float distance = max(length(box.centre - image.eye), 1e-6);
  float pixels = models[batch.model].height * instance.scale * image.pixels / distance;
  float bin = log2(max(pixels / kSmallestSize, 1.0)) * float(kBinsPerOctave);
  return min(uint(bin), kSizeBins - 1u);
}

uint code_of(InstanceRecord instance, uint index) {
  if (instance.scale < 0.0) return kUnseen;
  WorldBox box = box_of(instance, index);
  uint views = views_that_see(box);
#ifdef THRONG_HIDES
  if ((views & 1u) != 0u && is_hidden(image.occluders, box.centre, box.axis_x, box.axis_y, box.axis_z)) {
    views &= ~1u;
    atomicAdd(hidden_here, 1u);
  }
#endif
  return views == 0u ? kUnseen : make_code(size_bin(instance, box), instance.clips >> 16 != kNoClip, views);
}

// Neighbours are mostly of one height: then one of them counts for all.
void count_bin(uint bin) {
  uvec4 here = subgroupBallot(true);
  if (subgroupAllEqual(bin)) {
    if (subgroupBallotFindLSB(here) == gl_SubgroupInvocationID) atomicAdd(bins[bin], subgroupBallotBitCount(here));
  } else {
    atomicAdd(bins[bin], 1u);
  }
}

InstanceRecord read_instance(uint index) {
  return instance_of_words(instance_words[index * kInstanceTexels], instance_words[index * kInstanceTexels + 1u]);
}

void main() {
  if (gl_LocalInvocationIndex < kSizeBins) bins[gl_LocalInvocationIndex] = 0u;
#ifdef THRONG_HIDES
  if (gl_LocalInvocationIndex == 0u) hidden_here = 0u;
#endif
  barrier();
  uint first = gl_WorkGroupID.x * (kCullGroupSize * kCullRounds) + gl_LocalInvocationIndex;
  // All are asked for before the first is looked at: waiting for memory once, not once a round.
  InstanceRecord mine[kCullRounds];
  uint last = batch.instance_count - 1u;
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round)
    mine[round] = read_instance(min(first + round * kCullGroupSize, last));
  uint found[kCullRounds];
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    uint index = first + round * kCullGroupSize;
    found[round] = index > last ? kUnseen : code_of(mine[round], index);
    if (found[round] != kUnseen) count_bin(bin_of(found[round]));
  }
  uint word = first_code_word();
  [[unroll]] for (uint pair = 0u; pair < kCullRounds / 2u; ++pair)
    codes[word + pair * kCullGroupSize] = found[2u * pair] | (found[2u * pair + 1u] << 16);
  barrier();
  if (gl_LocalInvocationIndex < kSizeBins && bins[gl_LocalInvocationIndex] != 0u)
    atomicAdd(plans[batch.model].histogram[gl_LocalInvocationIndex], bins[gl_LocalInvocationIndex]);
#ifdef THRONG_HIDES
  if (gl_LocalInvocationIndex == 0u && hidden_here != 0u) atomicAdd(plans[batch.model].hidden_count, hidden_here);
#endif
}

#endif
