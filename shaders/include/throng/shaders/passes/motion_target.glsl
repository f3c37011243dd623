// SPDX-License-Identifier: Apache-2.0
// Writes how far the surface moved in the picture since the last one: in pictures' widths and heights, y down.
#ifndef THRONG_SHADERS_MOTION_TARGET_GLSL
#define THRONG_SHADERS_MOTION_TARGET_GLSL

layout(location = 6) in vec3 picture_place;
layout(location = 7) in vec3 last_picture_place;

layout(location = 1) out vec2 motion_target;

void write_motion() {
  // What was behind the eye was nowhere in the picture.
  bool was_ahead = last_picture_place.z > 0.0;
  vec2 before = last_picture_place.xy / (was_ahead ? last_picture_place.z : 1.0);
  motion_target = was_ahead ? 0.5 * (picture_place.xy / picture_place.z - before) : vec2(0.0);
}

#endif
