#include "throng/asset/baked_model.h"

namespace throng {
namespace {

// v' = linear · v + offset, with the pivot folded in; `rotation` alone is what normals need.
struct BoneMatrix {
  glm::dmat3 rotation;
  glm::dmat3 linear;
  glm::dvec3 offset;
};

BoneMatrix to_bone_matrix(const BoneSample& sample, const glm::dvec3& pivot) {
  BoneMatrix m;
  m.rotation = glm::mat3_cast(sample.rotation);
  m.linear = m.rotation * sample.scale;
  m.offset = sample.position - m.linear * pivot;
  return m;
}

std::vector<BoneMatrix> bone_matrices(const BakedModel& model, const BakedClip& clip, const Cursor& cursor,
                                      double blend) {
  std::vector<BoneMatrix> matrices;
  matrices.reserve(model.bones.size());
  for (std::uint32_t bone = 0; bone < model.bones.size(); ++bone) {
    const BoneSample from = decode_q16(model.atlas.at(clip.layer, cursor.frame, bone), clip.range);
    const BoneSample to = decode_q16(model.atlas.at(clip.layer, cursor.next, bone), clip.range);
    matrices.push_back(to_bone_matrix(interpolate(from, to, blend), glm::dvec3(model.bones[bone].pivot)));
  }
  return matrices;
}

}  // namespace

DecodedVertices decode_pose(const BakedModel& model, const BakedClip& clip, const Cursor& cursor, double blend) {
  const std::vector<BoneMatrix> matrices = bone_matrices(model, clip, cursor, blend);
  DecodedVertices out;
  out.positions.reserve(model.vertices.size());
  out.normals.reserve(model.vertices.size());
  for (const BakedVertex& vertex : model.vertices) {
    const glm::dvec3 v(vertex.position);
    const glm::dvec3 n(vertex.normal);
    glm::dvec3 position(0.0);
    glm::dvec3 normal(0.0);
    for (std::size_t i = 0; i < vertex.bones.size(); ++i) {
      if (vertex.weights[i] == 0) continue;
      const double weight = vertex.weights[i] / 65535.0;
      const BoneMatrix& m = matrices[vertex.bones[i]];
      position += weight * (m.linear * v + m.offset);
      normal += weight * (m.rotation * n);
    }
    const double length = glm::length(normal);
    out.positions.push_back(position);
    out.normals.push_back(length > 0.0 ? normal / length : n);
  }
  return out;
}

}  // namespace throng
