// The sampling library of the q16 encoding: animation texels → where a vertex is. It knows no bindings; include it and give it
// your textures. The C++ twin, in double, is throng/asset/q16.h; tests compare the two vertex by vertex.
#ifndef THRONG_SHADERS_Q16_GLSL
#define THRONG_SHADERS_Q16_GLSL
#include "throng/shaders/records.h"
#include "throng/shaders/timing.h"

// A bone's movement: v' = scale · rotation · (v − pivot) + position.
struct BoneSample {
  vec4 rotation;  // quaternion x y z w
  vec3 position;
  float scale;
};

// Where a value sits in an atlas (throng/asset/layout.h). Integer coordinates: nothing is filtered.
struct AtlasLayout {
  uint width;
  uint rows_per_frame;
};

ivec3 q16_address(AtlasLayout atlas_layout, uint layer, uint frame, uint bone) {
  uint row = atlas_layout.rows_per_frame == 1u ? 0u : bone / atlas_layout.width;
  return ivec3(bone - row * atlas_layout.width, frame * atlas_layout.rows_per_frame + row, layer);
}

vec2 q16_unpack_signed(uint two) {
  return max(vec2(bitfieldExtract(int(two), 0, 16), bitfieldExtract(int(two), 16, 16)) / 32767.0, vec2(-1.0));
}

vec2 q16_unpack_unsigned(uint two) { return vec2(two & 0xFFFFu, two >> 16) / 65535.0; }

BoneSample q16_decode(uvec4 texel, ClipRecord clip) {
  vec2 position_xy = q16_unpack_unsigned(texel.z);
  vec2 position_z_scale = q16_unpack_unsigned(texel.w);
  BoneSample result;
  result.rotation = vec4(q16_unpack_signed(texel.x), q16_unpack_signed(texel.y));
  result.position = clip.pivot_min + vec3(position_xy, position_z_scale.x) * clip.pivot_size;
  result.scale = position_z_scale.y * clip.scale_max;
  return result;
}

// q and −q are one rotation: without the change of sign half of the in-betweens would go the long way round.
BoneSample q16_interpolate(BoneSample from, BoneSample to, float blend) {
  vec4 near_rotation = dot(from.rotation, to.rotation) < 0.0 ? -to.rotation : to.rotation;
  BoneSample result;
  result.rotation = normalize(mix(from.rotation, near_rotation, blend));
  result.position = mix(from.position, to.position, blend);
  result.scale = mix(from.scale, to.scale, blend);
  return result;
}

BoneSample q16_sample(usampler2DArray atlas, AtlasLayout atlas_layout, ClipRecord clip, Cursor cursor, uint bone) {
  uvec4 from = texelFetch(atlas, q16_address(atlas_layout, clip.layer, cursor.frame, bone), 0);
  uvec4 to = texelFetch(atlas, q16_address(atlas_layout, clip.layer, cursor.next, bone), 0);
  return q16_interpolate(q16_decode(from, clip), q16_decode(to, clip), cursor.blend);
}

vec3 rotate_by(vec4 quaternion, vec3 v) {
  vec3 t = 2.0 * cross(quaternion.xyz, v);
  return v + quaternion.w * t + cross(quaternion.xyz, t);
}

// A vertex on its way: the weighted sum over its bones. Scale is uniform, so rotation alone is right for normals.
struct SkinnedVertex {
  vec3 position;
  vec3 normal;
};

void q16_add_influence(inout SkinnedVertex sum, BoneSample bone, vec3 pivot, float weight, vec3 position, vec3 normal) {
  sum.position += weight * (bone.scale * rotate_by(bone.rotation, position - pivot) + bone.position);
  sum.normal += weight * rotate_by(bone.rotation, normal);
}

// Model space → world space of one instance.
SkinnedVertex place(InstanceRecord instance, SkinnedVertex vertex) {
  SkinnedVertex placed;
  placed.position = rotate_by(instance.rotation, vertex.position * instance.scale) + instance.position;
  placed.normal = rotate_by(instance.rotation, vertex.normal);
  return placed;
}

#endif
