// SPDX-License-Identifier: Apache-2.0
#include "throng/motion/pack_near_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "piece_boxes.h"
#include "throng/base/try.h"
#include "throng/character/codecs/packed_direction.h"
#include "throng/character/parts.h"
#include "throng/math/directions.h"
#include "throng/model/drawn.h"
#include "throng/model/parts.h"
#include "throng/model/rest_surface.h"
#include "throng/pose/pose.h"

namespace throng {
namespace {

using detail::motion::boxes_of;
using detail::motion::InfluenceList;
using detail::motion::VertexInfluence;

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

InfluenceList influences_of(const Mesh& mesh, const NearMeshSettings& settings) {
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
  glm::uvec4 extra{0};
};

// The strongest weight is what the others leave of one.
PackedInfluences packed(std::span<const VertexInfluence> influences, ChunkColumns& columns) {
  PackedInfluences result;
  const auto steps = [&](std::size_t i, double of_one) {
    return i < influences.size() ? static_cast<std::uint32_t>(std::llround(influences[i].weight * of_one)) : 0u;
  };
  for (std::size_t i = 0; i < influences.size(); ++i) {
    const std::uint32_t column = columns.add(influences[i].binding) << (8 * (i % 4));
    (i < 4 ? result.columns : result.extra.x) |= column;
  }
  constexpr double k21Bits = 2097151.0;
  const std::uint32_t second = steps(2, k21Bits);
  result.weights = {steps(1, k21Bits) | second << 21, second >> 11 | steps(3, k21Bits) << 10};
  constexpr double kOfAQuarter = 4.0 * 65535.0;  // the fifth strongest of eight is a fifth at most
  result.extra.y = steps(4, kOfAQuarter) | steps(5, kOfAQuarter) << 16;
  result.extra.z = steps(6, kOfAQuarter) | steps(7, kOfAQuarter) << 16;
  return result;
}

// The arrays of NearMeshData while they grow.
struct Packed {
  std::vector<glm::uvec4> vertices, surfaces, extra;
  std::vector<std::uint32_t> morph_firsts;
  std::vector<gpu::MorphDelta> deltas;
  std::vector<gpu::ChunkRecord> chunks;
  std::vector<std::uint32_t> columns, indices, boxes;
  std::vector<NearPiece> pieces;
  std::vector<std::string> target_names;
};

class Packer {
 public:
  Packer(const Model& model, const NearMeshSettings& settings)
      : model_(model),
        settings_(settings),
        columns_(model.bindings().size()),
        materials_(drawn_materials(model)),
        parts_(part_numbers(model, kMostParts)) {}

  void mesh(std::uint32_t index, const std::vector<glm::dmat4>& palette);
  Packed take() { return std::move(out_); }

 private:
  void vertex(const Mesh& mesh, std::size_t v, const glm::vec3& normal);
  void bind(std::size_t v, std::span<const VertexInfluence> influences);
  void morphs(const Mesh& mesh, std::size_t v);
  void triangles(const Mesh& mesh, bool mirrored);
  std::uint32_t material_of(const Mesh& mesh) const;
  void begin_chunk(std::size_t v, const Mesh& mesh);
  void end_chunk(std::size_t v);

