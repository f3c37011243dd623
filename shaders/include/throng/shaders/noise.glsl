// Noise that needs no texture.
#ifndef THRONG_SHADERS_NOISE_GLSL
#define THRONG_SHADERS_NOISE_GLSL

// 0 to 1, by pixel, neighbours far apart: interleaved gradients, the same in every picture.
float pixel_noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

#endif
