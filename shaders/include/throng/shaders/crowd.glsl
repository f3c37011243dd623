// One baked model and its instances as the crowd passes bind them (set 1), and a vertex of an instance at a moment.
#ifndef THRONG_SHADERS_CROWD_GLSL
#define THRONG_SHADERS_CROWD_GLSL
#include "throng/shaders/atlas.glsl"
#include "throng/shaders/encodings.h"
#include "throng/shaders/pose_records.h"
#include "throng/shaders/skinning.glsl"
#include "throng/shaders/timing.h"
#include "throng/shaders/vertex_codecs.glsl"
#include "throng/shaders/vertex_words.h"

// Of the model; what none of its clips needs is compiled away.
layout(constant_id = 0) const uint kAtlasWidth = 1u;
layout(constant_id = 1) const uint kTexelWords = 4u;
layout(constant_id = 2) const uint kFrameShapes = 3u;      // frame_shapes.h
layout(constant_id = 3) const uint kEncodings = 1u;        // bit n: some clip is of encoding n (encodings.h)
layout(constant_id = 4) const uint kColumns = 1u;          // bones
layout(constant_id = 5) const uint kAnimatedTangents = 0u; // vertex mode: 1 or 0
layout(constant_id = 6) const uint kRotationSlots = 0u;    // local8

layout(std430, set = 1, binding = 0) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 1, binding = 1) readonly buffer Clips { ClipRecord clips[]; };
layout(std430, set = 1, binding = 2) readonly buffer Table { vec4 table[]; };  // of pivots and boxes (throng/asset/encoding.h)
layout(set = 1, binding = 3) uniform usampler2DArray atlas;
// Words of throng::BakedVertex (vertex_words.h). Reading them here and not as vertex attributes lets instances that are out of sight
// read nothing.
layout(std430, set = 1, binding = 4) readonly buffer Vertices { uint vertex_words[]; };
// Of models with local8 clips: which poses are whose (one number an instance, then the instances that have one), and what pose.comp
// made of them.
layout(std430, set = 1, binding = 5) readonly buffer PoseSlots { uint pose_slots[]; };
layout(std430, set = 1, binding = 6) readonly buffer Palette { PaletteRecord palette[]; };

struct MeshVertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  uvec4 bones;
  vec4 weights;
  vec4 colour;
};

uvec2 read_two(uint word) { return uvec2(vertex_words[word], vertex_words[word + 1u]); }
uvec3 read_three(uint word) { return uvec3(read_two(word), vertex_words[word + 2u]); }

MeshVertex read_vertex(uint index) {
  uint word = index * kVertexWords;
  uvec2 bones = read_two(word + kBonesWord);
  uvec2 weights = read_two(word + kWeightsWord);
  MeshVertex vertex;
  vertex.position = uintBitsToFloat(read_three(word + kPositionWord));
  vertex.normal = uintBitsToFloat(read_three(word + kNormalWord));
  vertex.uv = uintBitsToFloat(read_two(word + kUvWord));
  vertex.bones = uvec4(bones.x & 0xFFFFu, bones.x >> 16, bones.y & 0xFFFFu, bones.y >> 16);
  vertex.weights = vec4(unpackUnorm2x16(weights.x), unpackUnorm2x16(weights.y));
  vertex.colour = unpackUnorm4x8(vertex_words[word + kColourWord]);
  return vertex;
}

Cursor cursor_of(InstanceRecord instance, uvec2 now) {
  ClipRecord clip = clips[instance.clip];
  return cursor_at(clip, phase_at(clip, instance, now));
}

AtlasLayout atlas_layout() { return AtlasLayout(kAtlasWidth, kTexelWords, kFrameShapes); }

// Whether the clip is of that encoding. Known without looking when the model has no other, or has it nowhere.
bool is_of(ClipRecord clip, uint encoding) {
  uint bit = 1u << encoding;
  return kEncodings == bit || ((kEncodings & bit) != 0u && clip.encoding == encoding);
}

bool is_affine(ClipRecord clip) { return is_of(clip, kEncodingRows) || is_of(clip, kEncodingHalfRows); }

// The two frames a cursor is between.
struct FramePair {
  FramePlace from;
  FramePlace to;
  float blend;
};

FramePair frames_at(ClipRecord clip, Cursor cursor) {
  return FramePair(frame_place(atlas_layout(), clip, cursor.frame), frame_place(atlas_layout(), clip, cursor.next),
                   cursor.blend);
}

CodecRange range_of(ClipRecord clip) { return CodecRange(clip.pivot_min, clip.pivot_size, clip.scale_max); }

// q8: four words, of which three are where its positions count from, come before the first column.
const uint kQ8HeaderWords = 4u;

CodecRange q8_range(ClipRecord clip, uint column) {
  uint row = clip.table + kColumns + 2u * column;
  return CodecRange(table[row].xyz, table[row + 1u].xyz, clip.scale_max);
}

vec3 q8_origin(FramePair frames) {
  vec3 from = uintBitsToFloat(fetch_three(atlas, atlas_layout(), frames.from, 0u));
  vec3 to = uintBitsToFloat(fetch_three(atlas, atlas_layout(), frames.to, 0u));
  return mix(from, to, frames.blend);
}

