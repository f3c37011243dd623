#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
// counting.glsl, where a budget of vertices decided about levels after culling.
#include "throng/shaders/passes/counting.glsl"

layout(local_size_x = kCullGroupSize) in;

layout(std430, set = 1, binding = 11) readonly buffer Codes { uint codes[]; };

layout(push_constant) uniform Batch { CullBatch batch; };

void main() {
  begin_counting(batch.model);
  uint mine[kCullRounds / 2u];
  [[unroll]] for (uint pair = 0u; pair < kCullRounds / 2u; ++pair)
    mine[pair] = codes[first_code_word() + pair * kCullGroupSize];
  barrier();
  [[unroll]] for (uint round = 0u; round < kCullRounds; ++round) {
    uint code = code_in(mine[round / 2u], round);
    if (code != kUnseen) count_character(code, batch.lists);
  }
  barrier();
  end_counting(batch);
}
