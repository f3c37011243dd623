// Colour arithmetic.
#ifndef THRONG_SHADERS_COLOUR_GLSL
#define THRONG_SHADERS_COLOUR_GLSL

vec3 linear_from_srgb(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

// Light → display, linear in and out: dark tones nearly kept, highlights rolled off, white reached at kWhite.
vec3 filmic(vec3 light) {
  const float kWhite = 5.0;
  vec3 x = max(light, vec3(0.0));
  vec3 rolled = x * (1.0 + x / (kWhite * kWhite)) / (1.0 + x);
  // A gentle toe gives the contrast the roll-off took.
  return rolled * rolled * (1.6 - 0.6 * rolled) * 0.55 + rolled * 0.45;
}

#endif
