// SPDX-License-Identifier: Apache-2.0
// Near characters, whose poses come from the CPU: what near_skin.comp and the passes that draw them are told, written
// once for C++ and GLSL. Layout std430.
//
// Vertices of all models lie in one buffer, and everything that counts vertices counts them there. A chunk is a stretch
// of vertices of one piece that follow few enough bindings to share them in a group of threads; a column is one of
// those bindings. What changes from image to image comes in one upload.
#ifndef THRONG_SHADERS_NEAR_H
#define THRONG_SHADERS_NEAR_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kNearGroupSize, 256u);       // threads
THRONG_CONSTANT(uint, kMostChunkVertices, 1024u);  // four for each of them
THRONG_CONSTANT(uint, kMostChunkColumns, 128u);    // fits a byte; and a few characters' worth fit a group's memory
THRONG_CONSTANT(uint, kMostTogether, 8u);          // characters of a group
// The columns of a group's characters together: with four times as many it took twice as long.
THRONG_CONSTANT(uint, kMostNearColumns, 128u);

// Flags of a chunk; together, of all chunks: what the pass is compiled for.
THRONG_CONSTANT(uint, kSkinEight, 1u);     // vertices follow up to eight bindings
THRONG_CONSTANT(uint, kSkinDual, 2u);      // bindings are blended as dual quaternions
THRONG_CONSTANT(uint, kSkinMorphs, 4u);    // morph targets are added first
THRONG_CONSTANT(uint, kSkinTangents, 8u);  // tangents are turned too
// Set for groups with a character some of whose bones scale otherwise than the others, or not alike in all directions.
THRONG_CONSTANT(uint, kSkinUneven, 16u);

// A tangent's word (pool.glsl) of a vertex without one: no direction is packed so.
THRONG_CONSTANT(uint, kNoTangent, 0x80008000u);

struct ChunkRecord {
  uint first_vertex;
  uint vertex_count;
  uint first_column;  // each the number of a binding of the piece's model
  uint column_count;
  uint first_binding;  // of the piece's model
  uint first_extra;    // of its vertices' fifth to eighth influences
  uint first_morph;    // of where its vertices' deltas begin: one more than it has vertices
  uint flags;
};

// What one morph target adds to one vertex.
struct MorphDelta {
  vec3 position;
  uint target;  // of its piece
  vec3 normal;
  float unused;
};

// bone_from_mesh, as rows.
struct BindingRecord {
  vec4 row_x;
  vec4 row_y;
  vec4 row_z;
};

struct NearRecord {
  vec3 position;  // world_from_model: scale, then rotation, then position
  float scale;
  vec4 rotation;    // x y z w
  uint first_bone;  // of its model_from_bones, three rows each
  uint tint;        // as InstanceRecord's
  uint variation;
  uint unused;
};

// One piece on one character, to be skinned. Vertex v of the piece goes to offset + v of the pool, all modulo 2^32.
struct NearSkinTask {
  uint character;
  uint offset;
  uint first_weight;  // of its morph targets
  uint unused;
};

// What a group of threads does: one chunk on a few characters of one skeleton.
struct SkinGroup {
  uint chunk;
  uint first_bone;  // in the list that says for each binding of the piece's model which bone of the skeleton that is
  uint first_task;
  uint task_count;
};

// One piece on one character, to be drawn.
struct NearDrawTask {
  uint offset;       // as NearSkinTask's
  uint last_offset;  // the same in the pool of the last image
  uint character;
  uint known;  // 1 or 0: whether it is in that
};

struct NearSkinBatch {
  uint first_group;
  uint group_count;
};

THRONG_NAMESPACE_END

#ifdef __cplusplus
namespace throng::gpu {
static_assert(sizeof(ChunkRecord) == 32 && sizeof(MorphDelta) == 32 && sizeof(BindingRecord) == 48);
static_assert(sizeof(NearRecord) == 48 && sizeof(NearSkinTask) == 16 && sizeof(SkinGroup) == 16);
static_assert(sizeof(NearDrawTask) == 16);
// What near_skin.comp shares fits the least memory that Vulkan promises a group.
static_assert(kMostNearColumns * 3 * sizeof(vec4) + kMostTogether * (sizeof(NearSkinTask) + sizeof(vec4)) + 8 <= 16384);
static_assert(kMostChunkColumns <= kMostNearColumns);
}  // namespace throng::gpu
#endif
#endif
