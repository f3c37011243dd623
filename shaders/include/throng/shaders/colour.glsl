// Colour arithmetic.
#ifndef THRONG_SHADERS_COLOUR_GLSL
#define THRONG_SHADERS_COLOUR_GLSL

vec3 linear_from_srgb(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

// Light → display, linear in and out, as film takes it: each stop of highlights gets less room, and the power gives back the
// contrast that costs.
vec3 filmic(vec3 light) { return 1.0 - exp(-pow(max(light, vec3(0.0)), vec3(1.15))); }

#endif
