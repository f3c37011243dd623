// SPDX-License-Identifier: Apache-2.0
// A canvas takes colours as they are shown, and does not encode them.
vec3 displayed(vec3 light) {
  return mix(light * 12.92, 1.055 * pow(max(light, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), light));
}

// Rows of a canvas count from below, those of throng render's pictures from above.
vec2 pixel_from_above(vec2 pixel, float height) { return vec2(pixel.x, height - pixel.y); }
