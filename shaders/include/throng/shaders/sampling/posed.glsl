// SPDX-License-Identifier: Apache-2.0
// A pose pass without storage buffers: a fragment shader writes what each column does into two RGBA32UI textures, which
// every device with whole numbers can draw to, and the vertex shader follows them. For models whose bones only turn,
// shift and scale evenly.
#ifndef THRONG_SHADERS_POSED_GLSL
#define THRONG_SHADERS_POSED_GLSL
#include "throng/shaders/sampling/sampling.glsl"
#include "throng/shaders/sampling/texels.glsl"

// How a column moves about the origin, cross-fades blended.
BoneSample pose_column(PosedClips posed, uint column) {
  vec3 pivot = pivot_of(posed.clip, column);
  BoneSample bone = sample_column(posed, column, pivot);
  bone.position -= bone.scale * rotate_by(bone.rotation, pivot);
  return bone;
}

// What the pass writes of it, one to each texture.
uvec4 turn_texel(BoneSample bone) { return floatBitsToUint(bone.rotation); }
uvec4 shift_texel(BoneSample bone) { return floatBitsToUint(vec4(bone.position, bone.scale)); }

// A vertex on its bones, in model space: the first `bones` of its four. `first`: where the character's column 0 is; the
// others follow in the row.
SkinnedVertex skin_by_pose(usampler2D turns, usampler2D shifts, ivec2 first, MeshVertex vertex, uint bones) {
  SkinnedVertex sum = no_vertex();
  float weights = 0.0;
  for (uint i = 0u; i < bones; ++i) {
    float weight = vertex.weights[i];
    if (weight == 0.0) continue;
    weights += weight;
    ivec2 at = first + ivec2(int(vertex.bones[i]), 0);
    vec4 shift = uintBitsToFloat(texelFetch(shifts, at, 0));
    BoneSample bone = make_bone(uintBitsToFloat(texelFetch(turns, at, 0)), shift.xyz, shift.w);
    add_influence(sum, bone, vec3(0.0, 0.0, 0.0), weight, vertex);
  }
  return finish_vertex(sum, weights, vertex);
}

#endif
