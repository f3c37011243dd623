// SPDX-License-Identifier: Apache-2.0
// How an image is planned on the GPU: which far characters are seen, how finely, in which order, and where near ones'
// draws go among theirs. Written once for C++ and GLSL. Layout std430.
//
// The passes, one after another (shaders/passes/*.comp):
// - cull: every character: which views see it, how tall it is in the picture; a histogram of heights
// - plan: heights to levels of detail, within the vertex budget
// - count: how many characters of each level each list gets, group by group. Without a budget plan comes first, and
//   cull counts
// - scan: sums over the groups: where each group's characters go
// - arrange: where each level begins in each list; the indirect draws and dispatches, near characters' among them
// - gather: writes the lists: what each drawn character is at, and who is in each view
// - pose (models with local8 or localv clips): what their columns do
// - skin (unless vertex shaders do it): every vertex of every character in the pool, once for all passes
// - sift (drivers without a GPU): the triangles of the picture that face the eye and cover a sample
// Nothing in it depends on the order in which threads run: the same characters give the same lists.
#ifndef THRONG_SHADERS_DRAWING_H
#define THRONG_SHADERS_DRAWING_H
#include "throng/shaders/shared/timing.h"

#ifdef __cplusplus
namespace throng::gpu {
using glm::mat4;
}
#endif

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kCullGroupSize, 256u);  // threads
THRONG_CONSTANT(uint, kCullRounds, 4u);       // characters a thread looks at, one after another; an even number
THRONG_CONSTANT(uint, kMostViews, 8u);        // the picture's own, then those of shadows
THRONG_CONSTANT(uint, kMostMeshLevels, 10u);
THRONG_CONSTANT(uint, kMostLevels, 11u);             // the last of a model is the speck
THRONG_CONSTANT(uint, kMostLists, kMostViews + 1u);  // those drawn at all, then those in each view
THRONG_CONSTANT(uint, kMostBuckets, (kMostLists * kMostLevels));
THRONG_CONSTANT(uint, kSizeBins, 128u);
THRONG_CONSTANT(uint, kBinsPerOctave, 8u);
THRONG_CONSTANT(float, kSmallestSize, 0.25f);  // pixels of bin 0
THRONG_CONSTANT(uint, kUnseen, 0u);            // the code of a character in no view
// What a mesh may have besides: far_model.glsl.
THRONG_CONSTANT(uint, kMeshTangents, 1u);
THRONG_CONSTANT(uint, kMeshParts, 2u);
THRONG_CONSTANT(uint, kMeshMorphs, 4u);
THRONG_CONSTANT(uint, kMeshHistory,
                8u);  // motion vectors are drawn of it: the pose pass makes the last image's poses too
THRONG_CONSTANT(uint, kPlanGroupSize, 128u);
THRONG_CONSTANT(uint, kScanGroupSize, 1024u);
THRONG_CONSTANT(uint, kSkinGroupSize, 256u);
THRONG_CONSTANT(uint, kSkinTexelsGroupSize, 32u);  // of the pass for drivers without a GPU
THRONG_CONSTANT(uint, kWidestGrid, 32768u);        // groups in a row of a dispatch that may need several

// A frustum as planes: dot(plane, (p, 1)) is how far inside p is.
struct ViewRecord {
  vec4 planes[6];
};

// What was in front in an earlier image, as a depth pyramid shows it (occluders.glsl).
struct OccluderRecord {
  mat4 clip_from_world;  // of that image
  vec2 size;             // pixels
  float sign;            // 1, or −1 where near is the smaller depth
  float depth_step;      // how far its depth may have been rounded
};

// What is asked for of one image.
struct ImageRecord {
  vec3 eye;
  float pixels;  // how tall one unit is in the picture, one unit away
  uvec2 now;
  uint view_count;
  uint culling;  // 1 or 0: everybody is in every view
  ViewRecord views[kMostViews];
  OccluderRecord occluders;
  uint number;         // of the image: one more than that of the image before
  uint pool_vertices;  // that the vertex pool has room for
  uint near_vertices;  // of those, at its beginning, those of near characters
  uint near_commands;  // commands of near characters; 0: there are none
};

// What the passes know of a model. Bins grow by an eighth of an octave from kSmallestSize pixels.
struct ModelRecord {
  float height;        // of the character, model units: what is measured in pixels
  uint mesh_count;     // levels that are meshes; the speck comes behind them
  uint draw_count;     // materials that anything is drawn with: one draw each
  uint capacity;       // of each view's list
  uint first_range;    // in the ranges: draw by draw, level by level
  uint first_command;  // of call 0, as call_number counts: levels, then pieces of near characters
  uint first_call;     // among those of all models: how many commands each has
  uint skin_together;  // characters that one group of the skinning pass takes; 0: it does not run
  uint pose_together;  // characters that one group of the pose pass takes; 0: it does not run
  uint command_room;   // commands of one call
  uint has_parts;      // 1: its characters may wear less than all of it
  float beyond;        // how much farther than its boxes its characters reach, model units: for what they carry
  float reach;         // from its origin to the farthest corner of any clip's box, model units
  float fading_reach;  // the same of characters that fade from one clip to another
  uint sifted;         // 1: in the picture its far characters are drawn by what sift.comp leaves behind
  float errors[kMostMeshLevels];  // of each level's surface, model units
  uint vertex_counts[kMostMeshLevels];
};

// How many of a level's vertices are of each part that characters may wear: level by level, so many parts each.
THRONG_CONSTANT(uint, kPartsCounted, 64u);

// Triangles of one draw at one level.
struct RangeRecord {
  uint first_index;
  uint index_count;
};

