#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Where the pool had no room for everybody: draws of those who are in it, and of those who are skinned as they are drawn. One group a
// model.
#include "throng/shaders/draws.glsl"

layout(local_size_x = kPlanGroupSize) in;

layout(push_constant) uniform Settings { PlanSettings settings; };

void main() {
  uint model = gl_WorkGroupID.x;
  uint parts = models[model].part_count;
  for (uint i = gl_LocalInvocationIndex; i < image.view_count * parts; i += kPlanGroupSize) {
    write_draws(model, i / parts, i % parts, false);
    write_draws(model, i / parts, i % parts, true);
  }
}
