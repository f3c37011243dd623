// SPDX-License-Identifier: Apache-2.0
#pragma once
// The CPU truth, in double precision: a pose at any time of a clip, bones in model space, skinned vertices. Everything
// the GPU draws is tested against these functions.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/character/skin_method.h"
#include "throng/math/dual_quaternion.h"
#include "throng/model/model.h"

namespace throng {

// Where every bone is relative to its parent, and how far every morph target is in.
struct Pose {
  std::vector<Transform> bones;                    // parent_from_bone, one per bone
  std::vector<std::vector<double>> morph_weights;  // per mesh, one per target
};

Pose rest_pose(const Model& model);  // every bone and morph weight as the model has them without a clip

// The pose at `time` seconds of the clip's own time, clamped to [clip.start, clip.end]. Rotations of linear curves take
// the short arc (slerp); what the clip does not move stays at rest.
Pose sample(const Model& model, const Clip& clip, double time);

// One curve at one time, clamped to its keys; the curve must not be empty.
glm::dvec3 sample_curve(const Curve<glm::vec3>& curve, double time);
glm::dquat sample_curve(const Curve<glm::quat>& curve, double time);

// model_from_bone for every bone.
std::vector<glm::dmat4> model_from_bones(const Model& model, const Pose& pose);

// model_from_mesh for every binding: the skinning matrices of one character.
std::vector<glm::dmat4> skinning_palette(const Model& model, const Pose& pose);

// The vertices of a mesh in a pose, model space.
struct SkinnedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;  // unit length; empty where the mesh has none
};

// Whether a mesh is mirrored in a pose, so that its triangles face inwards: as the first bone of its first vertex says.
bool is_mirrored(const Mesh& mesh, std::span<const glm::dmat4> palette);

// What linear skinning makes of one vertex: the weighted mean of the matrices it follows.
glm::dmat4 blended_matrix(const Mesh& mesh, std::size_t vertex, std::span<const glm::dmat4> palette);
// A vertex's normal, moved by each bone's normal_matrix(), the directions blended by weight. It is not of unit length,
// and may have no length at all.
glm::dvec3 blended_normal(const Mesh& mesh, std::size_t vertex, std::span<const glm::dmat3> normal_palette,
                          const glm::dvec3& normal);

// The vertices of one mesh in model space: morph targets first, then the bones, four or eight of them.
//
// Linear: points by the blended matrix. A normal is turned by each bone's normal matrix and the directions are blended,
// as shaders do.
//
// Dual quaternions, with (rᵢ, dᵢ, sᵢ) those of the vertex's matrices and r₀ the strongest one's:
//
//   r = Σ wᵢ σᵢ rᵢ,   d = Σ wᵢ σᵢ dᵢ,   s = Σ wᵢ sᵢ,   σᵢ = dot(r₀, rᵢ) < 0 ? −1 : 1
//   r, d divided by |r|
//   point  = rotation(r) · (s ⊙ p) + 2 · vector(d · conjugate(r))
//   normal = rotation(r) · (n ⊘ s), normalised
//
// n ⊘ s is taken as ±n ⊙ (s.y s.z, s.z s.x, s.x s.y), − where s.x s.y s.z is negative: the same direction, and one
// where a scale is zero. Where that has no length either, n itself is turned. Vertices of one rigid bone come out as in
// linear.
SkinnedVertices skin_mesh(const Model& model, std::size_t mesh, const Pose& pose,
                          const std::vector<glm::dmat4>& palette, SkinMethod method = SkinMethod::linear);

// The box around every vertex of every mesh.
Bounds pose_bounds(const Model& model, const Pose& pose);

}  // namespace throng
