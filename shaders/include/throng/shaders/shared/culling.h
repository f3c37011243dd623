// SPDX-License-Identifier: Apache-2.0
// Who is seen of a crowd, and how finely: the rules, written once for C++ (throng/plan/crowd_plan.h) and GLSL
// (shaders/passes: cull, count, plan, gather).
#ifndef THRONG_SHADERS_CULLING_H
#define THRONG_SHADERS_CULLING_H
#include "throng/shaders/shared/drawing.h"
#include "throng/shaders/shared/parts.h"

#ifdef __cplusplus
#include <algorithm>
namespace throng::gpu {
using glm::abs;
using glm::dot;
using glm::exp2;
using glm::log2;
using glm::max;
using glm::min;
}  // namespace throng::gpu
#define THRONG_UINT(value) static_cast<uint>(value)
#else
#define THRONG_UINT(value) uint(value)
#endif

THRONG_NAMESPACE_BEGIN

// Rounding must not lose what touches the edge of a view.
THRONG_CONSTANT(float, kALittleMore, 1.001f);
THRONG_CONSTANT(float, kRoot3, 1.7320508f);

// What a character may reach, in model space.
struct ModelBox {
  vec3 centre;
  vec3 extent;  // half its size
};

// Of one that fades from one clip to another: limbs turn from one pose to the other and may leave both boxes on the
// way, by as much as `fade_reach` (throng/plan/clip_boxes.h).
THRONG_FUNCTION ModelBox fading_box(ModelBox clip, ModelBox previous, float fade_reach) {
  vec3 low = min(clip.centre - clip.extent, previous.centre - previous.extent);
  vec3 high = max(clip.centre + clip.extent, previous.centre + previous.extent);
  ModelBox box;
  box.centre = 0.5f * (low + high);
  box.extent = 0.5f * (high - low) + vec3(fade_reach);
  return box;
}

// What of a clip's box those who wear less than everything can reach. `whole`: the model's.
THRONG_FUNCTION ModelBox worn_box(ModelBox clip, ModelBox whole, uint parts_box) {
  if (parts_box == 0u || parts_box == kNothingWorn) return clip;
  vec3 size = 2.0f * whole.extent;
  vec3 low = whole.centre - whole.extent + size * drawn_in_below(parts_box);
  vec3 high = whole.centre + whole.extent - size * drawn_in_above(parts_box);
  low = max(low, clip.centre - clip.extent);
  high = max(low, min(high, clip.centre + clip.extent));
  ModelBox box;
  box.centre = 0.5f * (low + high);
  box.extent = 0.5f * (high - low);
  return box;
}

// A box in the world: its middle, and what it reaches along its own axes.
struct WorldBox {
  vec3 centre;
  vec3 axis_x;
  vec3 axis_y;
  vec3 axis_z;
};

THRONG_FUNCTION float inside_of(vec4 plane, vec3 point) { return dot(vec3(plane), point) + plane.w; }

// How far the side of a box that is farthest inside of a plane is inside of it, or a little farther.
THRONG_FUNCTION float box_inside(vec4 plane, WorldBox box) {
  vec3 inwards = vec3(plane);
  float reach = abs(dot(inwards, box.axis_x)) + abs(dot(inwards, box.axis_y)) + abs(dot(inwards, box.axis_z));
  return inside_of(plane, box.centre) + kALittleMore * reach;
}

// The radius of a sphere around all that a character of scale 1 may reach, whether it fades or not: larger than its box
// by more than what box_inside() adds, so that none is lost by it that its box would show.
THRONG_FUNCTION float whole_reach(float reach, float fading_reach, float beyond) {
  return kALittleMore * kALittleMore * (max(reach, fading_reach) + kRoot3 * beyond);
}

// Which bin of heights a character is in. `height`: its own, in the world; `pixels`: ImageRecord::pixels.
THRONG_FUNCTION uint size_bin(float height, float pixels, float away) {
  float size = height * pixels / max(away, 1e-6f);
  float bin = log2(max(size / kSmallestSize, 1.0f)) * THRONG_FLOAT(kBinsPerOctave);
  return min(THRONG_UINT(bin), kSizeBins - 1u);
}

// The pixels of the tallest in a bin.
THRONG_FUNCTION float tallest_of(uint bin) {
  return kSmallestSize * exp2(THRONG_FLOAT(bin + 1u) / THRONG_FLOAT(kBinsPerOctave));
}

// Where vertices are short, more and more may be seen of a level's error, an eighth of an octave at a time: how many
// times as much.
THRONG_FUNCTION float relaxed_by(uint relaxed) { return exp2(THRONG_FLOAT(relaxed) / THRONG_FLOAT(kBinsPerOctave)); }

// What is allowed may be nothing: then it begins here when vertices are short.
THRONG_CONSTANT(float, kLeastAllowed, 0.0625f);  // pixels

// How many pixels the surface of a level may be off.
THRONG_FUNCTION float allowed_error(float pixel_error, uint relaxed) {
  return relaxed == 0u ? pixel_error : max(pixel_error, kLeastAllowed) * relaxed_by(relaxed);
}

// A character in some view, in 16 bits: its bin, whether it may be fading, and the views it is in. kUnseen otherwise.
THRONG_FUNCTION uint make_code(uint bin, bool fading, uint views) { return bin | (fading ? 0x80u : 0u) | (views << 8); }
THRONG_FUNCTION bool may_fade(uint code) { return (code & 0x80u) != 0u; }
THRONG_FUNCTION uint bin_of(uint code) { return code & 127u; }
THRONG_FUNCTION uint views_of(uint code) { return code >> 8; }

THRONG_FUNCTION uint bucket_of(uint list, uint level) { return list * kMostLevels + level; }

// The lists a character goes to: bit 0 is those that are drawn at all.
THRONG_FUNCTION uint lists_of(uint code) { return code == kUnseen ? 0u : 1u | (views_of(code) << 1); }

THRONG_NAMESPACE_END
#endif
