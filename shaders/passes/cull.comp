#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
// Which views see each character, and how tall it is in the picture.
#include "throng/shaders/passes/cull.glsl"
