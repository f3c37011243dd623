#version 300 es
// SPDX-License-Identifier: Apache-2.0
// The poses of the characters that are drawn: two textures, a column of the model a texel, several characters side by
// side. character.vert follows what it wrote.
#include "records.glsl"

uniform uint characters_in_row;
uniform uint character_count;

layout(location = 0) out uvec4 turn;  // both to RGBA32UI, which needs no extension
layout(location = 1) out uvec4 shift;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint row = at.y * characters_in_row + at.x / kColumns;
  if (row >= character_count) discard;
  BoneSample bone = pose_column(clips_at(row_moment(row)), at.x % kColumns);
  turn = turn_texel(bone);
  shift = shift_texel(bone);
}
