#include "near/skinned_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "throng/character/packed_direction.h"
#include "throng/pose/pose.h"

namespace throng::detail::renderer {
namespace {

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

InfluenceList influences_of(const Mesh& mesh, const SkinnedModelSettings& settings) {
  InfluenceList all(mesh.positions.size());
  for (std::size_t v = 0; v < all.size(); ++v) {
    const auto add = [&](std::uint32_t binding, float weight) {
      if (all[v].size() < settings.influences) all[v].push_back({binding, static_cast<double>(weight)});
    };
    for_each_influence(mesh, v, add);
    double sum = 0.0;
    for (const VertexInfluence& influence : all[v]) sum += influence.weight;
    for (VertexInfluence& influence : all[v]) influence.weight /= sum;
  }
  return all;
}

// Of the triangles around each vertex, by their area, as the bake has them for meshes without normals.
std::vector<glm::vec3> face_normals(const Mesh& mesh) {
  std::vector<glm::dvec3> sums(mesh.positions.size(), glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const glm::dvec3 apex(mesh.positions[mesh.indices[i]]);
    const glm::dvec3 twice_area = glm::cross(glm::dvec3(mesh.positions[mesh.indices[i + 1]]) - apex,
                                             glm::dvec3(mesh.positions[mesh.indices[i + 2]]) - apex);
    for (std::size_t k = 0; k < 3; ++k) sums[mesh.indices[i + k]] += twice_area;
  }
  return {sums.begin(), sums.end()};
}

glm::vec3 unit_or_up(const glm::vec3& v) {
  const float length = glm::length(v);
  return length > 1e-30f ? v / length : glm::vec3(0.0f, 1.0f, 0.0f);
}

// Where the first bone of its first vertex mirrors a mesh at rest, its triangles face inwards and are turned.
bool is_mirrored(const Mesh& mesh, const std::vector<glm::dmat4>& palette) {
  return !mesh.influences.empty() && glm::determinant(glm::dmat3(palette[mesh.influences[0].bindings[0]])) < 0.0;
}

// The columns of the chunk that is being filled.
class ChunkColumns {
 public:
  explicit ChunkColumns(std::size_t bindings) : places_(bindings) {}

  bool has_room_for(std::span<const VertexInfluence> influences) const {
    std::size_t missing = 0;
    for (const VertexInfluence& influence : influences) missing += places_[influence.binding] ? 0 : 1;
    return list_.size() + missing <= gpu::kMostChunkColumns;
  }
  std::uint32_t add(std::uint32_t binding) {
    std::optional<std::uint32_t>& place = places_[binding];
    if (!place) {
      place = narrow(list_.size());
      list_.push_back(binding);
    }
    return *place;
  }
  std::vector<std::uint32_t> take() {
    for (const std::uint32_t binding : list_) places_[binding].reset();
    return std::exchange(list_, {});
  }

 private:
  std::vector<std::optional<std::uint32_t>> places_;
  std::vector<std::uint32_t> list_;
};

struct PackedInfluences {
  std::uint32_t columns = 0;
  glm::uvec2 weights{0};
  glm::uvec4 more{0};
};

// The strongest weight is what the others leave of one.
PackedInfluences packed(std::span<const VertexInfluence> influences, ChunkColumns& columns) {
  PackedInfluences result;
  const auto steps = [&](std::size_t i, double of_one) {
    return i < influences.size() ? static_cast<std::uint32_t>(std::llround(influences[i].weight * of_one)) : 0u;
  };
  for (std::size_t i = 0; i < influences.size(); ++i) {
    const std::uint32_t column = columns.add(influences[i].binding) << (8 * (i % 4));
    (i < 4 ? result.columns : result.more.x) |= column;
  }
  constexpr double k21Bits = 2097151.0;
  const std::uint32_t second = steps(2, k21Bits);
  result.weights = {steps(1, k21Bits) | second << 21, second >> 11 | steps(3, k21Bits) << 10};
  constexpr double kOfAQuarter = 4.0 * 65535.0;  // the fifth strongest of eight is a fifth at most
  result.more.y = steps(4, kOfAQuarter) | steps(5, kOfAQuarter) << 16;
  result.more.z = steps(6, kOfAQuarter) | steps(7, kOfAQuarter) << 16;
  return result;
}

class Packer {
 public:
  Packer(const Model& model, const SkinnedModelSettings& settings, const SkinnedTotals& first)
      : model_(model), settings_(settings), first_(first), columns_(model.bindings().size()) {}

