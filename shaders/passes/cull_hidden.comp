#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
// Does what cull.comp does, but those who stand behind what an earlier image drew are not in the picture. A pass of its
// own: one that needs no occluders has nothing to bind for them.
#define THRONG_HIDES 1
#include "throng/shaders/passes/cull.glsl"
