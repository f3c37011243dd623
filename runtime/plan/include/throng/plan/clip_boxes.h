// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the characters of a model may be, clip by clip: what culling goes by. Pure.
//
// While one clip fades into another, limbs turn from one pose to the other and may leave the boxes of both on the way.
// How far is known: a fade takes each column's pivot, or joint, straight from where the one clip has it to where the
// other has it, and turns the column about that by the shorter way. A vertex r away from it is then never farther than
// r from the straight way between where both clips have the vertex, and that way is in the box around both.

#include <span>
#include <vector>

#include "throng/character/character.h"
#include "throng/math/bounds.h"

namespace throng {

// In model space.
struct ClipBox {
  Bounds bounds;            // of the clip
  double fade_reach = 0.0;  // how far a fade to the clip may lead out of the box around its bounds and the other clip's
};

// One a clip.
std::vector<ClipBox> clip_boxes(const Character& model);

// How much farther than those boxes things reach that hang on a socket and are `size` long from it.
double carried_reach(const Character& model, SocketId socket, double size);

// What a character can reach that plays one clip, or fades to it from another one (`previous`, or kNoClip).
Bounds reached(std::span<const ClipBox> clips, std::uint32_t clip, std::uint32_t previous);

// The box around all instances, each anywhere in its clip, or on the way from another one.
Bounds bounds_of(std::span<const InstanceRecord> instances, std::span<const ClipBox> clips);

}  // namespace throng
