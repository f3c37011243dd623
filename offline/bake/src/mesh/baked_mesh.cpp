// SPDX-License-Identifier: Apache-2.0
#include "mesh/baked_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "cost.h"
#include "levels/levels.h"
#include "mesh/named_parts.h"
#include "mesh/vertex_order.h"
#include "throng/math/directions.h"
#include "throng/model/drawn.h"
#include "throng/model/parts.h"

namespace throng::detail::bake {
namespace {

// Whole steps of 1/65535 that sum to exactly one: all rounded down, what is left to those that lost most.
std::array<std::uint16_t, 4> quantised(const std::array<float, kInfluences>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::array<std::uint32_t, 4> steps{};
  std::array<double, 4> lost{};
  std::uint32_t left = 65535;
  for (std::size_t i = 0; i < 4; ++i) {
    const double exact = static_cast<double>(weights[i]) / sum * 65535.0;
    steps[i] = std::min(static_cast<std::uint32_t>(exact), left);
    lost[i] = exact - steps[i];
    left -= steps[i];
  }
  while (left > 0) {
    const auto most = static_cast<std::size_t>(std::max_element(lost.begin(), lost.end()) - lost.begin());
    ++steps[most];
    lost[most] -= 1.0;
    --left;
  }
  std::array<std::uint16_t, 4> out{};
  for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<std::uint16_t>(steps[i]);
  return out;
}

// A slot without weight repeats the first column, so that a shader reads no texel it would not read anyway.
void bind(const Influences& influences, const Columns& columns, BakedVertex& vertex) {
  vertex.weights = quantised(influences.weights);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto column = columns.of_binding[influences.bindings[vertex.weights[i] != 0 ? i : 0]];
    vertex.bones[i] = static_cast<std::uint16_t>(column.value_or(0));
  }
}

std::array<std::uint8_t, 4> to_bytes(const glm::vec4& colour) {
  std::array<std::uint8_t, 4> out{};
  for (int i = 0; i < 4; ++i) {
    out[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(std::lround(std::clamp(colour[i], 0.0f, 1.0f) * 255.0f));
  }
  return out;
}

class Appender {
 public:
  // Without columns: vertices stay in mesh space, bound to nothing.
  Appender(const SourceMeshes& source, const Columns* columns, bool tangents, BakedMesh& out)
      : model_(source.model),
        surfaces_(*source.surfaces),
        columns_(columns),
        tangents_(tangents),
        parts_(part_numbers(source.model, kMostParts)),
        out_(out) {
    out.surfaces = source.surfaces;
  }

  void mesh(std::uint32_t mesh_index) {
    const Mesh& mesh = model_.meshes()[mesh_index];
    const RestSurface& surface = surfaces_[mesh_index];
    count(mesh, surface);
    const std::size_t first_vertex = out_.vertices.size();
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    const glm::dmat4 baked_from_mesh = columns_ ? columns_->baked_from_mesh[mesh_index] : glm::dmat4(1.0);
    for (std::uint32_t v = 0; v < count; ++v) vertex(mesh_index, v, surface, baked_from_mesh);
    triangles(mesh, glm::determinant(glm::dmat3(baked_from_mesh)) < 0.0, first_vertex);
    out_.sources.push_back({mesh.node, mesh.primitive, static_cast<std::uint32_t>(first_vertex), count});
  }

  MeshCounts& counts() { return counts_; }

 private:
  void count(const Mesh& mesh, const RestSurface& surface) {
    if (mesh.normals.empty()) ++counts_.meshes_without_normals;
    if (!tangents_) return;
    if (mesh.tangents.empty()) ++counts_.meshes_without_tangents;
    counts_.tangents_without_direction += surface.tangents_without_direction;
  }

  void vertex(std::uint32_t mesh_index, std::uint32_t v, const RestSurface& surface,
              const glm::dmat4& baked_from_mesh) {
    const Mesh& mesh = model_.meshes()[mesh_index];
    const glm::dmat3 linear(baked_from_mesh);
    const glm::dvec3 normal = unit_or_up(normal_matrix(linear) * surface.normals[v], counts_.normals_without_direction);
    BakedVertex vertex{};
    vertex.position = glm::vec3(baked_from_mesh * glm::dvec4(surface.positions[v], 1.0));
    vertex.normal = glm::vec3(normal);
    if (!mesh.uvs.empty()) vertex.uv = mesh.uvs[v];
    vertex.colour = mesh.colours.empty() ? std::array<std::uint8_t, 4>{255, 255, 255, 255} : to_bytes(mesh.colours[v]);
    if (columns_) {
      bind(strongest_four(mesh, v), *columns_, vertex);
    } else {
      vertex.weights = {65535, 0, 0, 0};
    }
    if (tangents_) {
      out_.tangents.emplace_back(
          moved_tangent(linear, normal, surface.tangents[v], counts_.tangents_without_direction));
    }
    out_.vertices.push_back(vertex);
    out_.parts.push_back(parts_[mesh_index]);
    out_.origins.push_back(
        {mesh_index, v, surface.positions[v], mesh.normals.empty() ? glm::dvec3(0.0) : surface.normals[v]});
  }

  // A reference that mirrors turns triangles inside out; they are turned back.
  void triangles(const Mesh& mesh, bool mirrored, std::size_t first_vertex) {
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const auto put = [&](std::size_t k) {
        out_.indices.push_back(static_cast<std::uint32_t>(first_vertex + mesh.indices[i + k]));
      };
      put(0);
      put(mirrored ? 2 : 1);
      put(mirrored ? 1 : 2);
    }
  }

  const Model& model_;
  const std::vector<RestSurface>& surfaces_;
  const Columns* columns_;
  bool tangents_;
  std::vector<std::uint8_t> parts_;  // of the meshes
  BakedMesh& out_;
  MeshCounts counts_;
};

// The pictures of a model that an asset takes along, each once.
class KeptImages {
 public:
  KeptImages(const Model& model, BakedMesh& out, std::vector<std::string>& notes)
      : model_(model), out_(out), notes_(notes) {}

