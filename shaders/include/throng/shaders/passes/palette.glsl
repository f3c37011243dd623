// SPDX-License-Identifier: Apache-2.0
// Poses that pose.comp made, and a vertex on them (set 1, binding 9).
#ifndef THRONG_SHADERS_PALETTE_GLSL
#define THRONG_SHADERS_PALETTE_GLSL
#include "throng/shaders/passes/crowd.glsl"

// Of every column: a rotation, then position and scale; or, for models that have clips of matrices too, three rows of one.
layout(std430, set = 1, binding = 9) readonly buffer Palette { vec4 palette[]; };

const uint kAffineEncodings = (1u << kEncodingRows) | (1u << kEncodingHalfRows);

bool has_affine_palette() { return (kEncodings & kAffineEncodings) != 0u; }
uint palette_rows() { return has_affine_palette() ? 3u : 2u; }

BoneSample posed_bone(uint drawn, uint column) {
  uint row = (drawn * kColumns + column) * 2u;
  vec4 place = palette[row + 1u];
  return BoneSample(palette[row], place.xyz, place.w);
}

AffineSample posed_affine(uint drawn, uint column) {
  uint row = (drawn * kColumns + column) * 3u;
  return affine_of_rows(palette[row], palette[row + 1u], palette[row + 2u]);
}

SkinnedVertex skin_by_palette(uint drawn, MeshVertex vertex, uint bones) {
  SkinnedVertex sum = no_vertex();
  float weights = 0.0;
  for (uint i = 0u; i < bones; ++i) {
    float weight = vertex.weights[i];
    if (weight == 0.0) continue;
    weights += weight;
    if (has_affine_palette())
      add_influence(sum, posed_affine(drawn, vertex.bones[i]), vec3(0.0), weight, vertex);
    else
      add_influence(sum, posed_bone(drawn, vertex.bones[i]), vec3(0.0), weight, vertex);
  }
  sum.position /= max(weights, 1e-6);
  return finish_vertex(sum, vertex);
}

// In model space. `drawn`: which of the drawn characters it is.
SkinnedVertex skin_vertex(uint drawn, Moment moment, uint index, MeshVertex vertex, uint bones) {
  if (kMorphs != 0u) vertex = morphed_vertex(moment, index, vertex);
  if (is_posed()) return skin_by_palette(drawn, vertex, bones);
  PosedClips posed = clips_at(moment);
  if (stores_vertices()) return stored_vertex(posed, index, vertex);
  return skin_by_bones(posed, vertex, bones);
}

#endif
