// One baked model and its instances as the crowd passes bind them (set 1), and a vertex of an instance at a moment.
#ifndef THRONG_SHADERS_CROWD_GLSL
#define THRONG_SHADERS_CROWD_GLSL
#include "throng/shaders/q16.glsl"
#include "throng/shaders/vertex_words.h"

layout(constant_id = 0) const uint kAtlasWidth = 1u;
layout(constant_id = 1) const uint kRowsPerFrame = 1u;

layout(std430, set = 1, binding = 0) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 1, binding = 1) readonly buffer Clips { ClipRecord clips[]; };
layout(std430, set = 1, binding = 2) readonly buffer Pivots { vec4 pivots[]; };
layout(set = 1, binding = 3) uniform usampler2DArray atlas;
// Words of throng::BakedVertex (vertex_words.h). Reading them here and not as vertex attributes lets instances that are out of sight
// read nothing.
layout(std430, set = 1, binding = 4) readonly buffer Vertices { uint vertex_words[]; };

struct MeshVertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  uvec4 bones;
  vec4 weights;
  vec4 colour;
};

uvec2 read_two(uint word) { return uvec2(vertex_words[word], vertex_words[word + 1u]); }
uvec3 read_three(uint word) { return uvec3(read_two(word), vertex_words[word + 2u]); }

MeshVertex read_vertex(uint index) {
  uint word = index * kVertexWords;
  uvec2 bones = read_two(word + kBonesWord);
  uvec2 weights = read_two(word + kWeightsWord);
  MeshVertex vertex;
  vertex.position = uintBitsToFloat(read_three(word + kPositionWord));
  vertex.normal = uintBitsToFloat(read_three(word + kNormalWord));
  vertex.uv = uintBitsToFloat(read_two(word + kUvWord));
  vertex.bones = uvec4(bones.x & 0xFFFFu, bones.x >> 16, bones.y & 0xFFFFu, bones.y >> 16);
  vertex.weights = vec4(unpackUnorm2x16(weights.x), unpackUnorm2x16(weights.y));
  vertex.colour = unpackUnorm4x8(vertex_words[word + kColourWord]);
  return vertex;
}

Cursor cursor_of(InstanceRecord instance, uvec2 now) {
  ClipRecord clip = clips[instance.clip];
  return cursor_at(clip, phase_at(clip, instance, now));
}

// In model space.
SkinnedVertex skin_vertex(ClipRecord clip, Cursor cursor, MeshVertex vertex) {
  AtlasLayout atlas_layout = AtlasLayout(kAtlasWidth, kRowsPerFrame);
  SkinnedVertex sum = SkinnedVertex(vec3(0.0), vec3(0.0));
  for (int i = 0; i < 4; ++i) {
    if (vertex.weights[i] == 0.0) continue;
    uint column = vertex.bones[i];
    BoneSample bone = q16_sample(atlas, atlas_layout, clip, cursor, column);
    q16_add_influence(sum, bone, pivots[column].xyz, vertex.weights[i], vertex.position, vertex.normal);
  }
  // Opposite bones may cancel a normal out; then the one at rest is the best guess, and the one decode_pose takes.
  float length_squared = dot(sum.normal, sum.normal);
  sum.normal = length_squared > 1e-20 ? sum.normal * inversesqrt(length_squared) : vertex.normal;
  return sum;
}

// Whether nothing of an instance can be inside the picture or map: four planes against the ball around it. Far from free, but far
// cheaper than animating it.
bool out_of_sight(mat4 clip_from_world, InstanceRecord instance, float reach) {
  mat4 rows = transpose(clip_from_world);
  vec4 centre = vec4(instance.position, 1.0);
  float radius = reach * instance.scale;
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
