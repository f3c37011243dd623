#version 300 es
// SPDX-License-Identifier: Apache-2.0
// A pose pass without storage buffers: a column of a character a fragment. The test puts the model's numbers before it.
#include "language_records.glsl"

layout(location = 0) out uvec4 turn;
layout(location = 1) out uvec4 shift;

void main() {
  PosedClips posed = clips_at(moment_of(play_of_row(int(gl_FragCoord.y)), now));
  BoneSample bone = pose_column(posed, uint(gl_FragCoord.x));
  turn = turn_texel(bone);
  shift = shift_texel(bone);
}
