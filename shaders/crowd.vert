#version 460
#extension GL_GOOGLE_include_directive : require
// The crowd's colour pass: animates a vertex of an instance and hands the surface on.
#include "throng/shaders/colour.glsl"
#include "throng/shaders/crowd.glsl"
#include "throng/shaders/scene.h"

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 surface_uv;
layout(location = 3) out vec4 surface_colour;
layout(location = 4) out vec4 world_tangent;
layout(location = 5) flat out uint variation;

void main() {
  InstanceRecord instance = instances[gl_InstanceIndex];
  world_tangent = vec4(0.0);
  variation = stirred(uint(gl_InstanceIndex));
  if (out_of_sight(draw.clip_from_world, instance, draw.reach)) {
    world_position = vec3(0.0);
    world_normal = vec3(0.0);
    surface_uv = vec2(0.0);
    surface_colour = vec4(0.0);
    gl_Position = kNowhere;
    return;
  }
  Cursor cursor = cursor_of(instance, draw.now);
  MeshVertex vertex = read_vertex(gl_VertexIndex);
  SkinnedVertex animated = skin_vertex(gl_InstanceIndex, clips[instance.clip], cursor, gl_VertexIndex, vertex);
  SkinnedVertex placed = place(instance, animated);
  vec4 tint = unpackUnorm4x8(instance.tint);
  world_position = placed.position;
  world_normal = placed.normal;
  surface_uv = vertex.uv;
  surface_colour = draw.base_colour * vertex.colour * vec4(linear_from_srgb(tint.rgb), tint.a);
  gl_Position = draw.clip_from_world * vec4(placed.position, 1.0);
}
