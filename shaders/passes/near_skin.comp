#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins characters whose poses come from the CPU, in world space, once for all passes that draw them: every chunk of
// every piece on every character, in one dispatch. A group takes one chunk on a few characters: its threads first work
// out what every column does to each of them, then share the vertices.
#include "throng/shaders/shared/drawing.h"
#include "throng/shaders/passes/dual_quaternion.glsl"
#include "throng/shaders/passes/pool.glsl"
#include "throng/shaders/shared/near.h"
#include "throng/shaders/sampling/skinning.glsl"

layout(constant_id = 0) const uint kFeatures = 31u;  // what any chunk asks for; what none does is compiled away

layout(local_size_x = kNearGroupSize) in;

// Two to a vertex: position and normal; bindings as columns, a byte each, weights, tangent.
layout(std430, set = 0, binding = 0) readonly buffer Vertices { uvec4 skin_vertices[]; };
layout(std430, set = 0, binding = 1) readonly buffer Extra { uvec4 extra_influences[]; };
layout(std430, set = 0, binding = 2) readonly buffer MorphFirsts { uint morph_firsts[]; };
layout(std430, set = 0, binding = 3) readonly buffer Deltas { MorphDelta deltas[]; };
layout(std430, set = 0, binding = 4) readonly buffer Chunks { ChunkRecord chunks[]; };
layout(std430, set = 0, binding = 5) readonly buffer Columns { uint columns[]; };
layout(std430, set = 0, binding = 6) readonly buffer Bindings { BindingRecord bindings[]; };
layout(std430, set = 0, binding = 7) readonly buffer Characters { NearRecord characters[]; };
layout(std430, set = 0, binding = 8) readonly buffer Bones { BindingRecord model_from_bones[]; };
layout(std430, set = 0, binding = 9) readonly buffer Weights { float morph_weights[]; };
layout(std430, set = 0, binding = 10) readonly buffer BoundBones { uint bound_bones[]; };
layout(std430, set = 0, binding = 11) readonly buffer Tasks { NearSkinTask tasks[]; };
layout(std430, set = 0, binding = 12) readonly buffer Groups { SkinGroup groups[]; };
layout(std430, set = 0, binding = 13) writeonly buffer Pool { uvec4 pool[]; };
layout(std430, set = 0, binding = 14) writeonly buffer PoolTangents { uint pool_tangents[]; };

layout(push_constant) uniform Batch { NearSkinBatch batch; };

// For every column of every character: rows of world_from_mesh; or, of what is left of it without the character's scale
// and position, a dual quaternion, and model_from_mesh's scale; w: 1, or −1 where the column mirrors.
shared vec4 moves[kMostNearColumns * 3u];
shared NearSkinTask shared_tasks[kMostTogether];
shared vec4 shared_places[kMostTogether];  // position and scale
// The smallest and largest square of a scale, as words of floats, which order as their numbers do.
shared uint least_scale;
shared uint most_scale;

const uint kUnevenScale = 0x7F800000u;  // infinity
const float kEven = 1e-4;  // how far scales may differ, of one, to be taken as one: a hundredth of a degree of a normal

struct Rows {
  vec4 x, y, z;
};

Rows rows_product(Rows a, Rows b) {
  return Rows(a.x.x * b.x + a.x.y * b.y + a.x.z * b.z + vec4(0.0, 0.0, 0.0, a.x.w),
              a.y.x * b.x + a.y.y * b.y + a.y.z * b.z + vec4(0.0, 0.0, 0.0, a.y.w),
              a.z.x * b.x + a.z.y * b.y + a.z.z * b.z + vec4(0.0, 0.0, 0.0, a.z.w));
}

Rows rows_of(BindingRecord record) { return Rows(record.row_x, record.row_y, record.row_z); }

Rows placement_of(NearRecord character) {
  vec3 x = character.scale * rotate_by(character.rotation, vec3(1.0, 0.0, 0.0));
  vec3 y = character.scale * rotate_by(character.rotation, vec3(0.0, 1.0, 0.0));
  vec3 z = character.scale * rotate_by(character.rotation, vec3(0.0, 0.0, 1.0));
  return Rows(vec4(x.x, y.x, z.x, character.position.x), vec4(x.y, y.y, z.y, character.position.y),
              vec4(x.z, y.z, z.z, character.position.z));
}

// The square of a matrix's scale, or infinity where it is not one scale in all directions.
float even_scale(mat3 m) {
  float a = dot(m[0], m[0]), b = dot(m[1], m[1]), c = dot(m[2], m[2]);
  float off =
      max(max(abs(a - b), abs(a - c)), max(abs(dot(m[0], m[1])), max(abs(dot(m[0], m[2])), abs(dot(m[1], m[2])))));
  return off <= kEven * a ? a : uintBitsToFloat(kUnevenScale);
}

