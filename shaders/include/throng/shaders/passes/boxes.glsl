// SPDX-License-Identifier: Apache-2.0
// The boxes of a model (set 1): that of all its clips, then each clip's.
#ifndef THRONG_SHADERS_BOXES_GLSL
#define THRONG_SHADERS_BOXES_GLSL
#include "throng/shaders/shared/culling.h"

// Each box is its centre (w: fade_reach), then half its size.
layout(std430, set = 1, binding = 13) readonly buffer Boxes { vec4 boxes[]; };

ModelBox model_box() { return ModelBox(boxes[0].xyz, boxes[1].xyz); }
ModelBox clip_box(uint clip) { return ModelBox(boxes[2u * clip + 2u].xyz, boxes[2u * clip + 3u].xyz); }

// How far limbs may leave the boxes of both clips while a character fades to that clip (clip_boxes.h).
float fade_reach(uint clip) { return boxes[2u * clip + 2u].w; }

#endif