BoneSample read_bone(ClipRecord clip, FramePlace frame, uint column) {
  if (is_of(clip, kEncodingX16)) return decode_x16(fetch_four(atlas, atlas_layout(), frame, 4u * column), range_of(clip));
  if (is_of(clip, kEncodingQ12)) return decode_q12(fetch_three(atlas, atlas_layout(), frame, 3u * column), range_of(clip));
  if (is_of(clip, kEncodingQ8))
    return decode_q8(fetch_two(atlas, atlas_layout(), frame, kQ8HeaderWords + 2u * column), q8_range(clip, column));
  if (is_of(clip, kEncodingHalfQuaternion))
    return decode_half_quaternion(fetch_four(atlas, atlas_layout(), frame, 4u * column));
  return decode_q16(fetch_four(atlas, atlas_layout(), frame, 4u * column), range_of(clip));
}

BoneSample sample_bone(ClipRecord clip, FramePair frames, uint column) {
  return mix_bones(read_bone(clip, frames.from, column), read_bone(clip, frames.to, column), frames.blend);
}

AffineSample read_affine(ClipRecord clip, FramePlace frame, uint column) {
  SixWords words = fetch_six(atlas, atlas_layout(), frame, 6u * column);
  if (is_of(clip, kEncodingHalfRows)) return decode_half_rows(words.first, words.last);
  return decode_rows(words.first, words.last, range_of(clip));
}

AffineSample sample_affine(ClipRecord clip, FramePair frames, uint column) {
  return mix_affine(read_affine(clip, frames.from, column), read_affine(clip, frames.to, column), frames.blend);
}

BoneSample posed_bone(uint instance, uint column) {
  PaletteRecord record = palette[pose_slots[instance] * kColumns + column];
  return BoneSample(record.rotation, record.position, record.scale);
}

SkinnedVertex skin_by_bones(uint instance, ClipRecord clip, Cursor cursor, MeshVertex vertex) {
  FramePair frames = frames_at(clip, cursor);
  SkinnedVertex sum = SkinnedVertex(vec3(0.0), vec3(0.0));
  if (is_of(clip, kEncodingQ8)) sum.position = q8_origin(frames) * dot(vertex.weights, vec4(1.0));
  for (int i = 0; i < 4; ++i) {
    float weight = vertex.weights[i];
    if (weight == 0.0) continue;
    uint column = vertex.bones[i];
    if (is_of(clip, kEncodingLocal8)) {
      add_influence(sum, posed_bone(instance, column), vec3(0.0), weight, vertex.position, vertex.normal);
    } else {
      vec3 pivot = table[clip.table + column].xyz;
      if (is_affine(clip))
        add_influence(sum, sample_affine(clip, frames, column), pivot, weight, vertex.position, vertex.normal);
      else
        add_influence(sum, sample_bone(clip, frames, column), pivot, weight, vertex.position, vertex.normal);
    }
  }
  sum.normal = finish_normal(sum.normal, vertex.normal);
  return sum;
}

VertexSample read_item(ClipRecord clip, FramePlace frame, uint item) {
  if (is_of(clip, kEncodingHalfVertex)) {
    if (kAnimatedTangents != 0u)
      return decode_half_vertex(fetch_six(atlas, atlas_layout(), frame, 6u * item).first);
    return decode_half_vertex(fetch_four(atlas, atlas_layout(), frame, 4u * item));
  }
  uvec2 words = kAnimatedTangents != 0u ? fetch_three(atlas, atlas_layout(), frame, 3u * item).xy
                                        : fetch_two(atlas, atlas_layout(), frame, 2u * item);
  if (is_of(clip, kEncodingRgbm)) return decode_rgbm_vertex(words, clip.pivot_min, clip.pivot_size);
  return decode_v8(words, clip.pivot_min, clip.pivot_size);
}

const uint kVertexEncodings = (1u << kEncodingV8) | (1u << kEncodingHalfVertex) | (1u << kEncodingRgbm);

// In model space.
SkinnedVertex skin_vertex(uint instance, ClipRecord clip, Cursor cursor, uint index, MeshVertex vertex) {
  if ((kEncodings & kVertexEncodings) == 0u) return skin_by_bones(instance, clip, cursor, vertex);
  FramePair frames = frames_at(clip, cursor);
  VertexSample stored =
      mix_vertices(read_item(clip, frames.from, index), read_item(clip, frames.to, index), frames.blend);
  return SkinnedVertex(stored.position, stored.normal);
}

// Whether nothing of an instance can be inside the picture or map: four planes against the ball around it. Far from free, but far
// cheaper than animating it.
bool out_of_sight(mat4 clip_from_world, InstanceRecord instance, float reach) {
  mat4 rows = transpose(clip_from_world);
  vec4 centre = vec4(instance.position, 1.0);
  float radius = reach * instance.scale;
  float nearest = radius;
  for (int axis = 0; axis < 2; ++axis) {
    vec4 low = rows[3] + rows[axis];
    vec4 high = rows[3] - rows[axis];
    nearest = min(nearest, min(dot(low, centre) / length(low.xyz), dot(high, centre) / length(high.xyz)));
  }
  return nearest < -radius;
}

// Where a vertex goes that is not to be seen: all of a triangle on one point draws nothing.
const vec4 kNowhere = vec4(2.0, 2.0, 2.0, 1.0);

#endif
