#pragma once
// The CPU truth, in double precision: a pose at any time of a clip, bones in model space, skinned vertices. Everything
// the GPU draws is tested against these functions.

#include <glm/glm.hpp>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// Where every bone is relative to its parent, and how far every morph target is in.
struct Pose {
  std::vector<Transform> bones;                    // parent_from_bone, one per bone
  std::vector<std::vector<double>> morph_weights;  // per mesh, one per target
};

Pose rest_pose(const Model& model);

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

struct SkinnedVertices {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;  // unit length; empty where the mesh has none
};

// What turns normals when `m` moves points: its inverse transpose up to a factor, defined for singular matrices too,
// mirroring with the mesh.
glm::dmat3 normal_matrix(const glm::dmat3& m);

// The vertices of one mesh in model space: morph targets first, then linear blend skinning. A normal is turned by each
// bone's normal matrix and the directions are blended, as shaders do.
SkinnedVertices skin_mesh(const Model& model, std::size_t mesh, const Pose& pose,
                          const std::vector<glm::dmat4>& palette);

// The box around every vertex of every mesh.
Bounds pose_bounds(const Model& model, const Pose& pose);

}  // namespace throng