  std::optional<std::uint32_t> keep(std::uint32_t index, const std::string& material) {
    const ImageSource& image = model_.images()[index];
    if ((image.mime_type != "image/png" && image.mime_type != "image/jpeg") || image.bytes.size() == 0) {
      notes_.push_back(fmt::format("image '{}' of material '{}' dropped: '{}' is neither PNG nor JPEG", image.name,
                                   material, image.mime_type));
      return std::nullopt;
    }
    const auto [place, is_new] = places_.try_emplace(index, static_cast<std::uint32_t>(out_.images.size()));
    if (is_new) out_.images.push_back(image);
    return place->second;
  }
  void note(std::string text) { notes_.push_back(std::move(text)); }

 private:
  const Model& model_;
  BakedMesh& out_;
  std::vector<std::string>& notes_;
  std::map<std::uint32_t, std::uint32_t> places_;
};

std::uint32_t keep_material(const Model& model, std::uint32_t index, BakedMesh& out, KeptImages& images,
                            bool tangents) {
  Material material = model.materials()[index];
  material.base_colour = glm::clamp(material.base_colour, 0.0f, 1.0f);
  material.alpha_cutoff = std::max(material.alpha_cutoff, 0.0f);
  if (material.base_image) material.base_image = images.keep(*material.base_image, material.name);
  if (material.normal_image && tangents) {
    material.normal_image = images.keep(*material.normal_image, material.name);
  } else if (material.normal_image) {
    material.normal_image.reset();
    images.note(fmt::format(
        "the normal map of material '{}' dropped: it needs tangents; bake with `tangents` to keep it", material.name));
  }
  out.materials.push_back(std::move(material));
  return static_cast<std::uint32_t>(out.materials.size() - 1);
}

void append_all(const Model& model, Appender& append, BakedMesh& out, bool tangents, std::vector<std::string>& notes) {
  KeptImages images(model, out, notes);
  std::optional<std::uint32_t> material;
  for (const std::uint32_t mesh : drawn_by_material(model)) {
    if (material != model.meshes()[mesh].material) {
      material = model.meshes()[mesh].material;
      const std::uint32_t kept = keep_material(model, *material, out, images, tangents);
      out.draws.push_back({kept, static_cast<std::uint32_t>(out.indices.size()), 0});
    }
    append.mesh(mesh);
    out.draws.back().index_count = static_cast<std::uint32_t>(out.indices.size()) - out.draws.back().first_index;
  }
}

// The triangles of meshes that the rest pose mirrors are turned to face outwards again.
void turn_triangles(const Model& model, const SourcePalette& palette, BakedMesh& mesh) {
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const Mesh& source = model.meshes()[mesh.origins[mesh.indices[i]].mesh];
    if (is_mirrored(source, palette.points)) std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
  }
}

