// One baked model and its instances as the crowd passes bind them (set 1), and a vertex of an instance at a moment.
#ifndef THRONG_SHADERS_CROWD_GLSL
#define THRONG_SHADERS_CROWD_GLSL
#include "throng/shaders/q16.glsl"

layout(constant_id = 0) const uint kAtlasWidth = 1u;
layout(constant_id = 1) const uint kRowsPerFrame = 1u;

layout(std430, set = 1, binding = 0) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 1, binding = 1) readonly buffer Clips { ClipRecord clips[]; };
layout(std430, set = 1, binding = 2) readonly buffer Pivots { vec4 pivots[]; };
layout(set = 1, binding = 3) uniform usampler2DArray atlas;

Cursor cursor_of(InstanceRecord instance, uvec2 now) {
  ClipRecord clip = clips[instance.clip];
  return cursor_at(clip, phase_at(clip, instance, now));
}

// In model space.
SkinnedVertex skin_vertex(ClipRecord clip, Cursor cursor, vec3 position, vec3 normal, uvec4 bones, vec4 weights) {
  AtlasLayout atlas_layout = AtlasLayout(kAtlasWidth, kRowsPerFrame);
  SkinnedVertex sum = SkinnedVertex(vec3(0.0), vec3(0.0));
  for (int i = 0; i < 4; ++i) {
    if (weights[i] == 0.0) continue;
    BoneSample bone = q16_sample(atlas, atlas_layout, clip, cursor, bones[i]);
    q16_add_influence(sum, bone, pivots[bones[i]].xyz, weights[i], position, normal);
  }
  // Opposite bones may cancel a normal out; any direction is better than none.
  float length_squared = dot(sum.normal, sum.normal);
  sum.normal = length_squared > 1e-20 ? sum.normal * inversesqrt(length_squared) : vec3(0.0, 1.0, 0.0);
  return sum;
}

// Whether nothing of an instance can be inside the picture or map: four planes against the ball around it. Far from free, but far
// cheaper than animating it.
bool out_of_sight(mat4 clip_from_world, InstanceRecord instance, float reach) {
  mat4 rows = transpose(clip_from_world);
  vec4 centre = vec4(instance.position, 1.0);
  float radius = reach * abs(instance.scale);
  float nearest = radius;
  for (int axis = 0; axis < 2; ++axis) {
    vec4 low = rows[3] + rows[axis];
    vec4 high = rows[3] - rows[axis];
    nearest = min(nearest, min(dot(low, centre) / length(low.xyz), dot(high, centre) / length(high.xyz)));
  }
  return nearest < -radius;
}

// Where a vertex goes that is not to be seen: all of a triangle on one point draws nothing.
const vec4 kNowhere = vec4(2.0, 2.0, 2.0, 1.0);

#endif
