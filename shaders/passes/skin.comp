#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The skinning pass: every vertex of those drawn characters of one level that the pool has room for, in world space,
// once for all passes that draw them. A group takes a few characters: its threads first work out what every column does
// to them, then share the vertices.
#include "throng/shaders/passes/palette.glsl"
#include "throng/shaders/passes/drawn_list.glsl"
#include "throng/shaders/passes/plan.glsl"
#include "throng/shaders/passes/pool.glsl"

layout(constant_id = 8) const uint kTogether = 1u;       // characters of a group
layout(constant_id = 9) const uint kBones = 4u;          // of a vertex
// Columns of a character; 0: too many to share, every vertex reads its own.
layout(constant_id = 10) const uint kSharedColumns = 1u;

// 1: all columns scale alike, so what moves vertices turns normals.
layout(constant_id = 11) const uint kOneScale = 0u;

#ifdef THRONG_TEXELS
const uint kThreads = kSkinTexelsGroupSize;
#else
const uint kThreads = kSkinGroupSize;
#endif
layout(local_size_x = kThreads) in;

layout(std430, set = 1, binding = 10) writeonly buffer Pool { uvec4 pool[]; };
layout(std430, set = 1, binding = 16) writeonly buffer PoolTangents { uint pool_tangents[]; };

// What this pass needs of every vertex, in two reads: position and normal; bones and weights.
#ifdef THRONG_TEXELS
uvec4 skin_vertex_words(uint at) { return texelFetch(skin_vertex_texels, int(at)); }
#else
layout(std430, set = 1, binding = 18) readonly buffer SkinVertices { uvec4 skin_vertices[]; };
uvec4 skin_vertex_words(uint at) { return skin_vertices[at]; }
#endif

layout(push_constant) uniform Batch { SkinBatch batch; };

// world_from_mesh of every column of every character, as rows; and what makes its turns of unit length again.
const uint kSharedMoves = kTogether * (kSharedColumns == 0u ? 1u : kSharedColumns);
shared vec4 rows[kSharedMoves * 3u];
shared float unscale[kOneScale != 0u ? 1u : kSharedMoves];

const bool kAffine = (kEncodings & kAffineEncodings) != 0u;

AffineSample placed(InstanceRecord instance, AffineSample bone) {
  vec4 rotation = unpack_rotation(instance.rotation);
  AffineSample world = affine_of_bone(BoneSample(rotation, instance.position, instance.scale));
  return AffineSample(world.basis * bone.basis, world.basis * bone.position + world.position);
}

// About the origin, in model space.
AffineSample column_move(uint at, uint column) {
#ifndef THRONG_POSED
  if (!is_posed()) {
    PosedClips posed = clips_at(read_drawn(at).moment);
    vec3 pivot = pivot_of(posed.clip, column);
    AffineSample bone = is_affine(posed) ? sample_affine_column(posed, column, pivot)
                                         : affine_of_bone(sample_column(posed, column, pivot));
    bone.position -= bone.basis * pivot;
    return bone;
  }
#endif
  return has_affine_palette() ? posed_affine(pose_now(at), column) : affine_of_bone(posed_bone(pose_now(at), column));
}

MeshVertex read_skin_vertex(uint index) {
  uvec4 place = skin_vertex_words(index * 2u);
  uvec4 bound = skin_vertex_words(index * 2u + 1u);
  MeshVertex vertex;
  vertex.position = pooled_position(place);
  vertex.normal = pooled_normal(place);
  vertex.tangent = kTangents != 0u ? tangents[index] : vec4(0.0);
  vertex.uv = vec2(0.0);
  vertex.bones = uvec4(bound.x & 0xFFFFu, bound.x >> 16, bound.y & 0xFFFFu, bound.y >> 16);
  vertex.weights = vec4(unpackUnorm2x16(bound.z), unpackUnorm2x16(bound.w));
  vertex.colour = vec4(1.0);
  // The weights of the bones that count are 1 together, once for all characters.
  float sum = 0.0;
  for (uint i = 0u; i < kBones; ++i) sum += vertex.weights[i];
  vertex.weights /= max(sum, 1e-6);
  return vertex;
}

void share_columns(uint first, uint characters) {
  for (uint i = gl_LocalInvocationIndex; i < characters * kSharedColumns; i += kSkinGroupSize) {
    uint at = first + i / kSharedColumns;
    AffineSample bone = placed(instance_at(drawn_instance(at)), column_move(at, i % kSharedColumns));
    mat3 linear = transpose(bone.basis);
    for (int row = 0; row < 3; ++row) rows[i * 3u + uint(row)] = vec4(linear[row], bone.position[row]);
    if (kOneScale == 0u) unscale[i] = inversesqrt(max(dot(bone.basis[0], bone.basis[0]), 1e-30));
  }
}

// A sum over columns that turn and scale evenly: what moves the vertex, and, of unit turns, what moves its directions.
struct EvenSum {
  vec4 x, y, z;
  vec3 turn_x, turn_y, turn_z;
  float side;
};

void add_even(inout EvenSum sum, uint at, float weight) {
  vec4 a = rows[at * 3u], b = rows[at * 3u + 1u], c = rows[at * 3u + 2u];
  sum.x += weight * a;
  sum.y += weight * b;
  sum.z += weight * c;
  if (kOneScale == 0u) {
    float turning = weight * unscale[at];
    sum.turn_x += turning * a.xyz;
    sum.turn_y += turning * b.xyz;
    sum.turn_z += turning * c.xyz;
    if (kTangents != 0u) sum.side += mirrors(mat3(a.xyz, b.xyz, c.xyz)) ? -weight : weight;
  }
}

