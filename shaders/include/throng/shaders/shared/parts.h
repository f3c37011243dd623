// SPDX-License-Identifier: Apache-2.0
// What a character wears of its model's parts, and how far that reaches. Written once for C++ and the shaders.
#ifndef THRONG_SHADERS_PARTS_H
#define THRONG_SHADERS_PARTS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_FUNCTION bool is_worn(uvec2 hidden_parts, uint part) {
  uint word = part < 32u ? hidden_parts.x : hidden_parts.y;
  return ((word >> (part & 31u)) & 1u) == 0u;
}

// PlayRecord::parts_box: how far each side of the model's box is drawn in, five bits a side: x, y and z from below,
// then from above. 0: not at all.
THRONG_CONSTANT(uint, kBoxSteps, 31u);  // of the box's size
// PlayRecord::parts_box of who wears no part at all. What hangs on its sockets is drawn all the same, but for
// those that are on a part.
THRONG_CONSTANT(uint, kNothingWorn, 0xFFFFFFFFu);

THRONG_FUNCTION float box_step(uint parts_box, uint side) {
  return THRONG_FLOAT((parts_box >> (5u * side)) & 31u) / 31.0f;
}
THRONG_FUNCTION vec3 drawn_in_below(uint parts_box) {
  return vec3(box_step(parts_box, 0u), box_step(parts_box, 1u), box_step(parts_box, 2u));
}
THRONG_FUNCTION vec3 drawn_in_above(uint parts_box) {
  return vec3(box_step(parts_box, 3u), box_step(parts_box, 4u), box_step(parts_box, 5u));
}

THRONG_NAMESPACE_END
#endif
