#version 300 es
// SPDX-License-Identifier: Apache-2.0
// A crowd in WebGL 2 that follows the poses crowd_webgl_pose.frag has written: cheaper where many vertices share few
// bones.
#include "crowd_webgl_records.glsl"

uniform mat4 clip_from_world;
uniform highp usampler2D turns;   // RGBA32UI: a column a texel, a character a row
uniform highp usampler2D shifts;  // the same

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in uvec4 bones;   // vertexAttribIPointer, UNSIGNED_SHORT
layout(location = 5) in vec4 weights;  // UNSIGNED_SHORT, normalised

out vec3 world_position;
out vec3 world_normal;
out vec4 world_tangent;
out vec2 surface_uv;
out vec4 tint;

void main() {
  uint character = uint(gl_InstanceID);
  InstanceRecord instance = instance_of(character);
  MeshVertex vertex = MeshVertex(position, normal, tangent, uv, bones, weights, vec4(1.0));
  SkinnedVertex placed = place(instance, skin_by_pose(turns, shifts, ivec2(0, int(character)), vertex, 4u));
  world_position = placed.position;
  world_normal = placed.normal;
  world_tangent = placed.tangent;
  surface_uv = uv;
  tint = unpackUnorm4x8(instance.tint);
  gl_Position = clip_from_world * vec4(placed.position, 1.0);
}