SkinnedVertex blend_even(uint first, MeshVertex vertex) {
  EvenSum of = EvenSum(vec4(0.0), vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0), 0.0);
  add_even(of, first + vertex.bones.x, vertex.weights.x);
  // The strongest come first: most follow no second one.
  if (kBones > 1u && vertex.weights.y != 0.0) {
    add_even(of, first + vertex.bones.y, vertex.weights.y);
    if (kBones > 2u && vertex.weights.z != 0.0) {
      add_even(of, first + vertex.bones.z, vertex.weights.z);
      if (kBones > 3u) add_even(of, first + vertex.bones.w, vertex.weights.w);
    }
  }
  if (kOneScale != 0u) {
    of.turn_x = of.x.xyz;
    of.turn_y = of.y.xyz;
    of.turn_z = of.z.xyz;
  }
  vec4 point = vec4(vertex.position, 1.0);
  SkinnedVertex sum;
  sum.position = vec3(dot(of.x, point), dot(of.y, point), dot(of.z, point));
  sum.normal = vec3(dot(of.turn_x, vertex.normal), dot(of.turn_y, vertex.normal), dot(of.turn_z, vertex.normal));
  sum.tangent = vec4(0.0);
  if (kTangents != 0u)
    sum.tangent =
        vec4(dot(of.turn_x, vertex.tangent.xyz), dot(of.turn_y, vertex.tangent.xyz), dot(of.turn_z, vertex.tangent.xyz),
             of.side);
  return sum;
}

SkinnedVertex blend_affine(uint first, MeshVertex vertex) {
  SkinnedVertex sum = no_vertex();
  for (uint i = 0u; i < kBones; ++i) {
    float weight = vertex.weights[i];
    if (weight == 0.0) continue;
    uint at = (first + vertex.bones[i]) * 3u;
    add_influence(sum, affine_of_rows(rows[at], rows[at + 1u], rows[at + 2u]), vec3(0.0), weight, vertex);
  }
  return sum;
}

// The vertex at rest as the character stands: what is left of directions that cancel out.
MeshVertex standing(uint at, MeshVertex vertex) {
  vec4 rotation = unpack_rotation(instance_at(drawn_instance(at)).rotation);
  vertex.normal = rotate_by(rotation, vertex.normal);
  vertex.tangent.xyz = rotate_by(rotation, vertex.tangent.xyz);
  return vertex;
}

// Its directions are of any length: the pool keeps where they point.
SkinnedVertex skin_one(uint at, uint in_group, uint index, MeshVertex vertex) {
  if (kSharedColumns == 0u)
    return place(instance_at(drawn_instance(at)),
                 skin_vertex(pose_now(at), read_drawn(at).moment, index, vertex, kBones));
  if (kMorphs != 0u) vertex = morphed_vertex(read_drawn(at).moment, index, vertex);
  SkinnedVertex sum =
      kAffine ? blend_affine(in_group * kSharedColumns, vertex) : blend_even(in_group * kSharedColumns, vertex);
  bool cancelled = dot(sum.normal, sum.normal) <= 1e-20 ||
                   (kTangents != 0u && dot(sum.tangent.xyz, sum.tangent.xyz) <= 1e-20);
  if (cancelled) return finish_vertex(sum, standing(at, vertex));
  sum.tangent.w = sum.tangent.w < 0.0 ? -vertex.tangent.w : vertex.tangent.w;
  return sum;
}

void write_pooled(uint to, SkinnedVertex skinned) {
  pool[to] = pack_pooled(skinned.position, skinned.normal);
  if (kTangents != 0u) pool_tangents[to] = pack_pooled_tangent(skinned.tangent);
}

void main() {
  uint group = gl_WorkGroupID.y * kWidestGrid + gl_WorkGroupID.x;
  uint in_level = group * kTogether;
  uint total = plans[batch.model].pooled_counts[batch.level];
  if (in_level >= total) return;
  uint characters = min(kTogether, total - in_level);
  uint first = plans[batch.model].bases[batch.level] + in_level;
  uint pool_first = plans[batch.model].vertex_bases[batch.level] + in_level * batch.vertex_count;
#ifdef THRONG_TEXELS
  // Reading poses anew for every vertex takes less time than sharing what they do does.
  for (uint i = 0u; i < characters; ++i) {
    DrawnRecord record = read_drawn(first + i);
    InstanceRecord instance = instance_at(record.instance);
    for (uint index = gl_LocalInvocationIndex; index < batch.vertex_count; index += kThreads) {
      if (!wears_vertex(record.instance, index)) continue;
      MeshVertex vertex = read_skin_vertex(index);
      write_pooled(pool_first + i * batch.vertex_count + index,
                   place(instance, skin_vertex(pose_now(first + i), record.moment, index, vertex, kBones)));
    }
  }
#else
  if (kSharedColumns != 0u) share_columns(first, characters);
  barrier();
  for (uint index = gl_LocalInvocationIndex; index < batch.vertex_count; index += kSkinGroupSize) {
    MeshVertex vertex = kSharedColumns == 0u ? read_vertex(index) : read_skin_vertex(index);
    for (uint i = 0u; i < characters; ++i) {
      if (!wears_vertex(drawn_instance(first + i), index)) continue;
      write_pooled(pool_first + i * batch.vertex_count + index, skin_one(first + i, i, index, vertex));
    }
  }
#endif
}
