#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// A character of a few pixels: a card around its box that faces the eye.
#include "throng/shaders/scene/colour.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/passes/boxes.glsl"
#include "throng/shaders/shared/rotation.h"
#include "throng/shaders/shared/scene.h"
#include "throng/shaders/shared/speck.h"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/motion.glsl"
#endif

layout(std430, set = 1, binding = 0) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 1, binding = 1) readonly buffer Plays { PlayRecord plays[]; };
layout(std430, set = 1, binding = 8) readonly buffer ViewLists { uint view_lists[]; };
layout(std430, set = 1, binding = 17) readonly buffer Speck { SpeckRecord speck; };

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec2 card;  // across, in heights from its middle; 0 to 1 up
layout(location = 2) out vec3 surface_colour;
layout(location = 3) flat out uint variation;
layout(location = 4) flat out vec3 up;

// A corner of the card of a character that plays `clip`, as `view` sees it, in world space.
vec3 card_corner(InstanceRecord instance, uint clip, uint parts_box, mat4 view) {
  vec4 rotation = unpack_rotation(instance.rotation);
  ModelBox box = worn_box(clip_box(clip), parts_box);
  vec3 half_size = parts_box == kNothingWorn ? vec3(0.0) : box.extent * instance.scale;
  vec3 centre = instance.position + rotate_by(rotation, box.centre * instance.scale);
  vec3 upwards = rotate_by(rotation, vec3(0.0, 1.0, 0.0));
  // Across the way to the eye; seen from above, or without perspective, any way across will do.
  vec3 across = cross(upwards, vec3(view[0].w, view[1].w, view[2].w));
  if (dot(across, across) < 1e-12) across = rotate_by(rotation, vec3(1.0, 0.0, 0.0));
  return centre + normalize(across) * (card.x * half_size.y) + upwards * ((2.0 * card.y - 1.0) * half_size.y);
}

void main() {
  uint at = view_lists[gl_InstanceIndex];
  DrawnRecord record = read_drawn(at);
  InstanceRecord instance = instances[record.instance];
  uint parts_box = plays[record.instance].parts_box;
  up = rotate_by(unpack_rotation(instance.rotation), vec3(0.0, 1.0, 0.0));
  // No wider than it is anywhere.
  float widest = max(max(speck.bands[0].w, speck.bands[1].w), max(speck.bands[2].w, speck.bands[3].w));
  card = vec2((gl_VertexIndex & 1) == 0 ? -2.0 * widest : 2.0 * widest, (gl_VertexIndex & 2) == 0 ? 0.0 : 1.0);
  world_position = card_corner(instance, record.moment.clip, parts_box, draw.clip_from_world);
  surface_colour = linear_from_srgb(unpackUnorm4x8(instance.tint).rgb);
  variation = plays[record.instance].variation;
  gl_Position = draw.clip_from_world * vec4(world_position, 1.0);
#ifdef THRONG_MOTION
  // The card as it was shown: where it stood, as large as its clip was, turned to where the eye was.
  bool moved = has_moved(at);
  InstanceRecord before = instance;
  if (moved) before = last_instance(at, instance);
  uint clip = moved ? last_moment(at).clip : record.moment.clip;
  hand_on_motion(draw.clip_from_world, world_position, card_corner(before, clip, parts_box, scene.last_clip_from_world));
#endif
}
