// SPDX-License-Identifier: Apache-2.0
// A vertex of a character from end to end: one body for the builds that language_skin_test.cpp compares. The includer
// says where the atlas and the model's numbers are, and reads records.
#include "throng/shaders/sampling/morphs.glsl"
#include "throng/shaders/sampling/posed.glsl"
#include "throng/shaders/sampling/record_words.glsl"
#include "throng/shaders/sampling/sampling.glsl"

// Bits, so that no number is rounded on its way out.
struct SkinnedBits {
  uvec4 position;
  uvec4 normal;
  uvec4 tangent;
};

uvec4 bits_of(vec4 v) {
  return uvec4(floatBitsToUint(v.x), floatBitsToUint(v.y), floatBitsToUint(v.z), floatBitsToUint(v.w));
}

MeshVertex mesh_vertex(uvec4 position, uvec4 normal, uvec4 tangent, uvec4 bones, uvec4 weights) {
  MeshVertex vertex;
  vertex.position = uintBitsToFloat(position.xyz);
  vertex.normal = uintBitsToFloat(normal.xyz);
  vertex.tangent = uintBitsToFloat(tangent);
  vertex.uv = vec2(0.0, 0.0);
  vertex.bones = bones;
  vertex.weights = uintBitsToFloat(weights);
  vertex.colour = vec4(1.0, 1.0, 1.0, 1.0);
  return vertex;
}

#ifdef THRONG_CHAINS

// A link of the skeleton relative to its parent, and the moment that it is looked at.
SkinnedBits link_bits(PlayRecord play, uint link, uvec2 now) {
  Moment moment = moment_of(play, now);
  ClipRecord clip = read_clip(moment.clip);
  BoneSample bone = sample_localv(clip, channel_frames(clip, moment.cursor), read_link(link));
  SkinnedBits bits;
  bits.position = bits_of(vec4(bone.position, bone.scale));
  bits.normal = bits_of(bone.rotation);
  bits.tangent = uvec4(moment.cursor.frame, moment.cursor.next, floatBitsToUint(moment.cursor.blend), moment.clip);
  return bits;
}

#endif

// `quality`: bones a vertex in its three low bits; with the next, the nearest frame instead of what is between two;
// with the one after, morph targets; with the one after that, a link instead of a vertex.
SkinnedBits skin_bits(InstanceRecord instance, PlayRecord play, uint index, MeshVertex vertex, uvec2 now,
                      uint quality) {
#ifdef THRONG_CHAINS
  if ((quality & 32u) != 0u) return link_bits(play, index, now);
#endif
  Moment moment = moment_of(play, now);
  if ((quality & 8u) != 0u) {
    moment.cursor = nearest_frame(moment.cursor);
    moment.previous = nearest_frame(moment.previous);
  }
  if ((quality & 16u) != 0u) vertex = morphed_vertex(moment, index, vertex);
  PosedClips posed = clips_at(moment);
  SkinnedVertex placed = place(instance, sample_vertex(posed, index, vertex, quality & 7u));
  SkinnedBits bits;
  bits.position = bits_of(vec4(placed.position, posed.weight));
  bits.normal = bits_of(vec4(placed.normal, 0.0));
  bits.tangent = bits_of(placed.tangent);
  return bits;
}
