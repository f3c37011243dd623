// SPDX-License-Identifier: Apache-2.0
// Where a vertex is in the picture and where it was in the last one, for vertex shaders of motion vectors;
// motion_target.glsl writes what comes of it.
#ifndef THRONG_SHADERS_MOTION_GLSL
#define THRONG_SHADERS_MOTION_GLSL
#include "throng/shaders/passes/last.glsl"
#include "throng/shaders/shared/scene.h"

layout(std140, set = 0, binding = 0) uniform Scene { SceneUniforms scene; };

// x, y and w of both places in their pictures.
layout(location = 6) out vec3 picture_place;
layout(location = 7) out vec3 last_picture_place;

void hand_on_motion(mat4 clip_from_world, vec3 world_position, vec3 last_position) {
  picture_place = (clip_from_world * vec4(world_position, 1.0)).xyw;
  last_picture_place = (scene.last_clip_from_world * vec4(last_position, 1.0)).xyw;
}

#endif
