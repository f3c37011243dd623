// Bones and weights → where a vertex is. Knows no bindings. The C++ twin, in double, is throng::decode_pose.
#ifndef THRONG_SHADERS_SKINNING_GLSL
#define THRONG_SHADERS_SKINNING_GLSL
#include "throng/shaders/bone_codecs.glsl"
#include "throng/shaders/records.h"

// A vertex on its way: the weighted sum over its bones. Normals are directions when they are added, so that a bone that scales does
// not count for more.
struct SkinnedVertex {
  vec3 position;
  vec3 normal;
};

// Scale is uniform, so rotation alone is right for normals; one below 0 is a mirror.
void add_influence(inout SkinnedVertex sum, BoneSample bone, vec3 pivot, float weight, vec3 position, vec3 normal) {
  sum.position += weight * (bone.scale * rotate_by(bone.rotation, position - pivot) + bone.position);
  sum.normal += (bone.scale < 0.0 ? -weight : weight) * rotate_by(bone.rotation, normal);
}

// What turns normals when `m` moves points: its inverse transpose up to a factor, defined for singular matrices too, mirroring with
// the mesh. Of unit length, or nothing.
vec3 turn_normal(mat3 m, vec3 normal) {
  mat3 cofactors = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
  vec3 turned = cofactors * normal;
  float length_squared = dot(turned, turned);
  if (length_squared <= 1e-30) return vec3(0.0);
  return turned * (dot(m[0], cofactors[0]) < 0.0 ? -inversesqrt(length_squared) : inversesqrt(length_squared));
}

void add_influence(inout SkinnedVertex sum, AffineSample bone, vec3 pivot, float weight, vec3 position, vec3 normal) {
  sum.position += weight * (bone.linear * (position - pivot) + bone.position);
  sum.normal += weight * turn_normal(bone.linear, normal);
}

// Opposite bones may cancel a normal out; then the one at rest is the best guess, and the one decode_pose takes.
vec3 finish_normal(vec3 sum, vec3 at_rest) {
  float length_squared = dot(sum, sum);
  return length_squared > 1e-20 ? sum * inversesqrt(length_squared) : at_rest;
}

// Model space → world space of one instance.
SkinnedVertex place(InstanceRecord instance, SkinnedVertex vertex) {
  SkinnedVertex placed;
  placed.position = rotate_by(instance.rotation, vertex.position * instance.scale) + instance.position;
  placed.normal = rotate_by(instance.rotation, vertex.normal);
  return placed;
}

#endif
