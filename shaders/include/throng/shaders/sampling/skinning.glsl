// SPDX-License-Identifier: Apache-2.0
// Bones and weights → where a vertex is. Knows no bindings. The C++ twin, in double, is throng::decode_pose.
#ifndef THRONG_SHADERS_SKINNING_GLSL
#define THRONG_SHADERS_SKINNING_GLSL
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/shared/records.h"
#include "throng/shaders/shared/rotation.h"

struct MeshVertex {
  vec3 position;
  vec3 normal;
  vec4 tangent;  // w: the side, −1 or 1; all 0 when the model has none, and none is worked out
  vec2 uv;
  uvec4 bones;
  vec4 weights;  // the strongest first
  vec4 colour;
};

// A vertex on its way: the weighted sum over its bones. Normals and tangents are directions when they are added, so
// that a bone that scales does not count for more. The tangent's w is below 0 where bones mirror.
struct SkinnedVertex {
  vec3 position;
  vec3 normal;
  vec4 tangent;
};

SkinnedVertex make_skinned(vec3 position, vec3 normal, vec4 tangent) {
  SkinnedVertex made;
  made.position = position;
  made.normal = normal;
  made.tangent = tangent;
  return made;
}

SkinnedVertex no_vertex() {
  return make_skinned(vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), vec4(0.0, 0.0, 0.0, 0.0));
}

AffineSample affine_of_bone(BoneSample bone) {
  return make_affine(mat3_of_columns(bone.scale * rotate_by(bone.rotation, vec3(1.0, 0.0, 0.0)),
                                     bone.scale * rotate_by(bone.rotation, vec3(0.0, 1.0, 0.0)),
                                     bone.scale * rotate_by(bone.rotation, vec3(0.0, 0.0, 1.0))),
                     bone.position);
}

// Scale is uniform, so rotation alone is right for normals; one below 0 is a mirror.
void add_influence(inout SkinnedVertex sum, BoneSample bone, vec3 pivot, float weight, MeshVertex vertex) {
  float side = bone.scale < 0.0 ? -weight : weight;
  sum.position += weight * (bone.scale * rotate_by(bone.rotation, vertex.position - pivot) + bone.position);
  sum.normal += side * rotate_by(bone.rotation, vertex.normal);
  if (vertex.tangent.w != 0.0) sum.tangent += vec4(side * rotate_by(bone.rotation, vertex.tangent.xyz), side);
}

// What turns normals when `m` moves points: its inverse transpose up to a factor, defined for singular matrices too,
// mirroring with the mesh. Of unit length, or nothing.
vec3 turn_normal(mat3 m, vec3 normal) {
  vec3 x = cross(column_of(m, 1), column_of(m, 2));
  vec3 y = cross(column_of(m, 2), column_of(m, 0));
  vec3 z = cross(column_of(m, 0), column_of(m, 1));
  vec3 turned = mat3_times(mat3_of_columns(x, y, z), normal);
  float length_squared = dot(turned, turned);
  if (length_squared <= 1e-30) return vec3(0.0, 0.0, 0.0);
  return turned * (dot(column_of(m, 0), x) < 0.0 ? -inversesqrt(length_squared) : inversesqrt(length_squared));
}

bool mirrors(mat3 m) { return dot(column_of(m, 0), cross(column_of(m, 1), column_of(m, 2))) < 0.0; }

void add_influence(inout SkinnedVertex sum, AffineSample bone, vec3 pivot, float weight, MeshVertex vertex) {
  sum.position += weight * (mat3_times(bone.basis, vertex.position - pivot) + bone.position);
  sum.normal += weight * turn_normal(bone.basis, vertex.normal);
  if (vertex.tangent.w == 0.0) return;
  vec3 turned = mat3_times(bone.basis, vertex.tangent.xyz);
  float length_squared = dot(turned, turned);
  if (length_squared > 1e-30) sum.tangent.xyz += weight * inversesqrt(length_squared) * turned;
  sum.tangent.w += mirrors(bone.basis) ? -weight : weight;
}

// Opposite bones may cancel a normal out; then the one at rest is the best guess, and the one decode_pose takes.
vec3 finish_normal(vec3 sum, vec3 at_rest) {
  float length_squared = dot(sum, sum);
  return length_squared > 1e-20 ? sum * inversesqrt(length_squared) : at_rest;
}

SkinnedVertex finish_vertex(SkinnedVertex sum, MeshVertex vertex) {
  return make_skinned(sum.position, finish_normal(sum.normal, vertex.normal),
                      vec4(finish_normal(sum.tangent.xyz, vertex.tangent.xyz),
                           sum.tangent.w < 0.0 ? -vertex.tangent.w : vertex.tangent.w));
}

// The weighted sum over bones whose weights come to `weights`: not to 1 where only the strongest of them count.
SkinnedVertex finish_vertex(SkinnedVertex sum, float weights, MeshVertex vertex) {
  sum.position /= max(weights, 1e-6);
  return finish_vertex(sum, vertex);
}

// Model space → world space of one instance.
SkinnedVertex place(InstanceRecord instance, SkinnedVertex vertex) {
  vec4 rotation = unpack_rotation(instance.rotation);
  SkinnedVertex placed;
  placed.position = rotate_by(rotation, vertex.position * instance.scale) + instance.position;
  placed.normal = rotate_by(rotation, vertex.normal);
  placed.tangent = vec4(rotate_by(rotation, vertex.tangent.xyz), vertex.tangent.w);
  return placed;
}

#endif