  const Model& model_;
  const NearMeshSettings& settings_;
  ChunkColumns columns_;
  std::size_t mesh_begin_ = 0;            // its first vertex here
  std::span<const glm::dvec4> tangents_;  // none: it has no use for any
  std::size_t chunk_begin_ = 0;           // of the mesh
  std::vector<glm::uvec4> chunk_extra_;
  std::uint32_t targets_ = 0;             // of the meshes so far
  std::vector<std::uint32_t> materials_;  // that anything is drawn with
  std::vector<std::uint8_t> parts_;       // of the meshes
  Packed out_;
};

// In mesh space, the tangent's side too: bones that mirror change it as they are played.
void Packer::vertex(const Mesh& mesh, std::size_t v, const glm::vec3& normal) {
  const glm::vec3& p = mesh.positions[v];
  std::uint32_t tangent = gpu::kNoTangent;
  if (!tangents_.empty() && glm::length(glm::vec3(tangents_[v])) > 0.0f)
    tangent = packed_tangent(glm::vec3(tangents_[v]), tangents_[v].w < 0.0);
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
  chunk_extra_.push_back(words.extra);
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
  out_.morph_firsts.push_back(narrow(out_.deltas.size()));
}

// Those of a mesh that rests mirrored are turned to face outwards again.
void Packer::triangles(const Mesh& mesh, bool mirrored) {
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    out_.indices.push_back(mesh.indices[i]);
    out_.indices.push_back(mesh.indices[i + (mirrored ? 2 : 1)]);
    out_.indices.push_back(mesh.indices[i + (mirrored ? 1 : 2)]);
  }
}

// A mesh that is not drawn has no say: it takes the first.
std::uint32_t Packer::material_of(const Mesh& mesh) const {
  const auto found = std::ranges::find(materials_, mesh.material);
  return found == materials_.end() ? 0 : narrow(static_cast<std::uint64_t>(found - materials_.begin()));
}

void Packer::begin_chunk(std::size_t v, const Mesh& mesh) {
  chunk_begin_ = v;
  gpu::ChunkRecord chunk{};
  chunk.first_vertex = narrow(mesh_begin_ + v);
  chunk.first_column = narrow(out_.columns.size());
  if (mesh.skin_method == SkinMethod::dual_quaternion) chunk.flags |= gpu::kSkinDual;
  if (!tangents_.empty()) chunk.flags |= gpu::kSkinTangents;
  if (!mesh.morph_targets.empty()) {
    chunk.flags |= gpu::kSkinMorphs;
    chunk.first_morph = narrow(out_.morph_firsts.size());
    out_.morph_firsts.push_back(narrow(out_.deltas.size()));
  }
  out_.chunks.push_back(chunk);
}

void Packer::end_chunk(std::size_t v) {
  gpu::ChunkRecord& chunk = out_.chunks.back();
  chunk.vertex_count = narrow(v - chunk_begin_);
  const std::vector<std::uint32_t> list = columns_.take();
  chunk.column_count = narrow(list.size());
  out_.columns.insert(out_.columns.end(), list.begin(), list.end());
  if ((chunk.flags & gpu::kSkinEight) != 0) {
    chunk.first_extra = narrow(out_.extra.size());
    out_.extra.insert(out_.extra.end(), chunk_extra_.begin(), chunk_extra_.end());
  }
  chunk_extra_.clear();
}

void Packer::mesh(std::uint32_t index, const std::vector<glm::dmat4>& palette) {
  const Mesh& mesh = model_.meshes()[index];
  const InfluenceList influences = influences_of(mesh, settings_);
  mesh_begin_ = out_.surfaces.size();
  const RestSurface own = settings_.surfaces.empty() ? rest_surface(mesh, !mesh.tangents.empty()) : RestSurface{};
  const RestSurface& surface = settings_.surfaces.empty() ? own : settings_.surfaces[index];
  // Only normal maps need tangents.
  tangents_ = {};
  if (model_.materials()[mesh.material].normal_image) tangents_ = surface.tangents;
  NearPiece piece;
  piece.name = mesh.name;
  piece.part = parts_[index];
  piece.material = material_of(mesh);
  piece.first_vertex = narrow(mesh_begin_);
  piece.vertex_count = narrow(mesh.positions.size());
  piece.first_index = narrow(out_.indices.size());
  piece.index_count = narrow(mesh.indices.size() / 3 * 3);
  piece.first_chunk = narrow(out_.chunks.size());
  piece.first_target = targets_;
  piece.target_count = narrow(mesh.morph_targets.size());
  targets_ += piece.target_count;
  append_boxes(boxes_of(model_, mesh, influences), out_.boxes);
  for (const MorphTarget& target : mesh.morph_targets) out_.target_names.push_back(target.name);
  // Morph targets are added as they play; those of a mesh without normals turn none.
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::dvec3 normal = mesh.normals.empty() ? surface.normals[v] : glm::dvec3(mesh.normals[v]);
    vertex(mesh, v, glm::vec3(unit_or(normal, {0.0, 1.0, 0.0})));
    const bool full = v - chunk_begin_ == gpu::kMostChunkVertices || !columns_.has_room_for(influences[v]);
    if (v > 0 && full) end_chunk(v);
    if (v == 0 || full) begin_chunk(v, mesh);
    bind(v, influences[v]);
    if (!mesh.morph_targets.empty()) morphs(mesh, v);
  }
  if (!mesh.positions.empty()) end_chunk(mesh.positions.size());
  piece.chunk_count = narrow(out_.chunks.size()) - piece.first_chunk;
  triangles(mesh, is_mirrored(mesh, palette));
  out_.pieces.push_back(std::move(piece));
}

