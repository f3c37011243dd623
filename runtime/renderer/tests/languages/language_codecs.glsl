// SPDX-License-Identifier: Apache-2.0
// Words decoded by each part of the shader library: one body for the builds that language_test.cpp compares.
#include "throng/shaders/sampling/atlas.glsl"
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/shared/encodings.h"
#include "throng/shaders/shared/rotation.h"
#include "throng/shaders/shared/timing.h"
#include "throng/shaders/sampling/vertex_codecs.glsl"
#include "../channel_item.glsl"

// What is decoded is an encoding, or one of these.
THRONG_CONSTANT(uint, kDecodeRotation, 100u);
THRONG_CONSTANT(uint, kDecodeTime, 101u);
THRONG_CONSTANT(uint, kDecodeBlends, 102u);
THRONG_CONSTANT(uint, kDecodePlace, 103u);

// Bits, so that no number is rounded on its way out.
struct Decoded {
  uvec4 a;
  uvec4 b;
  uvec4 c;
};

uvec4 bits_of(vec4 v) {
  return uvec4(floatBitsToUint(v.x), floatBitsToUint(v.y), floatBitsToUint(v.z), floatBitsToUint(v.w));
}

Decoded decoded_of(vec4 a, vec4 b, vec4 c) {
  Decoded made;
  made.a = bits_of(a);
  made.b = bits_of(b);
  made.c = bits_of(c);
  return made;
}

Decoded decoded_bone(BoneSample bone) {
  return decoded_of(bone.rotation, vec4(bone.position, bone.scale), vec4(0.0, 0.0, 0.0, 0.0));
}

// Seen through what multiplies it, which is what a matrix is for.
Decoded decoded_affine(AffineSample bone) {
  vec3 x = mat3_times(bone.basis, vec3(1.0, 0.0, 0.0));
  vec3 y = column_of(bone.basis, 1);
  vec3 z = mat3_times(bone.basis, vec3(0.0, 0.0, 1.0));
  return decoded_of(vec4(x, bone.position.x), vec4(y, bone.position.y), vec4(z, bone.position.z));
}

Decoded decoded_vertex(VertexSample vertex, vec4 tangent) {
  return decoded_of(vec4(vertex.position, 0.0), vec4(vertex.normal, 0.0), tangent);
}

ClipRecord no_clip() {
  ClipRecord clip;
  clip.pivot_min = vec3(0.0, 0.0, 0.0);
  clip.scale_max = 1.0;
  clip.pivot_size = vec3(0.0, 0.0, 0.0);
  clip.loops = 0u;
  clip.first_frame = 0u;
  clip.frame_count = 1u;
  clip.layer = 0u;
  clip.encoding = 0u;
  clip.texels_per_frame = 1u;
  clip.frames_per_row = 1u;
  clip.frames_per_layer = 1u;
  clip.table = 0u;
  return clip;
}

// Where a texel of a frame lies. Words: the atlas's width, texels a frame, frames a row and a layer; which frame;
// shapes, layer and texel, of 4, 8 and 20 bits.
Decoded decoded_place(uvec4 words, uvec2 more) {
  ClipRecord clip = no_clip();
  clip.texels_per_frame = words.y;
  clip.frames_per_row = words.z;
  clip.frames_per_layer = words.w;
  clip.layer = bitfieldExtract(more.y, 4, 8);
  AtlasLayout made = make_atlas_layout(words.x, 2u, bitfieldExtract(more.y, 0, 4));
  ivec3 at = texel_address(made, frame_place(made, clip, more.x), bitfieldExtract(more.y, 12, 20));
  Decoded found;
  found.a = uvec4(uint(at.x), uint(at.y), uint(at.z), 0u);
  found.b = uvec4(0u, 0u, 0u, 0u);
  found.c = uvec4(0u, 0u, 0u, 0u);
  return found;
}

// Random words as a phase, a rate and a time, on a clip of as many frames as the last word says.
Decoded decoded_time(uvec4 words, uvec2 more) {
  TrackRecord track;
  track.clip = 0u;
  track.wrap = more.y % 3u;
  track.phase = words.xy;
  track.rate = words.zw;
  track.start = uvec2(more.x, 0u);
  ClipRecord clip = no_clip();
  clip.loops = more.y >> 31;
  clip.first_frame = more.x & 0xFFu;
  clip.frame_count = 1u + ((more.y >> 8) & 0xFFFu);
  uvec2 phase = phase_at(track, uvec2(more.y, more.x & 1u));
  Cursor cursor = cursor_at(clip, phase);
  Decoded made;
  made.a = uvec4(phase, cursor.frame, cursor.next);
  made.b = uvec4(floatBitsToUint(cursor.blend), multiply64(words.xy, words.zw), mul_high(words.x, words.w));
  made.c = uvec4(multiply64_overflows(words.xy, uvec2(words.z & 0xFFFFFu, 0u)) ? 1u : 0u, folded_phase(words.zw), 0u);
  return made;
}

Decoded decoded_blends(uvec4 words, uvec2 more, CodecRange range) {
  float blend = unorm_field(more.x, 0, 16);
  BoneSample bone = mix_bones(decode_q16(words, range), decode_q16(words.wzyx, range), blend);
  BoneSample chained = compose(bone, decode_q16(words.yzxw, range));
  AffineSample affine = mix_affine(decode_rows(words, more, range), decode_rows(words.zwxy, more.yx, range), blend);
  return decoded_of(bone.rotation, vec4(chained.position, chained.scale),
                    vec4(mat3_times(affine.basis, bone.position) + affine.position, blend));
}

Decoded decode_item(uint what, uvec4 words, uvec2 more, vec4 box_min, vec4 box_size) {
  CodecRange range = make_range(box_min.xyz, box_size.xyz, box_min.w);
  if (what == kEncodingQ16) return decoded_bone(decode_q16(words, range));
  if (what == kEncodingX16) return decoded_bone(decode_x16(words, range));
  if (what == kEncodingQ12) return decoded_bone(decode_q12(words.xyz, range));
  if (what == kEncodingQ8) return decoded_bone(decode_q8(words.xy, range));
  if (what == kEncodingHalfQuaternion) return decoded_bone(decode_half_quaternion(words));
  if (what == kEncodingRows) return decoded_affine(decode_rows(words, more, range));
  if (what == kEncodingHalfRows) return decoded_affine(decode_half_rows(words, more));
  if (what == kEncodingLocal8) {
    vec4 moved = decode_translation_slot(words.zw, box_min, box_size);
    return decoded_bone(make_bone(decode_quaternion(words.xy), moved.xyz, moved.w));
  }
  if (what == kEncodingLocalv) return decoded_bone(decode_channel_item(no_clip(), words, more));
  if (what == kEncodingV8)
    return decoded_vertex(decode_v8(words.xy, box_min.xyz, box_size.xyz), decode_v8_tangent(words.z));
  if (what == kEncodingHalfVertex) return decoded_vertex(decode_half_vertex(words), decode_half_tangent(more));
  if (what == kEncodingRgbm)
    return decoded_vertex(decode_rgbm_vertex(words.xy, box_min.xyz, box_size.xyz), decode_rgbm_tangent(words.z));
  if (what == kDecodePlace) return decoded_place(words, more);
  if (what == kDecodeTime) return decoded_time(words, more);
  if (what == kDecodeBlends) return decoded_blends(words, more, range);
  return decoded_of(unpack_rotation(words.xy), unpackUnorm4x8(words.z), vec4(unpackUnorm2x16(words.w), 0.0, 0.0));
}
