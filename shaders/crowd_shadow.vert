#version 460
#extension GL_GOOGLE_include_directive : require
// The crowd's shadow passes: the same animation, seen from a light.
#include "throng/shaders/crowd.glsl"
#include "throng/shaders/scene.h"

layout(push_constant) uniform Draw { DrawUniforms draw; };

layout(location = 0) out vec2 surface_uv;
layout(location = 1) out float surface_alpha;

void main() {
  InstanceRecord instance = instances[gl_InstanceIndex];
  if (out_of_sight(draw.clip_from_world, instance, draw.reach)) {
    surface_uv = vec2(0.0);
    surface_alpha = 0.0;
    gl_Position = kNowhere;
    return;
  }
  Cursor cursor = cursor_of(instance, draw.now);
  MeshVertex vertex = read_vertex(gl_VertexIndex);
  SkinnedVertex animated = skin_vertex(gl_InstanceIndex, clips[instance.clip], cursor, gl_VertexIndex, vertex);
  SkinnedVertex placed = place(instance, animated);
  surface_uv = vertex.uv;
  surface_alpha = draw.base_colour.a * vertex.colour.a * unpackUnorm4x8(instance.tint).a;
  gl_Position = draw.clip_from_world * vec4(placed.position, 1.0);
}
