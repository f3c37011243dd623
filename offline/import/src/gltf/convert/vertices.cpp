// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/vertices.h"

#include <cmath>

#include "gltf/data/accessor.h"
#include "gltf/data/texture_space.h"
#include "gltf/file/json.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::gltf {
namespace {

template <class Vector>
Result<std::vector<Vector>> read_vectors(const Document& document, std::size_t accessor) {
  THRONG_TRY(auto values, read_floats(document, accessor));
  constexpr auto kWidth = static_cast<std::size_t>(Vector::length());
  std::vector<Vector> vectors(values.size() / kWidth);
  for (std::size_t i = 0; i < values.size(); ++i) {
    vectors[i / kWidth][static_cast<glm::length_t>(i % kWidth)] = values[i];
  }
  return vectors;
}

// Reads an attribute into `out` if the primitive has it.
template <class Vector>
Result<void> read_attribute(const Document& document, const source::Attributes& attributes, const std::string& name,
                            std::vector<Vector>& out) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return {};
  THRONG_TRY(auto values, read_vectors<Vector>(document, found->second));
  out = std::move(values);
  return {};
}

Result<void> read_colours(const Document& document, const source::Attributes& attributes, std::vector<glm::vec4>& out) {
  const auto found = attributes.find("COLOR_0");
  if (found == attributes.end()) return {};
  if (document.model.accessors[found->second].type == ElementType::vec4) {
    return read_attribute(document, attributes, "COLOR_0", out);
  }
  std::vector<glm::vec3> opaque;
  THRONG_CHECK(read_attribute(document, attributes, "COLOR_0", opaque));
  out.reserve(opaque.size());
  for (const glm::vec3& colour : opaque) out.emplace_back(colour, 1.0f);
  return {};
}

// Not std::clamp, which is undefined for NaN.
void clamp_colours(std::vector<glm::vec4>& colours) {
  for (glm::vec4& colour : colours) {
    for (glm::length_t i = 0; i < 4; ++i) {
      if (colour[i] < 0.0f) colour[i] = 0.0f;
      if (colour[i] > 1.0f && std::isfinite(colour[i])) colour[i] = 1.0f;
    }
  }
}

void normalise(std::vector<glm::vec3>& normals, std::uint64_t& zeros) {
  for (glm::vec3& normal : normals) {
    const double length = glm::length(glm::dvec3(normal));
    if (!std::isfinite(length)) continue;  // for mend_numbers
    if (length > 0.0) {
      normal = glm::vec3(glm::dvec3(normal) / length);
    } else {
      normal = {0.0f, 1.0f, 0.0f};
      ++zeros;
    }
  }
}

Result<void> read_tangents(const Document& document, const source::Attributes& attributes, Mesh& mesh,
                           MeshTally& tally) {
  if (!attributes.contains("TANGENT")) return {};
  if (mesh.normals.empty()) {
    ++tally.tangents_alone;
    return {};
  }
  THRONG_CHECK(read_attribute(document, attributes, "TANGENT", mesh.tangents));
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    glm::vec4& tangent = mesh.tangents[v];
    const glm::dvec3 direction(tangent);
    const double length = glm::length(direction);
    if (!std::isfinite(length) || !std::isfinite(tangent.w)) continue;  // for mend_numbers
    if (!(length > 0.0)) ++tally.zero_tangents;
    // Which direction across the normal matters little where the texture gives none.
    const glm::dvec3 unit = length > 0.0 ? direction / length : perpendicular(glm::dvec3(mesh.normals[v]));
    tangent = glm::vec4(glm::vec3(unit), tangent.w < 0.0f ? -1.0f : 1.0f);
  }
  return {};
}

// Exporters agree on a list of names in the mesh's extras.
std::string target_name(const nlohmann::json& mesh, std::size_t target) {
  const auto names = nlohmann::json::json_pointer("/extras/targetNames/" + std::to_string(target));
  if (mesh.contains(names) && mesh[names].is_string()) return mesh[names].get<std::string>();
  return fmt::format("morph target {}", target);
}

}  // namespace

Result<void> read_vertices(Conversion& c, const source::Primitive& primitive, Mesh& mesh) {
  const auto& attributes = primitive.attributes;
  const TextureSpace space = base_colour_space(c.document, primitive.material);
  THRONG_CHECK(read_attribute(c.document, attributes, "POSITION", mesh.positions));
  THRONG_CHECK(read_attribute(c.document, attributes, "NORMAL", mesh.normals));
  THRONG_CHECK(read_attribute(c.document, attributes, fmt::format("TEXCOORD_{}", space.set), mesh.uvs));
  THRONG_CHECK(read_colours(c.document, attributes, mesh.colours));
  clamp_colours(mesh.colours);
  normalise(mesh.normals, c.tally.repairs.normals_fixed);
  THRONG_CHECK(read_tangents(c.document, attributes, mesh, c.tally));
  for (glm::vec2& uv : mesh.uvs) uv = space.apply(uv);
  return {};
}

Result<void> read_morphs(const Document& document, std::size_t node, const source::Primitive& primitive, Mesh& mesh) {
  const std::size_t mesh_index = *document.model.nodes[node].mesh;
  const auto& json = collection_of(*document.json, "meshes")[mesh_index];
  for (std::size_t t = 0; t < primitive.targets.size(); ++t) {
    MorphTarget target{.name = target_name(json, t), .positions = {}, .normals = {}};
    THRONG_CHECK(read_attribute(document, primitive.targets[t], "POSITION", target.positions));
    if (!mesh.normals.empty()) {
      THRONG_CHECK(read_attribute(document, primitive.targets[t], "NORMAL", target.normals));
    }
    // A target that moves neither still has its place among the weights.
    if (target.positions.empty()) target.positions.resize(mesh.positions.size());
    mesh.morph_targets.push_back(std::move(target));
  }
  const auto& node_weights = document.model.nodes[node].weights;
  const auto& mesh_weights = document.model.meshes[mesh_index].weights;
  const auto& weights = node_weights.empty() ? mesh_weights : node_weights;
  mesh.morph_weights.resize(mesh.morph_targets.size());
  for (std::size_t t = 0; t < std::min(weights.size(), mesh.morph_targets.size()); ++t)
    mesh.morph_weights[t] = static_cast<float>(weights[t]);
  return {};
}

}  // namespace throng::detail::gltf
