#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#include "throng/shaders/scene/surroundings.glsl"

layout(location = 0) out vec4 target;

void main() { target = vec4(seen_ground(gl_FragCoord.xy), 1.0); }
