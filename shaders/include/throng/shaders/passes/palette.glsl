// SPDX-License-Identifier: Apache-2.0
// Poses that pose.comp made, and a vertex on them (set 1, binding 9).
#ifndef THRONG_SHADERS_PALETTE_GLSL
#define THRONG_SHADERS_PALETTE_GLSL
#include "throng/shaders/passes/far_model.glsl"

// For every column a rotation, then position and scale; or, for models that have clips of matrices too, three rows of
// one. Pose by pose: that of each drawn character and, with motion vectors, the one it was shown in last.
#ifdef THRONG_TEXELS
vec4 palette_row(uint at) { return texelFetch(palette_texels, int(at)); }
#else
layout(std430, set = 1, binding = 9) readonly buffer Palette { vec4 palette[]; };
vec4 palette_row(uint at) { return palette[at]; }
#endif

bool has_affine_palette() { return (kEncodings & kAffineEncodings) != 0u; }
uint palette_rows() { return has_affine_palette() ? 3u : 2u; }

uint pose_now(uint drawn) { return kHistory != 0u ? 2u * drawn : drawn; }
uint pose_before(uint drawn) { return 2u * drawn + 1u; }

BoneSample posed_bone(uint pose, uint column) {
  uint row = (pose * kColumns + column) * 2u;
  vec4 place = palette_row(row + 1u);
  return BoneSample(palette_row(row), place.xyz, place.w);
}

AffineSample posed_affine(uint pose, uint column) {
  uint row = (pose * kColumns + column) * 3u;
  return affine_of_rows(palette_row(row), palette_row(row + 1u), palette_row(row + 2u));
}

SkinnedVertex skin_by_palette(uint pose, MeshVertex vertex, uint bones) {
  SkinnedVertex sum = no_vertex();
  float weights = 0.0;
  for (uint i = 0u; i < bones; ++i) {
    float weight = vertex.weights[i];
    if (weight == 0.0) continue;
    weights += weight;
    if (has_affine_palette())
      add_influence(sum, posed_affine(pose, vertex.bones[i]), vec3(0.0), weight, vertex);
    else
      add_influence(sum, posed_bone(pose, vertex.bones[i]), vec3(0.0), weight, vertex);
  }
  return finish_vertex(sum, weights, vertex);
}

// In model space. `pose`: of `moment`, for models whose poses are in the palette.
SkinnedVertex skin_vertex(uint pose, Moment moment, uint index, MeshVertex vertex, uint bones) {
  if (kMorphs != 0u) vertex = morphed_vertex(moment, index, vertex);
#ifndef THRONG_POSED
  if (!is_posed()) {
    PosedClips posed = clips_at(moment);
    if (stores_vertices()) return stored_vertex(posed, index, vertex);
    return skin_by_bones(posed, vertex, bones);
  }
#endif
  return skin_by_palette(pose, vertex, bones);
}

#endif
