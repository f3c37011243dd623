#version 460
// SPDX-License-Identifier: Apache-2.0
// One triangle over the whole picture, behind everything (depth is reversed: 0 is farthest).
void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}
