// SPDX-License-Identifier: Apache-2.0
// What a drawn character was shown as in the last image, laid beside the list of those that are drawn (history.glsl
// writes it).
#ifndef THRONG_SHADERS_LAST_GLSL
#define THRONG_SHADERS_LAST_GLSL
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/shared/drawing.h"
#include "throng/shaders/shared/rotation.h"

layout(std430, set = 1, binding = 20) readonly buffer Last { uvec4 last_words[]; };

// Not where it stands as it stood, in the pose it had, or where nothing is known of it.
bool has_moved(uint at) { return last_words[at * 4u].y != 0u; }

// What one that has_moved() was at in the last image.
Moment last_moment(uint at) {
  uint word = at * 4u;
  uvec4 first = last_words[word];
  uvec4 second = last_words[word + 1u];
  uvec2 third = last_words[word + 2u].xy;
  Moment moment;
  moment.clip = first.z & 0xFFFFu;
  moment.previous_clip = first.z >> 16;
  moment.cursor = Cursor(first.w, second.x, uintBitsToFloat(second.y));
  moment.weight = uintBitsToFloat(second.z);
  moment.previous = Cursor(second.w, third.x, uintBitsToFloat(third.y));
  return moment;
}

// Where it stood; the rest of the record is that of now.
InstanceRecord last_instance(uint at, InstanceRecord now) {
  uint word = at * 4u;
  vec4 place = uintBitsToFloat(last_words[word + 3u]);
  InstanceRecord instance = now;
  instance.rotation = last_words[word + 2u].zw;
  instance.position = place.xyz;
  instance.scale = place.w;
  return instance;
}

// A point that goes with the character's placement alone.
vec3 carried_back(uint at, InstanceRecord now, vec3 world_position) {
  if (!has_moved(at)) return world_position;
  InstanceRecord before = last_instance(at, now);
  vec4 rotation = unpack_rotation(now.rotation);
  vec3 place = rotate_by(vec4(-rotation.xyz, rotation.w), world_position - now.position) / now.scale;
  return rotate_by(unpack_rotation(before.rotation), place * before.scale) + before.position;
}

#endif