// One block for all arrays, each aligned as the file's views are.
class Storage {
 public:
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    constexpr std::size_t kAlignment = 16;
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment);
    const std::size_t at = bytes_.size();
    const auto added = as_bytes(values);
    bytes_.insert(bytes_.end(), added.begin(), added.end());
    return at;
  }
  SharedBytes take() { return SharedBytes(std::move(bytes_)); }

 private:
  std::vector<std::byte> bytes_;
};

NearMeshData data_of(Packed packed) {
  NearMeshData data;
  Storage storage;
  const std::array at{storage.add(packed.vertices),     storage.add(packed.surfaces), storage.add(packed.extra),
                      storage.add(packed.morph_firsts), storage.add(packed.deltas),   storage.add(packed.chunks),
                      storage.add(packed.columns),      storage.add(packed.indices),  storage.add(packed.boxes)};
  data.storage = storage.take();
  const auto view = [&]<class T>(std::size_t i, const std::vector<T>& values) {
    return std::span<const T>(reinterpret_cast<const T*>(data.storage.data() + at[i]), values.size());
  };
  data.vertices = view(0, packed.vertices);
  data.surfaces = view(1, packed.surfaces);
  data.extra_influences = view(2, packed.extra);
  data.morph_firsts = view(3, packed.morph_firsts);
  data.deltas = view(4, packed.deltas);
  data.chunks = view(5, packed.chunks);
  data.columns = view(6, packed.columns);
  data.indices = view(7, packed.indices);
  data.boxes = view(8, packed.boxes);
  data.pieces = std::move(packed.pieces);
  data.target_names = std::move(packed.target_names);
  return data;
}

Result<void> check(const Model& model, const NearMeshSettings& settings) {
  if (model.bones().empty() || model.bindings().empty()) return fail("the model has no bones to follow");
  if (!settings.surfaces.empty() && settings.surfaces.size() != model.meshes().size())
    return fail("there are surfaces of {} meshes; the model has {}", settings.surfaces.size(), model.meshes().size());
  for (std::size_t i = 0; i < settings.surfaces.size(); ++i) {
    const RestSurface& surface = settings.surfaces[i];
    const std::size_t vertices = model.meshes()[i].positions.size();
    if (surface.normals.size() != vertices || (!surface.tangents.empty() && surface.tangents.size() != vertices))
      return fail("mesh {} has {} vertices, but its surface {} normals and {} tangents", i, vertices,
                  surface.normals.size(), surface.tangents.size());
  }
  if (settings.influences == 0 || settings.influences > kMostInfluences)
    return fail("{} influences a vertex; there may be 1 to {}", settings.influences, kMostInfluences);
  if (std::ranges::none_of(model.meshes(), is_drawn)) return fail("the model has no triangles");
  return {};
}

}  // namespace

Result<NearMesh> pack_near_mesh(const Model& model, const Motion& motion, const NearMeshSettings& settings) {
  const auto pack = [&]() -> Result<NearMesh> {
    THRONG_CHECK(check(model, settings));
    Packer packer(model, settings);
    const std::vector<glm::dmat4> palette = skinning_palette(model, rest_pose(model));
    for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) packer.mesh(mesh, palette);
    return build_near_mesh(data_of(packer.take()), motion);
  };
  return pack().map_error(
      [&](Error error) { return with_context(fmt::format("model '{}'", model.name()), std::move(error)); });
}

}  // namespace throng
