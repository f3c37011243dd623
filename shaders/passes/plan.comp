#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Heights in the picture → levels of detail. When they need more vertices than there may be, more and more is allowed
// to be seen of a level's error, an eighth of an octave at a time, until they fit: those far away get coarser first.
#include "throng/shaders/passes/plan.glsl"

layout(local_size_x = kPlanGroupSize) in;

layout(push_constant) uniform Settings { PlanSettings settings; };

shared uint fitting;

// The coarsest level whose surface is off by no more than may be seen, for characters of a bin.
uint level_for(uint model, uint bin, uint relaxed) {
  float tallest = tallest_of(bin);
  float allowed = allowed_error(settings.pixel_error, relaxed);
  uint meshes = models[model].mesh_count;
  if (tallest <= settings.speck_pixels * relaxed_by(relaxed)) return meshes;
  uint level = 0u;
  for (uint i = 1u; i < meshes; ++i)
    if (models[model].errors[i] / models[model].height * tallest <= allowed) level = i;
  return level;
}

// Specks are not animated.
uint vertices_of(uint model, uint level) {
  return level >= models[model].mesh_count ? 0u : models[model].vertex_counts[level];
}

// What all of them take; as many as a uint holds when they are more.
uint vertices_when(uint relaxed) {
  uint sum = 0u;
  for (uint model = 0u; model < settings.model_count; ++model)
    for (uint bin = 0u; bin < kSizeBins; ++bin) {
      uint high;
      uint low;
      umulExtended(plans[model].histogram[bin], vertices_of(model, level_for(model, bin, relaxed)), high, low);
      uint carry;
      sum = uaddCarry(sum, low, carry);
      if (high != 0u || carry != 0u) return 0xFFFFFFFFu;
    }
  return sum;
}

void main() {
  uint thread = gl_LocalInvocationIndex;
  if (thread == 0u) fitting = kSizeBins - 1u;
  barrier();
  if (settings.vertex_budget == 0u) {
    if (thread == 0u) fitting = 0u;
  } else if (vertices_when(thread) <= settings.vertex_budget) {
    atomicMin(fitting, thread);
  }
  barrier();
  for (uint model = 0u; model < settings.model_count; ++model)
    plans[model].level_of_bin[thread] = level_for(model, thread, fitting);
}
