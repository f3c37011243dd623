#version 300 es
// SPDX-License-Identifier: Apache-2.0
// The poses of a crowd in WebGL 2: two textures, a column of the model a texel and a character a row. Draw one triangle
// over a viewport of kColumns × characters, blending off; crowd_webgl_posed.vert then follows what it wrote.
#include "crowd_webgl_records.glsl"

layout(location = 0) out uvec4 turn;  // both to RGBA32UI, which needs no extension
layout(location = 1) out uvec4 shift;

void main() {
  PosedClips posed = clips_at(moment_of(play_of(uint(gl_FragCoord.y)), now));
  BoneSample bone = pose_column(posed, uint(gl_FragCoord.x));
  turn = turn_texel(bone);
  shift = shift_texel(bone);
}
