// SPDX-License-Identifier: Apache-2.0
// What the passes that plan an image share (set 0).
#ifndef THRONG_SHADERS_PLAN_GLSL
#define THRONG_SHADERS_PLAN_GLSL
#include "throng/shaders/shared/culling.h"

layout(std430, set = 0, binding = 0) readonly buffer Image { ImageRecord image; };
layout(std430, set = 0, binding = 1) readonly buffer Models { ModelRecord models[]; };
layout(std430, set = 0, binding = 2) buffer Plans { PlanRecord plans[]; };
layout(std430, set = 0, binding = 3) readonly buffer Ranges { RangeRecord ranges[]; };
layout(std430, set = 0, binding = 4) writeonly buffer Commands { CommandRecord commands[]; };
layout(std430, set = 0, binding = 5) writeonly buffer Counts { uint command_counts[]; };  // of every call

// A thread looks at kCullRounds characters, kCullGroupSize apart, in cull, count and gather alike. Their codes lie two
// to a word, each thread's kCullGroupSize apart: the lower half is the earlier round's. All words of a group are there,
// characters or not.
uint first_code_word() { return gl_WorkGroupID.x * (kCullGroupSize * kCullRounds / 2u) + gl_LocalInvocationIndex; }
uint code_in(uint word, uint round) { return (round & 1u) == 0u ? word & 0xFFFFu : word >> 16; }

#endif
