#include "baked_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace throng {
namespace {

glm::dvec3 with_morphs(const Mesh& mesh, std::size_t vertex, std::vector<glm::vec3> MorphTarget::*channel,
                       glm::dvec3 value) {
  for (std::size_t target = 0; target < mesh.morph_targets.size(); ++target) {
    const auto& offsets = mesh.morph_targets[target].*channel;
    const double weight = static_cast<double>(mesh.morph_weights[target]);
    if (weight != 0.0 && !offsets.empty()) value += weight * glm::dvec3(offsets[vertex]);
  }
  return value;
}

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

glm::vec3 unit_or_up(const glm::dvec3& n, std::size_t& without_direction) {
  const double length = glm::length(n);
  if (length > 1e-30) return glm::vec3(n / length);
  ++without_direction;
  return {0.0f, 1.0f, 0.0f};
}

std::vector<glm::dvec3> face_normals(const BakedMesh& out, std::size_t first_vertex, std::size_t first_index) {
  std::vector<glm::dvec3> normals(out.vertices.size() - first_vertex, glm::dvec3(0.0));
  for (std::size_t i = first_index; i + 2 < out.indices.size(); i += 3) {
    const auto corner = [&](std::size_t k) { return glm::dvec3(out.vertices[out.indices[i + k]].position); };
    const glm::dvec3 twice_area = glm::cross(corner(1) - corner(0), corner(2) - corner(0));
    for (std::size_t k = 0; k < 3; ++k) normals[out.indices[i + k] - first_vertex] += twice_area;
  }
  return normals;
}

struct Appender {
  const Model& model;
  const Columns& columns;
  BakedMesh& out;
  std::size_t without_direction = 0;
  std::size_t meshes_without_normals = 0;

  void vertex(std::uint32_t mesh_index, std::uint32_t v) {
    const Mesh& mesh = model.meshes()[mesh_index];
    const glm::dmat4& baked_from_mesh = columns.baked_from_mesh[mesh_index];
    VertexOrigin origin{mesh_index, v, with_morphs(mesh, v, &MorphTarget::positions, mesh.positions[v]), {}};
    BakedVertex vertex{};
    vertex.position = glm::vec3(baked_from_mesh * glm::dvec4(origin.position, 1.0));
    if (!mesh.normals.empty()) {
      origin.normal = with_morphs(mesh, v, &MorphTarget::normals, mesh.normals[v]);
      vertex.normal = unit_or_up(normal_matrix(glm::dmat3(baked_from_mesh)) * origin.normal, without_direction);
    }
    if (!mesh.uvs.empty()) vertex.uv = mesh.uvs[v];
    vertex.colour = mesh.colours.empty() ? std::array<std::uint8_t, 4>{255, 255, 255, 255} : to_bytes(mesh.colours[v]);
    bind(mesh.influences[v], columns, vertex);
    out.vertices.push_back(vertex);
    out.origins.push_back(origin);
  }

  // A reference that mirrors turns triangles inside out; they are turned back.
  void triangles(const Mesh& mesh, const glm::dmat4& baked_from_mesh, std::size_t first_vertex) {
    const bool mirrored = glm::determinant(glm::dmat3(baked_from_mesh)) < 0.0;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const auto put = [&](std::size_t k) {
        out.indices.push_back(static_cast<std::uint32_t>(first_vertex + mesh.indices[i + k]));
      };
      put(0);
      put(mirrored ? 2 : 1);
      put(mirrored ? 1 : 2);
    }
  }

  void mesh(std::uint32_t mesh_index) {
    const Mesh& mesh = model.meshes()[mesh_index];
    const std::size_t first_vertex = out.vertices.size();
    const std::size_t first_index = out.indices.size();
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t v = 0; v < count; ++v) vertex(mesh_index, v);
    triangles(mesh, columns.baked_from_mesh[mesh_index], first_vertex);
    out.sources.push_back({mesh.node, mesh.primitive, static_cast<std::uint32_t>(first_vertex), count});
    if (!mesh.normals.empty()) return;
    ++meshes_without_normals;
    const auto normals = face_normals(out, first_vertex, first_index);
    for (std::size_t v = 0; v < normals.size(); ++v) {
      out.vertices[first_vertex + v].normal = unit_or_up(normals[v], without_direction);
    }
  }
};

// Copies the material and, once, its picture.
std::uint32_t keep_material(const Model& model, std::uint32_t index, BakedMesh& out,
                            std::map<std::uint32_t, std::uint32_t>& kept_images, std::vector<std::string>& notes) {
  Material material = model.materials()[index];
  material.base_colour = glm::clamp(material.base_colour, 0.0f, 1.0f);
  material.alpha_cutoff = std::max(material.alpha_cutoff, 0.0f);
  if (material.base_image) {
    const ImageSource& image = model.images()[*material.base_image];
    const bool readable = (image.mime_type == "image/png" || image.mime_type == "image/jpeg") && image.bytes.size() > 0;
    const auto [place, is_new] =
        kept_images.try_emplace(*material.base_image, static_cast<std::uint32_t>(out.images.size()));
    if (readable && is_new) out.images.push_back(image);
    material.base_image = place->second;
    if (!readable) {
      kept_images.erase(place);
      material.base_image.reset();
      notes.push_back(fmt::format("image '{}' of material '{}' dropped: '{}' is neither PNG nor JPEG", image.name,
                                  material.name, image.mime_type));
    }
  }
  out.materials.push_back(std::move(material));
  return static_cast<std::uint32_t>(out.materials.size() - 1);
}

std::vector<std::uint32_t> drawn_by_material(const Model& model) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    if (is_drawn(model.meshes()[mesh])) order.push_back(mesh);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return model.meshes()[a].material < model.meshes()[b].material;
  });
  return order;
}

}  // namespace

BakedMesh make_baked_mesh(const Model& model, const Columns& columns, std::vector<std::string>& notes) {
  BakedMesh out;
  Appender append{model, columns, out};
  std::map<std::uint32_t, std::uint32_t> kept_images;
  std::optional<std::uint32_t> material;
  for (const std::uint32_t mesh : drawn_by_material(model)) {
    if (material != model.meshes()[mesh].material) {
      material = model.meshes()[mesh].material;
      const std::uint32_t kept = keep_material(model, *material, out, kept_images, notes);
      out.parts.push_back({kept, static_cast<std::uint32_t>(out.indices.size()), 0});
    }
    append.mesh(mesh);
    out.parts.back().index_count = static_cast<std::uint32_t>(out.indices.size()) - out.parts.back().first_index;
  }
  if (append.meshes_without_normals > 0) {
    notes.push_back(
        fmt::format("{} meshes have no normals: computed from their triangles", append.meshes_without_normals));
  }
  if (append.without_direction > 0) {
    notes.push_back(fmt::format("{} vertices have a normal without direction: pointed up", append.without_direction));
  }
  return out;
}

}  // namespace throng