// From mesh space to where the rest pose has it.
void pose_at_rest(const Model& model, BakedMesh& mesh, MeshCounts& counts) {
  const SourcePalette palette(skinning_palette(model, rest_pose(model)));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const VertexOrigin& origin = mesh.origins[v];
    const Mesh& source = model.meshes()[origin.mesh];
    const glm::dmat4 move = blended_matrix(source, origin.vertex, palette.points);
    BakedVertex& vertex = mesh.vertices[v];
    const glm::dvec3 normal =
        unit_or_up(blended_normal(source, origin.vertex, palette.normals, glm::dvec3(vertex.normal)),
                   counts.normals_without_direction);
    vertex.position = glm::vec3(move * glm::dvec4(origin.position, 1.0));
    vertex.normal = glm::vec3(normal);
    if (mesh.tangents.empty()) continue;
    mesh.tangents[v] = glm::vec4(
        moved_tangent(glm::dmat3(move), normal, glm::dvec4(mesh.tangents[v]), counts.tangents_without_direction));
  }
  turn_triangles(model, palette, mesh);
}

void add_coarser(const Model& model, const BakeSettings& settings, const LevelSetting& levels, BakedMesh& mesh) {
  if (settings.levels > 1) {
    // What is wrong with them is for add_parts to say.
    std::vector<std::string> told_later;
    const std::vector<PartGroup> groups = part_groups(model, settings, told_later).value_or(std::vector<PartGroup>());
    const LevelPoses poses(model, mesh, levels.plans, levels.executor, affordable_level_poses(settings));
    add_levels(settings.levels, poses, groups, levels.executor, mesh, levels.progress);
    if (settings.mode == BakeMode::bones) add_fewer_bones(poses, levels.executor, mesh);
  }
  order_triangles(mesh);
}

}  // namespace

BakedMesh make_baked_mesh(const SourceMeshes& source, const Columns& columns, std::vector<std::string>& notes) {
  BakedMesh out;
  Appender append(source, &columns, false, out);
  append_all(source.model, append, out, false, notes);
  append.counts().tell(notes);
  return out;
}

BakedMesh make_baked_mesh(const SourceMeshes& source, const Columns& columns, const BakeSettings& settings,
                          const LevelSetting& levels, std::vector<std::string>& notes) {
  BakedMesh out;
  Appender append(source, &columns, settings.tangents, out);
  append_all(source.model, append, out, settings.tangents, notes);
  append.counts().tell(notes);
  add_coarser(source.model, settings, levels, out);
  order_vertices(out);
  return out;
}

BakedMesh make_rest_mesh(const SourceMeshes& source, const BakeSettings& settings, const LevelSetting& levels,
                         std::vector<std::string>& notes) {
  BakedMesh out;
  Appender append(source, nullptr, settings.tangents, out);
  append_all(source.model, append, out, settings.tangents, notes);
  pose_at_rest(source.model, out, append.counts());
  append.counts().tell(notes);
  add_coarser(source.model, settings, levels, out);
  order_vertices_by_level(out);
  return out;
}

}  // namespace throng::detail::bake
