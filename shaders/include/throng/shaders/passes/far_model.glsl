// SPDX-License-Identifier: Apache-2.0
// One model and its far characters as the passes bind them (set 1), and a vertex of a character at a moment.
#ifndef THRONG_SHADERS_FAR_MODEL_GLSL
#define THRONG_SHADERS_FAR_MODEL_GLSL
#include "throng/shaders/passes/crowd_records.glsl"
#include "throng/shaders/shared/drawing.h"
#include "throng/shaders/shared/parts.h"
#include "throng/shaders/shared/pose_records.h"
#include "throng/shaders/shared/records.h"
#include "throng/shaders/shared/vertex_words.h"

// The model's constants; what none of its clips needs is compiled away.
layout(constant_id = 0) const uint kAtlasWidth = 1u;
layout(constant_id = 1) const uint kTexelWords = 4u;
layout(constant_id = 2) const uint kFrameShapes = 7u;       // frame_shapes.h
layout(constant_id = 3) const uint kEncodings = 1u;         // bit n: some clip is of encoding n (encodings.h)
layout(constant_id = 4) const uint kColumns = 1u;           // bones
layout(constant_id = 5) const uint kAnimatedTangents = 0u;  // vertex mode: 1 or 0
layout(constant_id = 6) const uint kRotationSlots = 0u;     // local8
layout(constant_id = 7) const uint kMeshHas = 0u;           // kMeshTangents and the like (drawing.h)

const uint kTangents = kMeshHas & kMeshTangents;
const uint kMorphs = kMeshHas & kMeshMorphs;
const uint kHistory = kMeshHas & kMeshHistory;

layout(std430, set = 1, binding = 2) readonly buffer Clips { ClipRecord clips[]; };
// Pivots and boxes (throng/character/encoding.h).
layout(std430, set = 1, binding = 3) readonly buffer Table { vec4 table[]; };
layout(set = 1, binding = 4) uniform usampler2DArray atlas;
// Words of throng::BakedVertex, or of throng::SurfaceVertex (vertex_words.h). Reading them here and not as vertex
// attributes lets every way to skin share them.
#ifdef THRONG_TEXELS
uint vertex_word(uint at) { return texelFetch(vertex_texels, int(at)).x; }
#else
layout(std430, set = 1, binding = 5) readonly buffer Vertices { uint vertex_words[]; };
uint vertex_word(uint at) { return vertex_words[at]; }
#endif
layout(std430, set = 1, binding = 6) readonly buffer Tangents { vec4 tangents[]; };
// Which part each vertex is of, four to a word.
layout(std430, set = 1, binding = 21) readonly buffer VertexParts { uint vertex_parts[]; };

// Bound for models with morph targets (morphs.h).
layout(std430, set = 1, binding = 22) readonly buffer Morphs { uint morph_words[]; };

// Bound for models with localv clips.
layout(std430, set = 1, binding = 24) readonly buffer Channels { uint channel_words[]; };

#define THRONG_ATLAS atlas
#define THRONG_CHANNELS
uint read_channel_word(uint word) { return channel_words[word]; }
ClipRecord read_clip(uint clip) { return clips[clip]; }
vec4 read_table_row(uint row) { return table[row]; }
#include "throng/shaders/sampling/sampling.glsl"
uint read_morph_word(uint word) { return morph_words[word]; }
#include "throng/shaders/sampling/morphs.glsl"

uvec2 read_two(uint word) { return uvec2(vertex_word(word), vertex_word(word + 1u)); }
uvec3 read_three(uint word) { return uvec3(read_two(word), vertex_word(word + 2u)); }

// A vertex in vertex mode: its frames say where it is and where it faces. Drawn at rest, for measuring, it faces up.
MeshVertex read_surface(uint index) {
  uint word = index * kSurfaceWords;
  MeshVertex vertex;
  vertex.position = uintBitsToFloat(read_three(word + kPositionWord));
  vertex.normal = vec3(0.0, 1.0, 0.0);
  vertex.tangent = kTangents != 0u && kAnimatedTangents == 0u ? tangents[index] : vec4(0.0);
  vertex.uv = uintBitsToFloat(read_two(word + kSurfaceUvWord));
  vertex.bones = uvec4(0u);
  vertex.weights = vec4(0.0);
  vertex.colour = unpackUnorm4x8(vertex_word(word + kSurfaceColourWord));
  return vertex;
}

MeshVertex read_vertex(uint index) {
  if (stores_vertices()) return read_surface(index);
  uint word = index * kVertexWords;
  uvec2 bones = read_two(word + kBonesWord);
  uvec2 weights = read_two(word + kWeightsWord);
  MeshVertex vertex;
  vertex.position = uintBitsToFloat(read_three(word + kPositionWord));
  vertex.normal = uintBitsToFloat(read_three(word + kNormalWord));
  vertex.tangent = kTangents != 0u ? tangents[index] : vec4(0.0);
  vertex.uv = uintBitsToFloat(read_two(word + kUvWord));
  vertex.bones = uvec4(bones.x & 0xFFFFu, bones.x >> 16, bones.y & 0xFFFFu, bones.y >> 16);
  vertex.weights = vec4(unpackUnorm2x16(weights.x), unpackUnorm2x16(weights.y));
  vertex.colour = unpackUnorm4x8(vertex_word(word + kColourWord));
  return vertex;
}

// Whether that character wears the part that a vertex is of.
bool wears_vertex(uint instance, uint vertex) {
  if ((kMeshHas & kMeshParts) == 0u) return true;
  uint part = (vertex_parts[vertex >> 2] >> (8u * (vertex & 3u))) & 0xFFu;
  return is_worn(hidden_parts_at(instance), part);
}

// Whether a model's clips are worked out by the pose pass. A pass that is compiled with THRONG_POSED is for such
// models, and for those whose vertices it finds skinned: it decodes nothing, and is a tenth as long, which drivers
// notice when they compile it.
#ifdef THRONG_POSED
bool is_posed() { return true; }
#else
bool is_posed() { return (kEncodings & kLinkedEncodings) != 0u; }
#endif

// Whether a clip says what links do.
bool is_linked(ClipRecord clip) { return is_of_any(clip, kLinkedEncodings); }

#endif
