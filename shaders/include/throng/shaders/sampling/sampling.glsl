// SPDX-License-Identifier: Apache-2.0
// An animation texture at a moment: how a column of bones moves, or where a vertex is, between two frames of a clip and
// between two clips of a cross-fade. Knows no bindings. Before including it, say where things are:
//   THRONG_ATLAS    the animation texture
//   kAtlasWidth, kTexelWords, kFrameShapes, kEncodings, kColumns, kAnimatedTangents
//                   of the model; as constants, what none of its clips needs is compiled away
// and before or behind it, how records are read: read_clip and read_table_row. For models with clips in localv define
// THRONG_CHAINS before it, too, and read_channel_word, read_link and read_column. A pass that walks chains in its own
// way defines THRONG_CHANNELS and read_channel_word alone.
// The C++ twin, in double, is throng::deform.
#ifndef THRONG_SHADERS_SAMPLING_GLSL
#define THRONG_SHADERS_SAMPLING_GLSL
#include "throng/shaders/sampling/atlas.glsl"
#include "throng/shaders/shared/encodings.h"
#include "throng/shaders/shared/pose_records.h"
#include "throng/shaders/sampling/skinning.glsl"
#include "throng/shaders/shared/timing.h"
#include "throng/shaders/sampling/vertex_codecs.glsl"

#ifdef THRONG_CHAINS
#define THRONG_CHANNELS
#endif
#ifdef THRONG_CHANNELS
#include "throng/shaders/encodings/localv.glsl"
#endif
#ifdef THRONG_CHAINS
#include "throng/shaders/sampling/chains.glsl"
#endif

ClipRecord read_clip(uint clip);  // one clip of the model
vec4 read_table_row(uint row);    // one row of its table (throng/character/encoding.h)

AtlasLayout atlas_layout() { return make_atlas_layout(kAtlasWidth, kTexelWords, kFrameShapes); }

// Whether the clip is of that encoding. Known without looking when the model has no other, or has it nowhere.
bool is_of(ClipRecord clip, uint encoding) {
  uint bit = 1u << encoding;
  return kEncodings == bit || ((kEncodings & bit) != 0u && clip.encoding == encoding);
}

// Whether the clip's encoding is one of those.
bool is_of_any(ClipRecord clip, uint encodings) {
  if ((kEncodings & encodings) == 0u) return false;
  return (kEncodings & ~encodings) == 0u || ((1u << clip.encoding) & encodings) != 0u;
}

bool is_affine(ClipRecord clip) { return is_of_any(clip, kAffineEncodings); }

// A frame of localv lies in no texture: its first word.
FramePlace frame_at_word(uint word) {
  FramePlace place;
  place.x = word;
  place.y = 0u;
  place.layer = 0u;
  return place;
}

// The two frames a cursor is between.
struct FramePair {
  FramePlace from;
  FramePlace to;
  float blend;
};

FramePair frames_at(ClipRecord clip, Cursor cursor) {
  FramePair pair;
#ifdef THRONG_CHANNELS
  if (is_of(clip, kEncodingLocalv)) {
    ChannelFrames words = channel_frames(clip, cursor);
    pair.from = frame_at_word(words.from);
    pair.to = frame_at_word(words.to);
    pair.blend = words.blend;
    return pair;
  }
#endif
  pair.from = frame_place(atlas_layout(), clip, cursor.frame);
  pair.to = frame_place(atlas_layout(), clip, cursor.next);
  pair.blend = cursor.blend;
  return pair;
}

// What a character that plays `play` is at.
Moment moment_of(PlayRecord play, uvec2 now) {
  Moment moment;
  moment.clip = play.track.clip;
  moment.cursor = cursor_at(read_clip(moment.clip), phase_at(play.track, now));
  moment.weight = fade_weight(play, now);
  moment.previous_clip = kNoClip;
  moment.previous = moment.cursor;
  if (moment.weight < 1.0) {
    moment.previous_clip = play.previous.clip;
    moment.previous = cursor_at(read_clip(moment.previous_clip), phase_at(play.previous, now));
  }
  return moment;
}

// To the nearer frame: what those far away do instead of interpolating.
Cursor nearest_frame(Cursor cursor) {
  Cursor at;
  at.frame = cursor.blend < 0.5 ? cursor.frame : cursor.next;
  at.next = at.frame;
  at.blend = 0.0;
  return at;
}

// A moment with all that is the same for every column and vertex: take it once.
struct PosedClips {
  ClipRecord clip;
  FramePair frames;
  ClipRecord previous_clip;
  FramePair previous_frames;
  float weight;
};

bool fades(PosedClips posed) { return posed.weight < 1.0; }

