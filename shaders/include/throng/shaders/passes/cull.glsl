// SPDX-License-Identifier: Apache-2.0
// The body of cull.comp and cull_hidden.comp (which defines THRONG_HIDES).
#ifndef THRONG_SHADERS_CULL_GLSL
#define THRONG_SHADERS_CULL_GLSL
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/passes/boxes.glsl"
#include "throng/shaders/passes/crowd_records.glsl"
#include "throng/shaders/passes/counting.glsl"
#include "throng/shaders/shared/rotation.h"
#ifdef THRONG_HIDES
#include "throng/shaders/passes/occluders.glsl"
#endif

layout(constant_id = 0) const uint kSphereFirst = 1u;  // 0: drivers without a GPU
// 1: levels are known, and this pass counts; 0: it counts heights, for plan.comp to fit levels to a budget.
layout(constant_id = 1) const uint kCounts = 0u;

layout(local_size_x = kCullGroupSize) in;

layout(std430, set = 1, binding = 11) writeonly buffer Codes { uint codes[]; };  // code_words

layout(push_constant) uniform Batch { CullBatch batch; };

shared uint bins[kSizeBins];
#ifdef THRONG_HIDES
shared uint hidden_here;
#endif

// What its clip, or both of a fade, may reach, in model space.
ModelBox box_of(InstanceRecord instance, uint index) {
  uint clip = instance.clips & 0xFFFFu;
  uint previous = instance.clips >> 16;
  ModelBox box = clip_box(clip);
  if (previous != kNoClip) {
    box = fading_box(box, clip_box(previous), fade_reach(clip));
  } else if (models[batch.model].has_parts != 0u) {
    box = worn_box(box, model_box(), parts_box_at(index));
  }
  box.extent += models[batch.model].beyond;
  return box;
}

WorldBox placed(InstanceRecord instance, vec4 rotation, vec3 centre, vec3 extent) {
  vec3 size = extent * instance.scale;
  return WorldBox(centre, rotate_by(rotation, vec3(size.x, 0.0, 0.0)), rotate_by(rotation, vec3(0.0, size.y, 0.0)),
                  rotate_by(rotation, vec3(0.0, 0.0, size.z)));
}

bool sees(ViewRecord view, WorldBox box) {
  float inside = 1.0;
  for (int i = 0; i < 6; ++i) {
    inside = min(inside, box_inside(view.planes[i], box));
  }
  return inside >= 0.0;
}

// How far inside of a view a point is; below 0 outside.
float depth_in(ViewRecord view, vec3 point) {
  float inside = inside_of(view.planes[0], point);
  for (int i = 1; i < 6; ++i) inside = min(inside, inside_of(view.planes[i], point));
  return inside;
}

// `views` see it, but those that are `unsure` must look at its box.
uint code_of(InstanceRecord instance, uint index, uint views, uint unsure) {
  if (views == 0u || instance.scale < 0.0) return kUnseen;
  ModelBox box = box_of(instance, index);
  vec4 rotation = unpack_rotation(instance.rotation);
  vec3 centre = instance.position + rotate_by(rotation, box.centre * instance.scale);
#ifdef THRONG_HIDES
  bool looks = (views & 1u) != 0u;
#else
  bool looks = false;
#endif
  if (unsure != 0u || looks) {
    WorldBox world = placed(instance, rotation, centre, box.extent);
    for (uint i = 0u; i < image.view_count; ++i)
      if ((unsure & (1u << i)) != 0u && !sees(image.views[i], world)) views &= ~(1u << i);
#ifdef THRONG_HIDES
    if ((views & 1u) != 0u && is_hidden(image.occluders, world.centre, world.axis_x, world.axis_y, world.axis_z)) {
      views &= ~1u;
      atomicAdd(hidden_here, 1u);
    }
#endif
    if (views == 0u) return kUnseen;
  }
  uint bin = size_bin(models[batch.model].height * instance.scale, image.pixels, length(centre - image.eye));
  return make_code(bin, instance.clips >> 16 != kNoClip, views);
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

void main() {
  if (kCounts != 0u)
    begin_counting(batch.model);
  else if (gl_LocalInvocationIndex < kSizeBins)
    bins[gl_LocalInvocationIndex] = 0u;
#ifdef THRONG_HIDES
  if (gl_LocalInvocationIndex == 0u) hidden_here = 0u;
#endif
  barrier();
  uint first = gl_WorkGroupID.x * (kCullGroupSize * kCullRounds) + gl_LocalInvocationIndex;
  // All are asked for before the first is looked at: waiting for memory once, not once a round.
  uvec4 places[kCullRounds];
  uint last = batch.instance_count - 1u;
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round)
    places[round] = place_words(min(first + round * kCullGroupSize, last));
  // Most are well inside or well outside of a view, which a sphere around them tells at once. A driver without a GPU
  // looks at every box: its threads go through both branches.
  uint all = (1u << image.view_count) - 1u;
  bool spheres = kSphereFirst != 0u && image.culling != 0u;
  uint views[kCullRounds];
  uint unsure[kCullRounds];
  float reach =
      whole_reach(models[batch.model].reach, models[batch.model].fading_reach, models[batch.model].beyond);
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    views[round] = spheres ? 0u : all;
    unsure[round] = spheres || image.culling == 0u ? 0u : all;
  }
  for (uint i = 0u; spheres && i < image.view_count; ++i) {
    ViewRecord view = image.views[i];
    [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
      vec4 place = uintBitsToFloat(places[round]);
      float inside = depth_in(view, place.xyz);
      views[round] |= inside >= -reach * place.w ? 1u << i : 0u;
      unsure[round] |= abs(inside) <= reach * place.w ? 1u << i : 0u;
    }
  }
  // The rest of those in view, again all at once.
  uvec4 looks[kCullRounds];
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    looks[round] = uvec4(0u);
    if (views[round] != 0u) looks[round] = look_words(min(first + round * kCullGroupSize, last));
  }
  uint found[kCullRounds];
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    uint index = first + round * kCullGroupSize;
    InstanceRecord instance = instance_of_words(places[round], looks[round]);
    found[round] = index > last ? kUnseen : code_of(instance, index, views[round], unsure[round]);
    if (found[round] == kUnseen) continue;
    if (kCounts != 0u)
      count_character(found[round], batch.lists);
    else
      count_bin(bin_of(found[round]));
  }
  uint word = first_code_word();
  [[unroll]] for (uint pair = 0u; pair < kCullRounds / 2u; ++pair)
    codes[word + pair * kCullGroupSize] = found[2u * pair] | (found[2u * pair + 1u] << 16);
  barrier();
  if (kCounts != 0u)
    end_counting(batch);
  else if (gl_LocalInvocationIndex < kSizeBins && bins[gl_LocalInvocationIndex] != 0u)
    atomicAdd(plans[batch.model].histogram[gl_LocalInvocationIndex], bins[gl_LocalInvocationIndex]);
#ifdef THRONG_HIDES
  if (gl_LocalInvocationIndex == 0u && hidden_here != 0u) atomicAdd(plans[batch.model].hidden_count, hidden_here);
#endif
}

#endif
