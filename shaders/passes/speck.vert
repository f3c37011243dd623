#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// A character of a few pixels: a card around its box that faces the eye.
#include "throng/shaders/scene/colour.glsl"
#include "throng/shaders/passes/crowd_records.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/passes/boxes.glsl"
#include "throng/shaders/shared/rotation.h"
#include "throng/shaders/shared/scene.h"
#include "throng/shaders/passes/speck_looks.glsl"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/motion.glsl"
#endif

layout(std430, set = 1, binding = 8) readonly buffer ViewLists { uint view_lists[]; };
layout(std430, set = 1, binding = 17) readonly buffer Speck {
  SpeckRecord speck;
  SpeckSums part_sums[];  // of models with parts
};

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec2 card;  // across, in heights from its middle; how far up its model that is, 0 to 1
layout(location = 2) flat out uvec3 character;  // variation; tint; pack_direction() of its up
layout(location = 3) flat out uvec4 bands;      // pack_band() of what it wears, from the feet up
layout(location = 4) flat out uvec2 widths;     // halves of them, over its height, as half floats

SpeckRecord worn_speck(uvec2 hidden_parts) {
  if (hidden_parts == uvec2(0u) || part_sums.length() == 0) return speck;
  SpeckSums worn;
  for (uint i = 0u; i < kSpeckBands; ++i) worn.painted[i] = vec4(0.0);
  worn.reach = vec4(0.0);
  for (uint part = 0u; part < uint(part_sums.length()); ++part) {
    if (!is_worn(hidden_parts, part)) continue;
    for (uint i = 0u; i < kSpeckBands; ++i) worn.painted[i] += part_sums[part].painted[i];
    worn.reach += part_sums[part].reach;
  }
  return speck_of(worn);
}

// A corner of the card of a character that plays `clip`, as `view` sees it, in world space.
vec3 card_corner(InstanceRecord instance, uint clip, uint parts_box, vec2 corner, mat4 view) {
  vec4 rotation = unpack_rotation(instance.rotation);
  ModelBox box = worn_box(clip_box(clip), model_box(), parts_box);
  vec3 half_size = parts_box == kNothingWorn ? vec3(0.0) : box.extent * instance.scale;
  vec3 centre = instance.position + rotate_by(rotation, box.centre * instance.scale);
  vec3 upwards = rotate_by(rotation, vec3(0.0, 1.0, 0.0));
  // Across the way to the eye; seen from above, or without perspective, any way across will do.
  vec3 across = cross(upwards, vec3(view[0].w, view[1].w, view[2].w));
  if (dot(across, across) < 1e-12) across = rotate_by(rotation, vec3(1.0, 0.0, 0.0));
  return centre + normalize(across) * (corner.x * half_size.y) + upwards * (corner.y * half_size.y);
}

void main() {
  uint at = view_lists[gl_InstanceIndex];
  DrawnRecord record = read_drawn(at);
  InstanceRecord instance = instance_at(record.instance);
  uint parts_box = parts_box_at(record.instance);
  // Which share of the model's height the parts it wears have: widths and bands are of the whole.
  bool less = parts_box != 0u && parts_box != kNothingWorn;
  float low = less ? drawn_in_below(parts_box).y : 0.0;
  float high = less ? 1.0 - drawn_in_above(parts_box).y : 1.0;
  float height = max(high - low, 1.0 / float(kBoxSteps));
  SpeckRecord worn = worn_speck(hidden_parts_at(record.instance));
  vec4 wide = vec4(worn.bands[0].w, worn.bands[1].w, worn.bands[2].w, worn.bands[3].w) / height;
  bands = uvec4(pack_band(worn.bands[0].rgb), pack_band(worn.bands[1].rgb), pack_band(worn.bands[2].rgb),
                pack_band(worn.bands[3].rgb));
  widths = uvec2(packHalf2x16(wide.xy), packHalf2x16(wide.zw));
  // No wider than it is anywhere.
  float widest = max(max(wide.x, wide.y), max(wide.z, wide.w));
  vec2 corner = vec2((gl_VertexIndex & 1) == 0 ? -2.0 * widest : 2.0 * widest, (gl_VertexIndex & 2) == 0 ? -1.0 : 1.0);
  card = vec2(corner.x, corner.y < 0.0 ? low : high);
  world_position = card_corner(instance, record.moment.clip, parts_box, corner, draw.clip_from_world);
  vec3 up = rotate_by(unpack_rotation(instance.rotation), vec3(0.0, 1.0, 0.0));
  character = uvec3(variation_at(record.instance), instance.tint, pack_direction(up));
  gl_Position = draw.clip_from_world * vec4(world_position, 1.0);
#ifdef THRONG_MOTION
  // The card as it was shown: where it stood, as large as its clip was, turned to where the eye was.
  bool moved = has_moved(at);
  InstanceRecord before = instance;
  if (moved) before = last_instance(at, instance);
  uint clip = moved ? last_moment(at).clip : record.moment.clip;
  hand_on_motion(draw.clip_from_world, world_position,
                 card_corner(before, clip, parts_box, corner, scene.last_clip_from_world));
#endif
}
