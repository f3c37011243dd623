// SPDX-License-Identifier: Apache-2.0
// What pose.comp reads of a skeleton and writes of a pose, written once for C++ and GLSL. Layout std430; C++ asserts it
// in character/src/upload.cpp.
#ifndef THRONG_SHADERS_POSE_RECORDS_H
#define THRONG_SHADERS_POSE_RECORDS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kPoseGroupSize, 128u);   // threads; several instances share them when their skeletons are small
THRONG_CONSTANT(uint, kFewestPoseLanes, 16u);  // threads of one instance: a power of two from here to a whole group
// Links of an instance that its threads work out once for all: what its group has memory for. Those past them are
// worked out by each thread that needs them.
THRONG_CONSTANT(uint, kMostSharedLinks, 256u);
THRONG_CONSTANT(uint, kNoLink, 0xFFFFFFFFu);
THRONG_CONSTANT(uint, kNoSlot, 0xFFFFFFFFu);

// The table of pose_channels.comp, for models all of whose clips are localv: what channels.h packs, unpacked and sorted
// the way threads ask for it. Rows of four words, in blocks with a row for every link; where a subgroup takes a
// character, a row for each of its threads:
//
//   jumps         one block: byte s is the link that is 2^s steps up its chain, or kNoJump
//   link by link  kPoseRows blocks for each clip:
//     0   its rotation's mean, or at rest
//     1   base x y z of its rotation, times the step, and the step, as floats; at rest all are 0
//     2   kPoseFourth | first bit in a frame; widths of x y z w, kPoseWidthBits each; base of w, a float; the first of
//         its own rows, kPoseLane | the thread that unpacks its translation, or kNoPoseRow
//     3   its position and scale at rest
//                 rows behind the links: 1 and 2 of the translations that their threads unpack
//   own rows      of a link that is moved or scaled, of both: bases times the step, step; first bit, widths, 0, 0
THRONG_CONSTANT(uint, kMostJumpLinks, 255u);
THRONG_CONSTANT(uint, kNoJump, 255u);
THRONG_CONSTANT(uint, kPoseRows, 4u);
THRONG_CONSTANT(uint, kPoseWidthBits, 5u);
THRONG_CONSTANT(uint, kPoseFourth, 0x80000000u);  // w is stored too
THRONG_CONSTANT(uint, kPoseLane, 0x80000000u);
THRONG_CONSTANT(uint, kNoPoseRow, 0xFFFFFFFFu);
// What some link of the model is in some clip: the pass is compiled without what none is.
THRONG_CONSTANT(uint, kPoseFourths, 1u);        // kPoseFourth
THRONG_CONSTANT(uint, kPoseWide, 2u);           // three components have more than 32 bits together
THRONG_CONSTANT(uint, kPoseScales, 4u);         // scaled
THRONG_CONSTANT(uint, kPoseOwn, 8u);            // it has own rows
THRONG_CONSTANT(uint, kPoseSubgroups, 4u);      // of a group, where each takes a character
THRONG_CONSTANT(uint, kMostPoseGroups, 8192u);  // of a dispatch: each takes one character after another

// throng::PoseLink.
struct LinkRecord {
  vec4 rotation;  // at rest, x y z w
  vec3 position;  // at rest
  float scale;    // at rest
  uint parent;    // a smaller index, or kNoLink
  uint rotation_slot;
  uint translation_slot;
  uint scale_slot;  // localv
};

// How a column of the animation texture hangs on the skeleton: throng::BakedBone.
struct ColumnRecord {
  vec4 rotation;  // link_from_mesh
  vec3 position;
  float scale;
  uint link;
  float origin_x;  // of the link, in the space of the mesh: what cross-fades blend about
  float origin_y;
  float origin_z;
};

THRONG_NAMESPACE_END
#endif
