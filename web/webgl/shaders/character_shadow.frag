#version 300 es
// SPDX-License-Identifier: Apache-2.0
// What a shadow map is drawn with: depth alone, with the holes of materials that have them.
precision highp float;

uniform float alpha_cutoff;
uniform sampler2D base_texture;
in vec2 surface_uv;
in vec4 surface_colour;

void main() {
#ifdef THRONG_HOLES
  float alpha = surface_colour.a;
#ifdef THRONG_BASE_PICTURE
  alpha *= texture(base_texture, surface_uv).a;
#endif
  if (alpha < alpha_cutoff) discard;
#endif
}