PosedClips clips_at(Moment moment) {
  PosedClips posed;
  posed.clip = read_clip(moment.clip);
  posed.frames = frames_at(posed.clip, moment.cursor);
  posed.weight = moment.previous_clip == kNoClip ? 1.0 : moment.weight;
  posed.previous_clip = posed.clip;
  posed.previous_frames = posed.frames;
  if (fades(posed)) {
    posed.previous_clip = read_clip(moment.previous_clip);
    posed.previous_frames = frames_at(posed.previous_clip, moment.previous);
  }
  return posed;
}

CodecRange range_of(ClipRecord clip) { return make_range(clip.pivot_min, clip.pivot_size, clip.scale_max); }

// q8: four words, of which three are where its positions count from, come before the first column.
THRONG_CONSTANT(uint, kQ8HeaderWords, 4u);

CodecRange q8_range(ClipRecord clip, uint column) {
  uint row = clip.table + kColumns + 2u * column;
  return make_range(read_table_row(row).xyz, read_table_row(row + 1u).xyz, clip.scale_max);
}

vec3 q8_origin(FramePair frames) {
  vec3 from = uintBitsToFloat(fetch_three(THRONG_ATLAS, atlas_layout(), frames.from, 0u));
  vec3 to = uintBitsToFloat(fetch_three(THRONG_ATLAS, atlas_layout(), frames.to, 0u));
  return mix(from, to, frames.blend);
}

BoneSample read_bone(ClipRecord clip, FramePlace frame, uint column) {
  if (is_of(clip, kEncodingX16))
    return decode_x16(fetch_four(THRONG_ATLAS, atlas_layout(), frame, 4u * column), range_of(clip));
  if (is_of(clip, kEncodingQ12))
    return decode_q12(fetch_three(THRONG_ATLAS, atlas_layout(), frame, 3u * column), range_of(clip));
  if (is_of(clip, kEncodingQ8))
    return decode_q8(fetch_two(THRONG_ATLAS, atlas_layout(), frame, kQ8HeaderWords + 2u * column),
                     q8_range(clip, column));
  if (is_of(clip, kEncodingHalfQuaternion))
    return decode_half_quaternion(fetch_four(THRONG_ATLAS, atlas_layout(), frame, 4u * column));
  return decode_q16(fetch_four(THRONG_ATLAS, atlas_layout(), frame, 4u * column), range_of(clip));
}

#ifdef THRONG_CHAINS

// A column of localv, about its own origin.
BoneSample sample_chain(ClipRecord clip, FramePair frames, uint column) {
  ChannelFrames words;
  words.from = frames.from.x;
  words.to = frames.to.x;
  words.blend = frames.blend;
  ColumnRecord record = read_column(column);
  BoneSample bone = compose_chain(clip, words, record);
  bone.position += bone.scale * rotate_by(bone.rotation, origin_of(record));
  return bone;
}

#endif

// A moment exactly at a frame, as those far away are, reads one.
BoneSample sample_bone(ClipRecord clip, FramePair frames, uint column) {
#ifdef THRONG_CHAINS
  if (is_of(clip, kEncodingLocalv)) return sample_chain(clip, frames, column);
#endif
  BoneSample bone = read_bone(clip, frames.from, column);
  if (frames.blend > 0.0)
    bone = mix_bones(bone, read_bone(clip, frames.to, column), frames.blend);
  else
    bone.rotation = normalize(bone.rotation);
  if (is_of(clip, kEncodingQ8)) bone.position += q8_origin(frames);
  return bone;
}

AffineSample read_affine(ClipRecord clip, FramePlace frame, uint column) {
  SixWords words = fetch_six(THRONG_ATLAS, atlas_layout(), frame, 6u * column);
  if (is_of(clip, kEncodingHalfRows)) return decode_half_rows(words.first, words.last);
  return decode_rows(words.first, words.last, range_of(clip));
}

AffineSample sample_affine(ClipRecord clip, FramePair frames, uint column) {
  if (!is_affine(clip)) return affine_of_bone(sample_bone(clip, frames, column));
  AffineSample from = read_affine(clip, frames.from, column);
  if (frames.blend == 0.0) return from;
  return mix_affine(from, read_affine(clip, frames.to, column), frames.blend);
}

vec3 pivot_of(ClipRecord clip, uint column) {
#ifdef THRONG_CHAINS
  if (is_of(clip, kEncodingLocalv)) return origin_of(read_column(column));
#endif
  return read_table_row(clip.table + column).xyz;
}

// Whether columns of this moment are matrices and not rotations.
bool is_affine(PosedClips posed) { return is_affine(posed.clip) || (fades(posed) && is_affine(posed.previous_clip)); }

