// SPDX-License-Identifier: Apache-2.0
// Where a socket of a character is at a moment: world_from_socket.
#ifndef THRONG_SHADERS_SOCKET_PLACES_GLSL
#define THRONG_SHADERS_SOCKET_PLACES_GLSL
#include "throng/shaders/passes/links.glsl"
#include "throng/shaders/shared/parts.h"
#include "throng/shaders/shared/sockets.h"

// About the origin.
AffineSample column_of(ClipRecord clip, FramePair frames, uint column) {
  if (is_linked(clip)) return chained_column(clip, frames, column);
  AffineSample bone = sample_affine(clip, frames, column);
  bone.position -= bone.basis * pivot_of(clip, column);
  return bone;
}

// A rigid move back from its matrix.
BoneSample bone_of_affine(AffineSample from) {
  float scale = mirrors(from.basis) ? -length(from.basis[0]) : length(from.basis[0]);
  mat3 m = from.basis / scale;
  float trace = m[0][0] + m[1][1] + m[2][2];
  vec4 q;
  if (trace > 0.0) {
    float s = sqrt(trace + 1.0) * 2.0;
    q = vec4(m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 0.25 * s * s) / s;
  } else if (m[0][0] > m[1][1] && m[0][0] > m[2][2]) {
    float s = sqrt(1.0 + m[0][0] - m[1][1] - m[2][2]) * 2.0;
    q = vec4(0.25 * s * s, m[1][0] + m[0][1], m[2][0] + m[0][2], m[1][2] - m[2][1]) / s;
  } else if (m[1][1] > m[2][2]) {
    float s = sqrt(1.0 + m[1][1] - m[0][0] - m[2][2]) * 2.0;
    q = vec4(m[1][0] + m[0][1], 0.25 * s * s, m[2][1] + m[1][2], m[2][0] - m[0][2]) / s;
  } else {
    float s = sqrt(1.0 + m[2][2] - m[0][0] - m[1][1]) * 2.0;
    q = vec4(m[2][0] + m[0][2], m[2][1] + m[1][2], 0.25 * s * s, m[0][1] - m[1][0]) / s;
  }
  return BoneSample(normalize(q), from.position, scale);
}

// About the origin; blended as sample_column and the pose pass do it.
AffineSample blended_column(PosedClips posed, uint column) {
  AffineSample bone = column_of(posed.clip, posed.frames, column);
  if (!fades(posed)) return bone;
  vec3 pivot = fade_pivot(posed.clip, column);
  AffineSample previous = column_of(posed.previous_clip, posed.previous_frames, column);
  bone.position += bone.basis * pivot;
  previous.position += previous.basis * pivot;
  AffineSample mixed = is_affine(posed)
                           ? mix_affine(previous, bone, posed.weight)
                           : affine_of_bone(mix_bones(bone_of_affine(previous), bone_of_affine(bone), posed.weight));
  mixed.position -= mixed.basis * pivot;
  return mixed;
}

// Vertex mode: the position and two axes are stored as two items.
AffineSample stored_socket(PosedClips posed, uint item) {
  VertexSample z = sample_item(posed.clip, posed.frames, item);
  VertexSample x = sample_item(posed.clip, posed.frames, item + 1u);
  if (fades(posed)) {
    z = mix_vertices(sample_item(posed.previous_clip, posed.previous_frames, item), z, posed.weight);
    x = mix_vertices(sample_item(posed.previous_clip, posed.previous_frames, item + 1u), x, posed.weight);
  }
  vec3 axis_z = normalize(z.normal);
  vec3 axis_y = normalize(cross(axis_z, x.normal));
  return AffineSample(mat3(cross(axis_y, axis_z), axis_y, axis_z), z.position);
}

AffineSample model_from_socket(PosedClips posed, SocketRecord socket) {
  if (stores_vertices()) return stored_socket(posed, socket.bone);
  AffineSample bone = blended_column(posed, socket.bone);
  AffineSample inner = affine_of_bone(BoneSample(socket.rotation, socket.position, 1.0));
  for (int i = 0; i < 3; ++i) inner.basis[i] *= socket.scale[i];
  return AffineSample(bone.basis * inner.basis, bone.basis * inner.position + bone.position);
}

SocketPlace socket_place(InstanceRecord instance, uvec2 hidden_parts, PosedClips posed, SocketRecord socket) {
  AffineSample inner = model_from_socket(posed, socket);
  if (socket.part != kOnNoPart && !is_worn(hidden_parts, socket.part)) inner.basis = mat3(0.0);
  AffineSample outer =
      affine_of_bone(BoneSample(unpack_rotation(instance.rotation), instance.position, abs(instance.scale)));
  mat3 linear = transpose(outer.basis * inner.basis);
  vec3 position = outer.basis * inner.position + outer.position;
  return SocketPlace(vec4(linear[0], position.x), vec4(linear[1], position.y), vec4(linear[2], position.z));
}

#endif