void share_columns(SkinGroup group, ChunkRecord chunk) {
  for (uint i = gl_LocalInvocationIndex; i < chunk.column_count * group.task_count; i += kNearGroupSize) {
    NearRecord character = characters[tasks[group.first_task + i / chunk.column_count].character];
    uint binding = columns[chunk.first_column + i % chunk.column_count];
    uint bone = character.first_bone + bound_bones[group.first_bone + binding];
    Rows model = rows_product(rows_of(model_from_bones[bone]), rows_of(bindings[chunk.first_binding + binding]));
    AffineSample move = affine_of_rows(model.x, model.y, model.z);
    if ((kFeatures & kSkinDual) != 0u && (chunk.flags & kSkinDual) != 0u) {
      DualQuaternion dual = dual_quaternion_of(move);
      moves[i * 3u] = quaternion_product(character.rotation, dual.real);
      moves[i * 3u + 1u] = character.scale * quaternion_product(character.rotation, dual.dual);
      moves[i * 3u + 2u] = vec4(dual.scale, dual.scale.x < 0.0 ? -1.0 : 1.0);
      continue;
    }
    Rows world = rows_product(placement_of(character), model);
    moves[i * 3u] = world.x;
    moves[i * 3u + 1u] = world.y;
    moves[i * 3u + 2u] = world.z;
    if ((kFeatures & kSkinUneven) == 0u) continue;
    uint scale = floatBitsToUint(even_scale(move.basis));
    atomicMin(least_scale, scale);
    atomicMax(most_scale, scale);
  }
}

// What a vertex follows: for each column where its rows begin among a character's, and its weight, the largest first.
struct Bound {
  uvec4 columns;
  vec4 weights;
  uvec4 extra_columns;
  vec4 extra_weights;
};

uvec4 rows_of_bytes(uint bytes) { return 3u * (uvec4(bytes, bytes >> 8, bytes >> 16, bytes >> 24) & 0xFFu); }

// Three of 21 bits; the first is what is left of one.
vec4 unpack_weights(uvec2 words) {
  vec3 rest = vec3(words.x & 0x1FFFFFu, (words.x >> 21) | ((words.y & 0x3FFu) << 11), (words.y >> 10) & 0x1FFFFFu);
  return vec4(0.0, rest / 2097151.0);
}

Bound read_bound(ChunkRecord chunk, uint in_chunk, uvec4 words) {
  Bound bound = Bound(rows_of_bytes(words.x), unpack_weights(words.yz), uvec4(0u), vec4(0.0));
  if ((kFeatures & kSkinEight) != 0u && (chunk.flags & kSkinEight) != 0u) {
    uvec4 extra = extra_influences[chunk.first_extra + in_chunk];
    bound.extra_columns = rows_of_bytes(extra.x);
    bound.extra_weights = 0.25 * vec4(unpackUnorm2x16(extra.y), unpackUnorm2x16(extra.z));
  }
  bound.weights.x = 1.0 - dot(bound.weights.yzw, vec3(1.0)) - dot(bound.extra_weights, vec4(1.0));
  return bound;
}

// Columns that scale alike: one sum moves the vertex and its directions. Some may mirror, which changes a tangent's
// side.
void add_even(inout Rows sum, inout float side, uint row, float weight) {
  vec4 x = moves[row], y = moves[row + 1u], z = moves[row + 2u];
  sum.x += weight * x;
  sum.y += weight * y;
  sum.z += weight * z;
  if ((kFeatures & kSkinTangents) != 0u) side += mirrors(mat3(x.xyz, y.xyz, z.xyz)) ? -weight : weight;
}

// To look at every weight takes longer than to add columns without any: weights are looked at two by two, and the last
// four at once.
SkinnedVertex blend_even(uint first, Bound bound, MeshVertex vertex) {
  Rows sum = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
  float side = 0.0;
  add_even(sum, side, first + bound.columns.x, bound.weights.x);
  add_even(sum, side, first + bound.columns.y, bound.weights.y);
  if (bound.weights.z != 0.0) {
    add_even(sum, side, first + bound.columns.z, bound.weights.z);
    add_even(sum, side, first + bound.columns.w, bound.weights.w);
  }
  if ((kFeatures & kSkinEight) != 0u && bound.extra_weights.x != 0.0)
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
      add_even(sum, side, first + bound.extra_columns[i], bound.extra_weights[i]);
  vec4 point = vec4(vertex.position, 1.0);
  vec3 normal = vec3(dot(sum.x.xyz, vertex.normal), dot(sum.y.xyz, vertex.normal), dot(sum.z.xyz, vertex.normal));
  SkinnedVertex made = SkinnedVertex(vec3(dot(sum.x, point), dot(sum.y, point), dot(sum.z, point)), normal, vec4(0.0));
  if ((kFeatures & kSkinTangents) != 0u) {
    vec3 t = vertex.tangent.xyz;
    made.tangent = vec4(dot(sum.x.xyz, t), dot(sum.y.xyz, t), dot(sum.z.xyz, t), side);
  }
  return made;
}

