#version 300 es
// SPDX-License-Identifier: Apache-2.0
// One triangle over the whole target, behind everything.
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2)) * 2.0 - 1.0;
  gl_Position = vec4(corner, 1.0, 1.0);
}
