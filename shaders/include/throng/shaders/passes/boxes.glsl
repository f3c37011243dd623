// SPDX-License-Identifier: Apache-2.0
// The boxes of a model (set 1): that of all its clips, then each clip's.
#ifndef THRONG_SHADERS_BOXES_GLSL
#define THRONG_SHADERS_BOXES_GLSL
#include "throng/shaders/shared/parts.h"

// Each box is its centre (w: fade_reach), then half its size.
layout(std430, set = 1, binding = 13) readonly buffer Boxes { vec4 boxes[]; };

struct ModelBox {
  vec3 centre;
  vec3 extent;
};

ModelBox clip_box(uint clip) { return ModelBox(boxes[2u * clip + 2u].xyz, boxes[2u * clip + 3u].xyz); }

// How far limbs may leave the boxes of both clips while a character fades to that clip (clip_boxes.h).
float fade_reach(uint clip) { return boxes[2u * clip + 2u].w; }

// What of a clip's box those who wear less than everything can reach.
ModelBox worn_box(ModelBox clip, uint parts_box) {
  if (parts_box == 0u || parts_box == kNothingWorn) return clip;
  vec3 whole = 2.0 * boxes[1].xyz;
  vec3 low = boxes[0].xyz - boxes[1].xyz + whole * drawn_in_below(parts_box);
  vec3 high = boxes[0].xyz + boxes[1].xyz - whole * drawn_in_above(parts_box);
  low = max(low, clip.centre - clip.extent);
  high = max(low, min(high, clip.centre + clip.extent));
  return ModelBox(0.5 * (low + high), 0.5 * (high - low));
}

#endif
