// SPDX-License-Identifier: Apache-2.0
// The characters of a model as their crowd has them (set 1, bindings 0 and 1). What is asked of all of them lies apart
// from what is asked of few: a pass over millions should read no more than it needs. InstanceRecords lie in two
// stretches, places and scales, then the rest; PlayRecords too, tracks, then the rest. far_pipeline_upload.cpp and
// change.comp write them.
#ifndef THRONG_SHADERS_CROWD_RECORDS_GLSL
#define THRONG_SHADERS_CROWD_RECORDS_GLSL
#include "throng/shaders/sampling/record_words.glsl"

#ifdef THRONG_TEXELS
#include "throng/shaders/passes/model_texels.glsl"
uvec4 instance_word(uint at) { return texelFetch(instance_texels, int(at)); }
uvec4 play_word(uint at) { return texelFetch(play_texels, int(at)); }
uint instance_words_there() { return uint(textureSize(instance_texels)); }
uint play_words_there() { return uint(textureSize(play_texels)); }
#else
layout(std430, set = 1, binding = 0) readonly buffer Instances { uvec4 instance_words[]; };
layout(std430, set = 1, binding = 1) readonly buffer Plays { uvec4 play_words[]; };
uvec4 instance_word(uint at) { return instance_words[at]; }
uvec4 play_word(uint at) { return play_words[at]; }
uint instance_words_there() { return uint(instance_words.length()); }
uint play_words_there() { return uint(play_words.length()); }
#endif

// Position and scale.
uvec4 place_words(uint index) { return instance_word(index); }
// Rotation, clips and tint.
uvec4 look_words(uint index) { return instance_word(instance_words_there() / kInstanceTexels + index); }
InstanceRecord instance_at(uint index) { return instance_of_words(place_words(index), look_words(index)); }

const uint kRestTexels = kPlayTexels - kTrackTexels;

// One of the texels behind the track.
uvec4 play_rest(uint index, uint texel) {
  uint room = play_words_there() / kPlayTexels;
  return play_word(kTrackTexels * room + kRestTexels * index + texel);
}

TrackRecord track_at(uint index) {
  return track_of_words(play_word(kTrackTexels * index), play_word(kTrackTexels * index + 1u));
}

uint variation_at(uint index) { return play_rest(index, 2u).w; }
uint identity_at(uint index) { return play_rest(index, 3u).x; }
uint parts_box_at(uint index) { return play_rest(index, 3u).y; }
uvec2 hidden_parts_at(uint index) { return play_rest(index, 3u).zw; }

// All that animation reads of what it plays.
PlayRecord play_at(uint index) {
  return play_of_words(play_word(kTrackTexels * index), play_word(kTrackTexels * index + 1u), play_rest(index, 0u),
                       play_rest(index, 1u), play_rest(index, 2u));
}

#endif