// A cross-fade blends what both clips do about the pivot of the one that comes.
BoneSample sample_column(PosedClips posed, uint column, vec3 pivot) {
  BoneSample bone = sample_bone(posed.clip, posed.frames, column);
  if (!fades(posed)) return bone;
  BoneSample previous = sample_bone(posed.previous_clip, posed.previous_frames, column);
  vec3 way = pivot - pivot_of(posed.previous_clip, column);
  previous.position += previous.scale * rotate_by(previous.rotation, way);
  return mix_bones(previous, bone, posed.weight);
}

AffineSample sample_affine_column(PosedClips posed, uint column, vec3 pivot) {
  AffineSample bone = sample_affine(posed.clip, posed.frames, column);
  if (!fades(posed)) return bone;
  AffineSample previous = sample_affine(posed.previous_clip, posed.previous_frames, column);
  previous.position += mat3_times(previous.basis, pivot - pivot_of(posed.previous_clip, column));
  return mix_affine(previous, bone, posed.weight);
}

// A vertex on its bones, in model space: the first `bones` of its four, which are the strongest.
SkinnedVertex skin_by_bones(PosedClips posed, MeshVertex vertex, uint bones) {
  SkinnedVertex sum = no_vertex();
  float weights = 0.0;
  bool affine = is_affine(posed);
  for (uint i = 0u; i < bones; ++i) {
    float weight = vertex.weights[i];
    if (weight == 0.0) continue;
    weights += weight;
    uint column = vertex.bones[i];
    vec3 pivot = pivot_of(posed.clip, column);
    if (affine)
      add_influence(sum, sample_affine_column(posed, column, pivot), pivot, weight, vertex);
    else
      add_influence(sum, sample_column(posed, column, pivot), pivot, weight, vertex);
  }
  return finish_vertex(sum, weights, vertex);
}

VertexSample read_item(ClipRecord clip, FramePlace frame, uint item) {
  if (is_of(clip, kEncodingHalfVertex)) {
    if (kAnimatedTangents != 0u)
      return decode_half_vertex(fetch_six(THRONG_ATLAS, atlas_layout(), frame, 6u * item).first);
    return decode_half_vertex(fetch_four(THRONG_ATLAS, atlas_layout(), frame, 4u * item));
  }
  uvec2 words = kAnimatedTangents != 0u ? fetch_three(THRONG_ATLAS, atlas_layout(), frame, 3u * item).xy
                                        : fetch_two(THRONG_ATLAS, atlas_layout(), frame, 2u * item);
  if (is_of(clip, kEncodingRgbm)) return decode_rgbm_vertex(words, clip.pivot_min, clip.pivot_size);
  return decode_v8(words, clip.pivot_min, clip.pivot_size);
}

VertexSample sample_item(ClipRecord clip, FramePair frames, uint item) {
  VertexSample from = read_item(clip, frames.from, item);
  if (frames.blend == 0.0) return from;
  return mix_vertices(from, read_item(clip, frames.to, item), frames.blend);
}

// Only for models that animate tangents.
vec4 read_item_tangent(ClipRecord clip, FramePlace frame, uint item) {
  if (is_of(clip, kEncodingHalfVertex))
    return decode_half_tangent(fetch_six(THRONG_ATLAS, atlas_layout(), frame, 6u * item).last);
  uint word = fetch_three(THRONG_ATLAS, atlas_layout(), frame, 3u * item).z;
  return is_of(clip, kEncodingRgbm) ? decode_rgbm_tangent(word) : decode_v8_tangent(word);
}

vec4 sample_item_tangent(ClipRecord clip, FramePair frames, uint item) {
  return mix_tangents(read_item_tangent(clip, frames.from, item), read_item_tangent(clip, frames.to, item),
                      frames.blend);
}

// A vertex as its frames hold it, in model space.
SkinnedVertex stored_vertex(PosedClips posed, uint index, MeshVertex vertex) {
  VertexSample stored = sample_item(posed.clip, posed.frames, index);
  if (fades(posed))
    stored = mix_vertices(sample_item(posed.previous_clip, posed.previous_frames, index), stored, posed.weight);
  SkinnedVertex result = make_skinned(stored.position, stored.normal, vertex.tangent);
  if (kAnimatedTangents != 0u) {
    result.tangent = sample_item_tangent(posed.clip, posed.frames, index);
    if (fades(posed))
      result.tangent = mix_tangents(sample_item_tangent(posed.previous_clip, posed.previous_frames, index),
                                    result.tangent, posed.weight);
  }
  return result;
}

bool stores_vertices() { return (kEncodings & kVertexEncodings) != 0u; }

// A vertex in model space, whatever the model's encodings are; but local8 wants a pass of its own before, and localv
// walks a chain for every bone of every vertex here, which a pass before saves (posed.glsl; ours is pose.comp).
SkinnedVertex sample_vertex(PosedClips posed, uint index, MeshVertex vertex, uint bones) {
  if (stores_vertices()) return stored_vertex(posed, index, vertex);
  return skin_by_bones(posed, vertex, bones);
}

#endif
