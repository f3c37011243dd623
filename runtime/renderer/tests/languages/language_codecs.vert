#version 300 es
// SPDX-License-Identifier: Apache-2.0
// language_codecs.glsl as ESSL: an item a vertex, read back by transform feedback.
#include "language_codecs.glsl"

uniform vec4 box_min;
uniform vec4 box_size;
uniform uint what;

in uvec4 words;
in uvec2 more_words;

flat out uvec4 found_a;
flat out uvec4 found_b;
flat out uvec4 found_c;

void main() {
  Decoded decoded = decode_item(what, words, more_words, box_min, box_size);
  found_a = decoded.a;
  found_b = decoded.b;
  found_c = decoded.c;
  gl_Position = vec4(0.0);
}
