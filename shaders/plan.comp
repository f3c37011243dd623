#version 460
#extension GL_GOOGLE_include_directive : require
// Heights in the picture → levels of detail. When they need more vertices than there may be, everybody counts as smaller than it is,
// bin by bin, until they fit: those far away get coarser first.
#include "throng/shaders/plan.glsl"

layout(local_size_x = kPlanGroupSize) in;

layout(push_constant) uniform Settings { PlanSettings settings; };

shared uint fitting;

// The coarsest level whose surface is off by no more than may be seen, for characters of a bin.
uint level_for(uint model, uint bin) {
  float largest = kSmallestSize * exp2(float(bin + 1u) / float(kBinsPerOctave));
  uint meshes = models[model].mesh_count;
  if (largest <= settings.speck_pixels) return meshes;
  uint level = 0u;
  for (uint i = 1u; i < meshes; ++i)
    if (models[model].errors[i] / models[model].height * largest <= settings.pixel_error) level = i;
  return level;
}

// Specks are not animated.
uint vertices_of(uint model, uint level) { return level >= models[model].mesh_count ? 0u : models[model].vertex_counts[level]; }

uint lowered(uint bin, uint by) { return bin > by ? bin - by : 0u; }

// What all of them take when they count as `by` bins smaller; no more than a uint holds.
uint vertices_when(uint by) {
  float sum = 0.0;
  for (uint model = 0u; model < settings.model_count; ++model)
    for (uint bin = 0u; bin < kSizeBins; ++bin) {
      uint count = plans[model].histogram[bin];
      if (count != 0u) sum += float(count) * float(vertices_of(model, level_for(model, lowered(bin, by))));
    }
  return uint(min(sum, 4.0e9));
}

void main() {
  uint by = gl_LocalInvocationIndex;
  if (by == 0u) fitting = kSizeBins - 1u;
  barrier();
  if (settings.vertex_budget == 0u) {
    if (by == 0u) fitting = 0u;
  } else if (vertices_when(by) <= settings.vertex_budget) {
    atomicMin(fitting, by);
  }
  barrier();
  for (uint model = 0u; model < settings.model_count; ++model)
    plans[model].level_of_bin[by] = level_for(model, lowered(by, fitting));
}