void add_column(inout SkinnedVertex sum, uint row, float weight, MeshVertex vertex) {
  if (weight == 0.0) return;
  AffineSample move = affine_of_rows(moves[row], moves[row + 1u], moves[row + 2u]);
  add_influence(sum, move, vec3(0.0), weight, vertex);
}

SkinnedVertex blend_affine(uint first, Bound bound, MeshVertex vertex) {
  SkinnedVertex sum = no_vertex();
  for (uint i = 0u; i < 4u; ++i) add_column(sum, first + bound.columns[i], bound.weights[i], vertex);
  if ((kFeatures & kSkinEight) != 0u)
    for (uint i = 0u; i < 4u; ++i)
      add_column(sum, first + bound.extra_columns[i], bound.extra_weights[i], vertex);
  return sum;
}

// A quaternion and its opposite are one rotation: all are taken from the side of the strongest. Where all columns scale
// alike, of their scales only the sides differ.
void add_dual(inout DualQuaternion sum, inout float side, vec4 strongest, uint row, float weight) {
  vec4 real = moves[row];
  float signed_weight = dot(strongest, real) < 0.0 ? -weight : weight;
  sum.real += signed_weight * real;
  sum.dual += signed_weight * moves[row + 1u];
  if ((kFeatures & kSkinUneven) != 0u)
    sum.scale += weight * moves[row + 2u].xyz;
  else
    side += weight * moves[row + 2u].w;
}

SkinnedVertex blend_dual(vec4 place, uint first, Bound bound, MeshVertex vertex) {
  uint strongest_row = first + bound.columns.x;
  vec4 strongest = moves[strongest_row];
  DualQuaternion sum = DualQuaternion(vec4(0.0), vec4(0.0), vec3(0.0));
  float side = 0.0;
  [[unroll]] for (uint i = 0u; i < 2u; ++i)
    add_dual(sum, side, strongest, first + bound.columns[i], bound.weights[i]);
  if (bound.weights.z != 0.0)
    [[unroll]] for (uint i = 2u; i < 4u; ++i)
      add_dual(sum, side, strongest, first + bound.columns[i], bound.weights[i]);
  if ((kFeatures & kSkinEight) != 0u && bound.extra_weights.x != 0.0)
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
      add_dual(sum, side, strongest, first + bound.extra_columns[i], bound.extra_weights[i]);
  float unit = inversesqrt(max(dot(sum.real, sum.real), 1e-30));
  sum.real *= unit;
  sum.dual *= unit;
  SkinnedVertex made;
  vec3 normal;
  if ((kFeatures & kSkinUneven) != 0u) {
    side = sum.scale.x * sum.scale.y * sum.scale.z;
    float turn = side < 0.0 ? -1.0 : 1.0;
    normal = unit_or(turn * sum.scale.yzx * sum.scale.zxy * vertex.normal, kShortestColumn, vertex.normal);
  } else {
    float scale = moves[strongest_row + 2u].y;
    sum.scale = vec3(side * scale, scale, scale);
    normal = vec3(side < 0.0 ? -vertex.normal.x : vertex.normal.x, abs(side) * vertex.normal.yz);
  }
  sum.scale *= place.w;
  made.position = moved_by(sum, vertex.position) + place.xyz;
  made.normal = rotate_by(sum.real, normal);
  made.tangent = vec4(0.0);
  if ((kFeatures & kSkinTangents) != 0u)
    made.tangent = vec4(rotate_by(sum.real, sum.scale * vertex.tangent.xyz), side);
  return made;
}

// What morph targets add to a vertex. Most are moved by one or two: those are read once for all characters.
const uint kHeldDeltas = 2u;
struct MorphDeltas {
  uint next;  // those that are not held
  uint end;
  MorphDelta held[kHeldDeltas];
};

MorphDeltas read_deltas(ChunkRecord chunk, uint in_chunk) {
  MorphDeltas of;
  of.next = morph_firsts[chunk.first_morph + in_chunk];
  of.end = morph_firsts[chunk.first_morph + in_chunk + 1u];
  [[unroll]] for (uint i = 0u; i < kHeldDeltas; ++i) {
    bool is_there = of.next < of.end;
    of.held[i] = MorphDelta(vec3(0.0), 0u, vec3(0.0), 0.0);
    if (is_there) of.held[i] = deltas[of.next];
    of.next += is_there ? 1u : 0u;
  }
  return of;
}

