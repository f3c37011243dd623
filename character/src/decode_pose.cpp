// SPDX-License-Identifier: Apache-2.0
#include "decode_column.h"
#include "throng/character/codecs/vertex_codecs.h"
#include "throng/math/basis.h"
#include "throng/math/directions.h"

namespace throng {
namespace {

// Decodes items of a vertex-mode clip between the two frames of a cursor.
class VertexItems {
 public:
  VertexItems(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor, double blend)
      : clip_(clip), tangents_(model.tangents_animated), blend_(blend) {
    const FrameLayout frames = frame_layout(model, clip);
    from_ = model.atlas.frame(frames, clip.layer, cursor.frame);
    to_ = model.atlas.frame(frames, clip.layer, cursor.next);
  }

  VertexSample operator[](std::size_t item) const {
    const std::size_t count = words_per_item(clip_.encoding, tangents_);
    const auto decode = [&](std::span<const std::uint32_t> words) {
      return decode_vertex(clip_.encoding, words.subspan(item * count, count), clip_.range, tangents_);
    };
    return interpolate(decode(from_), decode(to_), blend_);
  }

 private:
  const BakedClip& clip_;
  bool tangents_;
  double blend_;
  std::span<const std::uint32_t> from_;
  std::span<const std::uint32_t> to_;
};

}  // namespace

// Directions are blended, so that a column that scales does not count for more.
SkinnedPoint skinned_point(const BakedVertex& vertex, const glm::dvec3& position, const glm::dvec3& normal,
                           std::span<const ColumnMove> moves) {
  SkinnedPoint sum;
  for (std::size_t i = 0; i < vertex.bones.size(); ++i) {
    if (vertex.weights[i] == 0) continue;
    const ColumnMove& move = moves[vertex.bones[i]];
    const double weight = vertex.weights[i] / 65535.0;
    sum.position += weight * (move.linear * position + move.offset);
    sum.normal += weight * unit_or(move.normal * normal, glm::dvec3(0.0));
  }
  sum.normal = unit_or(sum.normal, normal);
  return sum;
}

glm::dvec4 skinned_tangent(const BakedVertex& vertex, const glm::dvec4& tangent, std::span<const ColumnMove> moves) {
  const glm::dvec3 t(tangent);
  glm::dvec3 sum(0.0);
  double side = 0.0;
  for (std::size_t i = 0; i < vertex.bones.size(); ++i) {
    if (vertex.weights[i] == 0) continue;
    const ColumnMove& move = moves[vertex.bones[i]];
    const double weight = vertex.weights[i] / 65535.0;
    // A column of scale 0 still turns.
    sum += weight * unit_or(move.linear * t, unit_or(move.normal * t, glm::dvec3(0.0)));
    side += glm::determinant(move.linear) < 0.0 ? -weight : weight;
  }
  return {unit_or(sum, t), side < 0.0 ? -tangent.w : tangent.w};
}

DecodedVertices decode_pose(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor, double blend) {
  DecodedVertices out;
  out.positions.reserve(model.vertices.size());
  out.normals.reserve(model.vertices.size());
  if (model.mode == BakeMode::vertices) {
    const VertexItems items(model, clip, cursor, blend);
    for (std::size_t v = 0; v < model.vertices.size(); ++v) {
      const VertexSample sample = items[v];
      out.positions.push_back(sample.position);
      out.normals.push_back(sample.normal);
      if (model.tangents_animated)
        out.tangents.push_back(sample.tangent);
      else if (!model.tangents.empty())
        out.tangents.emplace_back(model.tangents[v]);
    }
    return out;
  }
  const std::vector<ColumnMove> moves = decode_columns(model, clip, cursor, blend);
  const MorphedMesh mesh = morphed_mesh(model, morph_weights(model, clip, cursor, blend));
  for (std::size_t v = 0; v < model.vertices.size(); ++v) {
    const BakedVertex& vertex = model.vertices.whole()[v];
    const SkinnedPoint point = skinned_point(vertex, mesh.positions[v], mesh.normals[v], moves);
    out.positions.push_back(point.position);
    out.normals.push_back(point.normal);
    if (!model.tangents.empty()) out.tangents.push_back(skinned_tangent(vertex, glm::dvec4(model.tangents[v]), moves));
  }
  return out;
}

glm::dmat4 decode_socket(const CharacterDraft& model, const BakedClip& clip, const BakedSocket& socket,
                         const Cursor& cursor, double blend) {
  if (model.mode == BakeMode::vertices) {
    const VertexItems items(model, clip, cursor, blend);
    const VertexSample first = items[socket.bone];
    const VertexSample second = items[std::size_t{socket.bone} + 1];
    const Basis axes = basis_of(first.normal, second.normal);
    const glm::dvec3& scale = socket.mesh_from_socket.scale;
    return {glm::dvec4(axes.x * scale.x, 0.0), glm::dvec4(axes.y * scale.y, 0.0), glm::dvec4(axes.z * scale.z, 0.0),
            glm::dvec4(first.position, 1.0)};
  }
  const ColumnMove move = detail::character::decode_column(model, clip, cursor, blend, socket.bone);
  glm::dmat4 model_from_mesh(move.linear);
  model_from_mesh[3] = glm::dvec4(move.offset, 1.0);
  return model_from_mesh * to_matrix(socket.mesh_from_socket);
}

}  // namespace throng