// A draw in one view is recorded as one indirect call, with a list of commands. Which of its model's calls it is: view
// by view, draw by draw. Specks are one more draw, behind the others.
THRONG_FUNCTION uint calls_of_a_view(uint draw_count) { return draw_count + 1u; }
THRONG_FUNCTION uint call_number(uint draw_count, uint view, uint draw) {
  return view * calls_of_a_view(draw_count) + draw;
}

// A command as Vulkan reads it: VkDrawIndexedIndirectCommand, or VkDrawIndirectCommand and an unused number.
struct CommandRecord {
  uint index_count;
  uint instance_count;
  uint first_index;
  uint vertex_offset;
  uint first_instance;
};

// Commands of near characters (kFirstNear and on) of one call, in the list of them all.
struct NearCall {
  uint first;
  uint count;
};

// Instances from here on are near characters' draw tasks; lists of far ones are shorter.
THRONG_CONSTANT(uint, kFirstNear, 0x40000000u);
// And from here to there, that much above the first in its list, far ones whose triangles sift.comp has looked at.
THRONG_CONSTANT(uint, kFirstSifted, 0x20000000u);

// What the passes find out about one model in one image. Cleared before it.
struct PlanRecord {
  uint histogram[kSizeBins];
  uint level_of_bin[kSizeBins];
  uint totals[kMostBuckets];        // list by list, level by level
  uint bases[kMostBuckets];         // where each begins in its list
  uint vertex_bases[kMostLevels];   // where each level's vertices begin in the pool
  uint pooled_counts[kMostLevels];  // how many of each level's characters have their vertices in the pool: the first
  uint skin_dispatch[kMostLevels * 3u];
  uint pose_dispatch[3];
  uint drawn_count;      // specks among them, at the end
  uint meshed_count;     // without specks
  uint drawn_vertices;   // of the drawn characters' levels
  uint unworn_vertices;  // of those, what is of parts that their characters do not wear: nobody animates them
  uint hidden_count;     // in the picture, but behind what was there before
};

// What plan and arrange are told.
struct PlanSettings {
  float pixel_error;   // how many pixels a level's surface may be off
  float speck_pixels;  // characters below this height are specks
  uint vertex_budget;
  uint model_count;
};

// What the skinning pass is told.
struct SkinBatch {
  uint model;
  uint level;
  uint vertex_count;
};

// What sift.comp is told of one draw of a model. Its indices are those of the mesh's vertices, above them which of its
// command's characters they are of.
struct SiftBatch {
  mat4 clip_from_world;
  vec2 size;  // of the picture, pixels
  uint model;
  uint draw;
  uint first_index;    // where this draw's triangles are put
  uint first_command;  // and its commands
  uint one_sided;      // 1: triangles that face away are not drawn
  uint unused;
};

THRONG_CONSTANT(uint, kSiftGroupSize, 8u);  // threads: no subgroup has fewer
THRONG_CONSTANT(uint, kSiftTogether, 16u);  // characters of a group, which share a command

// What the passes of one model are told.
struct CullBatch {
  uint model;
  uint instance_count;
  uint group_count;
  uint lists;  // 1 + views
};

// A character that is drawn, in this image: as shaders have it once they have read its words.
struct DrawnRecord {
  Moment moment;
  uint instance;
  uint first_vertex;  // of its vertices in the pool, or kNotPooled
  uint bones;         // how many of its bones each vertex follows
};

// A DrawnRecord as it lies in the list (drawn_list.glsl).
struct DrawnWords {
  uint instance;
  uint clips;  // as InstanceRecord has them, but none once it has faded out
  uint frame;
  uint next;
  float blend;
  float weight;
  uint first_vertex;  // 29 bits; above them its bones
  uint unused;
};

// What fades out of one that fades, behind the DrawnWords of all.
struct FadingWords {
  uint frame;
  uint next;
  float blend;
  uint unused;
};

THRONG_CONSTANT(uint, kFirstVertexBits, 29u);
THRONG_CONSTANT(uint, kNotPooled, 0x1FFFFFFFu);  // no pool is that large

// What a character was shown as, for motion vectors (history.glsl). It is kept, not worked out again: by the next image
// the character may play something else.
struct HistoryWords {
  uint identity;  // PlayRecord::identity; 0: nobody's
  uint image;     // its number; beside the drawn list 1 or 0: whether anything is different now
  uint clips;     // as DrawnWords has them
  uint frame;
  uint next;
  float blend;
  float weight;
  uint previous_frame;
  uint previous_next;
  float previous_blend;
  uvec2 rotation;
  vec3 position;
  float scale;
};

THRONG_NAMESPACE_END

#ifdef __cplusplus
#include <cstddef>
#include <type_traits>
namespace throng::gpu {
static_assert(std::is_trivially_copyable_v<DrawnWords> && sizeof(DrawnWords) == 32 && sizeof(FadingWords) == 16);
static_assert(sizeof(Moment) == 36);
static_assert(sizeof(ViewRecord) == 96 && sizeof(OccluderRecord) == 80);
static_assert(sizeof(ImageRecord) == 48 + kMostViews * 96 + 80);
static_assert(sizeof(HistoryWords) == 64 && offsetof(HistoryWords, position) == 48);
static_assert(sizeof(ModelRecord) == 140 && offsetof(ModelRecord, errors) == 60);
static_assert(sizeof(SiftBatch) == 96);
static_assert(sizeof(PlanRecord) % 4 == 0 && sizeof(CommandRecord) == 20 && sizeof(CullBatch) == 16);
}  // namespace throng::gpu
#endif
#endif