void add_delta(inout MeshVertex vertex, MorphDelta delta, uint first_weight) {
  float weight = morph_weights[first_weight + delta.target];
  vertex.position += weight * delta.position;
  vertex.normal += weight * delta.normal;
}

MeshVertex with_morphs(MorphDeltas of, uint first_weight, MeshVertex vertex) {
  float weights[kHeldDeltas];
  [[unroll]] for (uint i = 0u; i < kHeldDeltas; ++i) weights[i] = morph_weights[first_weight + of.held[i].target];
  [[unroll]] for (uint i = 0u; i < kHeldDeltas; ++i) {
    vertex.position += weights[i] * of.held[i].position;
    vertex.normal += weights[i] * of.held[i].normal;
  }
  for (uint at = of.next; at < of.end; ++at) add_delta(vertex, deltas[at], first_weight);
  return vertex;
}

void put(uint character, uint to, ChunkRecord chunk, SkinnedVertex skinned, MeshVertex vertex) {
  // Opposite bones may cancel a normal out; then the one at rest, as the character stands, is the best guess.
  if (dot(skinned.normal, skinned.normal) <= 1e-20)
    skinned.normal = rotate_by(characters[character].rotation, vertex.normal);
  pool[to] = pack_pooled(skinned.position, skinned.normal);
  if ((kFeatures & kSkinTangents) == 0u) return;
  bool has_tangent = (chunk.flags & kSkinTangents) != 0u && dot(skinned.tangent.xyz, skinned.tangent.xyz) > 1e-20;
  float side = skinned.tangent.w < 0.0 ? -vertex.tangent.w : vertex.tangent.w;
  pool_tangents[to] = has_tangent ? pack_pooled_tangent(vec4(skinned.tangent.xyz, side)) : kNoTangent;
}

MeshVertex read_skin_vertex(ChunkRecord chunk, uvec4 place, uint tangent) {
  MeshVertex vertex;
  vertex.position = pooled_position(place);
  vertex.normal = pooled_normal(place);
  vertex.tangent = vec4(0.0);
  if ((kFeatures & kSkinTangents) != 0u && (chunk.flags & kSkinTangents) != 0u)
    vertex.tangent = pooled_tangent(tangent);
  return vertex;
}

void skin_chunk(SkinGroup group, ChunkRecord chunk) {
  bool dual = (kFeatures & kSkinDual) != 0u && (chunk.flags & kSkinDual) != 0u;
  bool morphs = (kFeatures & kSkinMorphs) != 0u && (chunk.flags & kSkinMorphs) != 0u;
  bool even =
      (kFeatures & kSkinUneven) == 0u ||
      (most_scale < kUnevenScale && uintBitsToFloat(most_scale) <= uintBitsToFloat(least_scale) * (1.0 + kEven));
  for (uint i = gl_LocalInvocationIndex; i < chunk.vertex_count; i += kNearGroupSize) {
    uint index = chunk.first_vertex + i;
    uvec4 words = skin_vertices[index * 2u + 1u];
    MeshVertex at_rest = read_skin_vertex(chunk, skin_vertices[index * 2u], words.w);
    Bound bound = read_bound(chunk, i, words);
    MorphDeltas moved;
    if (morphs) moved = read_deltas(chunk, i);
    for (uint c = 0u; c < group.task_count; ++c) {
      NearSkinTask task = shared_tasks[c];
      MeshVertex vertex = at_rest;
      if (morphs) vertex = with_morphs(moved, task.first_weight, at_rest);
      uint first = 3u * c * chunk.column_count;
      SkinnedVertex skinned;
      if (dual)
        skinned = blend_dual(shared_places[c], first, bound, vertex);
      else if (even)
        skinned = blend_even(first, bound, vertex);
      else
        skinned = blend_affine(first, bound, vertex);
      put(task.character, task.offset + index, chunk, skinned, vertex);
    }
  }
}

void main() {
  uint at = gl_WorkGroupID.y * kWidestGrid + gl_WorkGroupID.x;
  if (at >= batch.group_count) return;
  SkinGroup group = groups[batch.first_group + at];
  ChunkRecord chunk = chunks[group.chunk];
  if (gl_LocalInvocationIndex < group.task_count) {
    NearSkinTask task = tasks[group.first_task + gl_LocalInvocationIndex];
    shared_tasks[gl_LocalInvocationIndex] = task;
    if ((kFeatures & kSkinDual) != 0u)
      shared_places[gl_LocalInvocationIndex] =
          vec4(characters[task.character].position, characters[task.character].scale);
  }
  if (gl_LocalInvocationIndex == 0u) {
    least_scale = kUnevenScale;
    most_scale = 0u;
  }
  barrier();
  share_columns(group, chunk);
  barrier();
  skin_chunk(group, chunk);
}
