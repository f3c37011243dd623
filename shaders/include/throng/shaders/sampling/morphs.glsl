// SPDX-License-Identifier: Apache-2.0
// Morph targets before bones: what a vertex of the mesh is when its targets are in as far as the frames of a clip say.
// Knows no bindings; before or behind it, say how words are read: read_morph_word (morphs.h has what is in them).
// The C++ twin, in double, is throng::morphed_mesh.
#ifndef THRONG_SHADERS_MORPHS_GLSL
#define THRONG_SHADERS_MORPHS_GLSL
#include "throng/shaders/shared/morphs.h"
#include "throng/shaders/sampling/skinning.glsl"
#include "throng/shaders/shared/timing.h"

uint read_morph_word(uint word);

// The two rows of weights that a clip is between.
struct MorphRows {
  uint from;  // their first words
  uint to;
  float blend;
};

MorphRows morph_rows_at(uint clip, Cursor cursor) {
  uint record = read_morph_word(kMorphClipsWord) + kMorphClipWords * clip;
  uint steps = read_morph_word(record + 1u);
  uint row_words = read_morph_word(kMorphRowWord);
  MorphRows rows;
  rows.from = read_morph_word(record);
  rows.to = rows.from;
  rows.blend = 0.0;
  if (steps == 0u) return rows;
  uint first = rows.from;
  uint first_frame = read_morph_word(record + 2u);
  float at = cursor.blend * float(steps);
  uint whole = min(uint(at), steps - 1u);
  uint row = (cursor.frame - first_frame) * steps + whole;
  rows.from = first + row * row_words;
  rows.blend = at - float(whole);
  rows.to = rows.from;
  if (rows.blend > 0.0)
    rows.to = first + (whole + 1u < steps ? row + 1u : (cursor.next - first_frame) * steps) * row_words;
  return rows;
}

// How much of a target there is, in the target's own steps.
float morph_steps_in(MorphRows rows, uint target) {
  uint shift = (target & 1u) * 16u;
  float from = float((read_morph_word(rows.from + (target >> 1u)) >> shift) & 0xFFFFu);
  if (rows.blend == 0.0) return from;
  float to = float((read_morph_word(rows.to + (target >> 1u)) >> shift) & 0xFFFFu);
  return mix(from, to, rows.blend);
}

// Not every language has a name for it.
uint count_set_bits(uint bits) {
  bits = bits - ((bits >> 1u) & 0x55555555u);
  bits = (bits & 0x33333333u) + ((bits >> 2u) & 0x33333333u);
  return (((bits + (bits >> 4u)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24u;
}

float low_half(uint word) { return float(int(word << 16u) >> 16); }
float high_half(uint word) { return float(int(word) >> 16); }

// What a vertex of the mesh is at a moment, before bones move it: `index` counts in the model's whole vertex array.
MeshVertex morphed_vertex(Moment moment, uint index, MeshVertex vertex) {
  uint block = read_morph_word(kMorphBlocksWord) + 2u * (index / kMorphBlock);
  uint mask = read_morph_word(block);
  uint bit = 1u << (index % kMorphBlock);
  if ((mask & bit) == 0u) return vertex;
  uint run = read_morph_word(kMorphRunsWord) + read_morph_word(block + 1u) + count_set_bits(mask & (bit - 1u));
  uint end = read_morph_word(run + 1u);
  uint deltas = read_morph_word(kMorphDeltasWord);
  bool fading = moment.previous_clip != kNoClip && moment.weight < 1.0;
  MorphRows rows = morph_rows_at(moment.clip, moment.cursor);
  MorphRows before = rows;
  if (fading) before = morph_rows_at(moment.previous_clip, moment.previous);
  for (uint i = read_morph_word(run); i < end; ++i) {
    uint word = deltas + kMorphDeltaWords * i;
    uint first = read_morph_word(word);
    uint second = read_morph_word(word + 1u);
    uint third = read_morph_word(word + 2u);
    uint target = read_morph_word(word + 3u) & 0xFFFFu;
    uint record = kMorphHeaderWords + kMorphTargetWords * target;
    float steps_in = morph_steps_in(rows, target);
    if (fading) steps_in = mix(morph_steps_in(before, target), steps_in, moment.weight);
    float weight = uintBitsToFloat(read_morph_word(record)) + uintBitsToFloat(read_morph_word(record + 1u)) * steps_in;
    vertex.position += weight * uintBitsToFloat(read_morph_word(record + 2u)) *
                       vec3(low_half(first), high_half(first), low_half(second));
    vertex.normal += weight * uintBitsToFloat(read_morph_word(record + 3u)) *
                     vec3(high_half(second), low_half(third), high_half(third));
  }
  return vertex;
}

#endif