  void mesh(std::uint32_t index, const std::vector<glm::dmat4>& palette);
  void bindings();
  SkinnedMeshes take() { return std::move(out_); }

 private:
  void vertex(const Mesh& mesh, std::size_t v, const glm::vec3& normal, bool mirrored);
  void bind(std::size_t v, std::span<const VertexInfluence> influences);
  void morphs(const Mesh& mesh, std::size_t v);
  void triangles(const Mesh& mesh, bool mirrored);
  void begin_chunk(std::size_t v, const Mesh& mesh);
  void end_chunk(std::size_t v);

  const Model& model_;
  const SkinnedModelSettings& settings_;
  const SkinnedTotals& first_;
  ChunkColumns columns_;
  std::size_t mesh_begin_ = 0;   // its first vertex here
  std::size_t chunk_begin_ = 0;  // of the mesh
  std::vector<glm::uvec4> chunk_more_;
  std::uint32_t targets_ = 0;  // of the meshes so far
  SkinnedMeshes out_;
};

void Packer::vertex(const Mesh& mesh, std::size_t v, const glm::vec3& normal, bool mirrored) {
  const glm::vec3& p = mesh.positions[v];
  std::uint32_t tangent = gpu::kNoTangent;
  if (!mesh.tangents.empty() && glm::length(glm::vec3(mesh.tangents[v])) > 0.0f)
    tangent = packed_tangent(glm::vec3(mesh.tangents[v]), (mesh.tangents[v].w < 0.0f) != mirrored);
  out_.vertices.emplace_back(std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
                             std::bit_cast<std::uint32_t>(p.z), packed_direction(normal));
  out_.vertices.emplace_back(0, 0, 0, tangent);
  const glm::vec2 uv = mesh.uvs.empty() ? glm::vec2(0.0f) : mesh.uvs[v];
  const glm::vec4 colour = mesh.colours.empty() ? glm::vec4(1.0f) : mesh.colours[v];
  out_.surfaces.emplace_back(std::bit_cast<std::uint32_t>(uv.x), std::bit_cast<std::uint32_t>(uv.y),
                             glm::packUnorm4x8(colour), 0);
}

void Packer::bind(std::size_t v, std::span<const VertexInfluence> influences) {
  const PackedInfluences words = packed(influences, columns_);
  glm::uvec4& to = out_.vertices[(mesh_begin_ + v) * 2 + 1];
  to = {words.columns, words.weights, to.w};
  chunk_more_.push_back(words.more);
  if (influences.size() > 4) out_.chunks.back().flags |= gpu::kSkinEight;
}

void Packer::morphs(const Mesh& mesh, std::size_t v) {
  for (std::uint32_t target = 0; target < mesh.morph_targets.size(); ++target) {
    const MorphTarget& from = mesh.morph_targets[target];
    gpu::MorphDelta delta{};
    delta.target = target;
    if (!from.positions.empty()) delta.position = from.positions[v];
    if (!from.normals.empty() && !mesh.normals.empty()) delta.normal = from.normals[v];
    if (delta.position != glm::vec3(0.0f) || delta.normal != glm::vec3(0.0f)) out_.deltas.push_back(delta);
  }
  out_.morph_firsts.push_back(narrow(first_.deltas + out_.deltas.size()));
}

void Packer::triangles(const Mesh& mesh, bool mirrored) {
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    out_.indices.push_back(mesh.indices[i]);
    out_.indices.push_back(mesh.indices[i + (mirrored ? 2 : 1)]);
    out_.indices.push_back(mesh.indices[i + (mirrored ? 1 : 2)]);
  }
}

void Packer::begin_chunk(std::size_t v, const Mesh& mesh) {
  chunk_begin_ = v;
  gpu::ChunkRecord chunk{};
  chunk.first_vertex = narrow(first_.vertices + mesh_begin_ + v);
  chunk.first_column = narrow(first_.columns + out_.columns.size());
  chunk.first_binding = narrow(first_.bindings);
  if (settings_.method == SkinMethod::dual_quaternion) chunk.flags |= gpu::kSkinDual;
  // Nothing but a normal map reads them.
  if (!mesh.tangents.empty() && model_.materials()[mesh.material].normal_image) chunk.flags |= gpu::kSkinTangents;
  if (!mesh.morph_targets.empty()) {
    chunk.flags |= gpu::kSkinMorphs;
    chunk.first_morph = narrow(first_.morph_firsts + out_.morph_firsts.size());
    out_.morph_firsts.push_back(narrow(first_.deltas + out_.deltas.size()));
  }
  out_.chunks.push_back(chunk);
}

void Packer::end_chunk(std::size_t v) {
  gpu::ChunkRecord& chunk = out_.chunks.back();
  chunk.vertex_count = narrow(v - chunk_begin_);
  const std::vector<std::uint32_t> list = columns_.take();
  chunk.column_count = narrow(list.size());
  out_.columns.insert(out_.columns.end(), list.begin(), list.end());
  out_.column_counts.push_back(chunk.column_count);
  if ((chunk.flags & gpu::kSkinEight) != 0) {
    chunk.first_more = narrow(first_.more + out_.more.size());
    out_.more.insert(out_.more.end(), chunk_more_.begin(), chunk_more_.end());
  }
  chunk_more_.clear();
  out_.features |= chunk.flags;
}

void Packer::mesh(std::uint32_t index, const std::vector<glm::dmat4>& palette) {
  const Mesh& mesh = model_.meshes()[index];
  const bool mirrored = is_mirrored(mesh, palette);
  const InfluenceList influences = influences_of(mesh, settings_);
  mesh_begin_ = out_.surfaces.size();
  SkinnedPart part{.mesh = index, .material = mesh.material};
  part.first_vertex = narrow(first_.vertices + mesh_begin_);
  part.vertex_count = narrow(mesh.positions.size());
  part.first_index = narrow(first_.indices + out_.indices.size());
  part.index_count = narrow(mesh.indices.size() / 3 * 3);
  part.first_chunk = narrow(first_.chunks + out_.chunks.size());
  part.first_target = targets_;
  part.target_count = narrow(mesh.morph_targets.size());
  targets_ += part.target_count;
  part.boxes =
      settings_.method == SkinMethod::linear ? linear_boxes(model_, mesh, influences) : dual_boxes(mesh, influences);
  const std::vector<glm::vec3> normals = mesh.normals.empty() ? face_normals(mesh) : mesh.normals;
  std::vector<bool> used(model_.bindings().size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    vertex(mesh, v, unit_or_up(normals[v]), mirrored);
    const bool full = v - chunk_begin_ == gpu::kMostChunkVertices || !columns_.has_room_for(influences[v]);
    if (v > 0 && full) end_chunk(v);
    if (v == 0 || full) begin_chunk(v, mesh);
    bind(v, influences[v]);
    if (!mesh.morph_targets.empty()) morphs(mesh, v);
    for (const VertexInfluence& influence : influences[v]) used[influence.binding] = true;
  }
  if (!mesh.positions.empty()) end_chunk(mesh.positions.size());
  part.chunk_count = narrow(first_.chunks + out_.chunks.size()) - part.first_chunk;
  for (std::uint32_t binding = 0; binding < used.size(); ++binding)
    if (used[binding]) part.bindings.push_back(binding);
  triangles(mesh, mirrored);
  out_.parts.push_back(std::move(part));
}

void Packer::bindings() {
  for (const Binding& binding : model_.bindings()) {
    const glm::mat4 rows(glm::transpose(binding.bone_from_mesh));
    out_.bindings.push_back({rows[0], rows[1], rows[2]});
  }
}

}  // namespace

SkinnedMeshes skinned_meshes(const Model& model, const SkinnedModelSettings& settings, const SkinnedTotals& first) {
  Packer packer(model, settings, first);
  const std::vector<glm::dmat4> palette = skinning_palette(model, rest_pose(model));
  for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) packer.mesh(mesh, palette);
  packer.bindings();
  return packer.take();
}

SkinnedTotals totals_of(const SkinnedMeshes& meshes) {
  return {.vertices = meshes.surfaces.size(),
          .more = meshes.more.size(),
          .morph_firsts = meshes.morph_firsts.size(),
          .deltas = meshes.deltas.size(),
          .chunks = meshes.chunks.size(),
          .columns = meshes.columns.size(),
          .bindings = meshes.bindings.size(),
          .indices = meshes.indices.size()};
}

}  // namespace throng::detail::renderer
