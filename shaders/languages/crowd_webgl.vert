#version 300 es
// SPDX-License-Identifier: Apache-2.0
// A crowd in WebGL 2, drawn with drawElementsInstanced: what another engine writes around the sampling library. There
// are no storage buffers, so records come from textures. All of them are NEAREST, without mipmaps: integers cannot be
// filtered.
uniform highp usampler2DArray atlas;      // the asset's: RG32UI or RGBA32UI
uniform highp usampler2D clip_words;      // RGBA32UI: kClipTexels a clip, a clip a row
uniform highp sampler2D table_rows;       // RGBA32F, kTableWidth in a row
// RGBA32UI: kInstanceTexels, then kPlayTexels, a character; kCharactersInRow in a row
uniform highp usampler2D character_words;

uniform uvec2 now;  // ticks, (low, high)
uniform mat4 clip_from_world;

// Of the model: write them into the source, and what its clips do not need is compiled away.
#define THRONG_ATLAS atlas
const uint kAtlasWidth = 256u;
const uint kTexelWords = 4u;
const uint kFrameShapes = 7u;
const uint kEncodings = 1u;  // bit n: some clip is of encoding n
const uint kColumns = 24u;
const uint kAnimatedTangents = 0u;
#include "throng/shaders/sampling/sampling.glsl"
#include "throng/shaders/sampling/record_words.glsl"

const uint kTableWidth = 1024u;
const uint kCharactersInRow = 128u;

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

ClipRecord read_clip(uint clip) {
  int y = int(clip);
  return clip_of_words(texelFetch(clip_words, ivec2(0, y), 0), texelFetch(clip_words, ivec2(1, y), 0),
                       texelFetch(clip_words, ivec2(2, y), 0), texelFetch(clip_words, ivec2(3, y), 0));
}

vec4 read_table_row(uint row) { return texelFetch(table_rows, ivec2(row % kTableWidth, row / kTableWidth), 0); }

uvec4 character_texel(uint character, uint texel) {
  uint x = (character % kCharactersInRow) * (kInstanceTexels + kPlayTexels) + texel;
  return texelFetch(character_words, ivec2(x, character / kCharactersInRow), 0);
}

void main() {
  uint character = uint(gl_InstanceID);
  InstanceRecord instance = instance_of_words(character_texel(character, 0u), character_texel(character, 1u));
  PlayRecord play = play_of_words(character_texel(character, 2u), character_texel(character, 3u),
                                  character_texel(character, 4u), character_texel(character, 5u),
                                  character_texel(character, 6u));
  MeshVertex vertex;
  vertex.position = position;
  vertex.normal = normal;
  vertex.tangent = tangent;
  vertex.uv = uv;
  vertex.bones = bones;
  vertex.weights = weights;
  vertex.colour = vec4(1.0);

  PosedClips posed = clips_at(moment_of(play, now));
  SkinnedVertex placed = place(instance, sample_vertex(posed, uint(gl_VertexID), vertex, 4u));
  world_position = placed.position;
  world_normal = placed.normal;
  world_tangent = placed.tangent;
  surface_uv = uv;
  tint = unpackUnorm4x8(instance.tint);
  gl_Position = clip_from_world * vec4(placed.position, 1.0);
}
