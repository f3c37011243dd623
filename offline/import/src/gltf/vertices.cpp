// Vertex attributes and morph targets of a primitive, decoded, normalised and in the texture space of its material.

#include <cmath>

#include "gltf/accessor.h"
#include "gltf/convert.h"
#include "gltf/json.h"
#include "gltf/texture_space.h"

namespace throng::gltf {
namespace {

template <class Vector>
Result<std::vector<Vector>> read_vectors(const Document& document, int accessor) {
  auto values = read_floats(document, static_cast<std::size_t>(accessor));
  if (!values) return fail(std::move(values));
  constexpr auto kWidth = static_cast<std::size_t>(Vector::length());
  std::vector<Vector> vectors(values->size() / kWidth);
  for (std::size_t i = 0; i < values->size(); ++i) {
    vectors[i / kWidth][static_cast<glm::length_t>(i % kWidth)] = (*values)[i];
  }
  return vectors;
}

// Reads an attribute into `out` if the primitive has it.
template <class Vector>
Result<void> read_attribute(const Document& document, const std::map<std::string, int>& attributes,
                            const std::string& name, std::vector<Vector>& out) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return {};
  auto values = read_vectors<Vector>(document, found->second);
  if (!values) return fail(std::move(values));
  out = std::move(*values);
  return {};
}

Result<void> read_colours(const Document& document, const std::map<std::string, int>& attributes,
                          std::vector<glm::vec4>& out) {
  const auto found = attributes.find("COLOR_0");
  if (found == attributes.end()) return {};
  if (document.model.accessors[static_cast<std::size_t>(found->second)].type == TINYGLTF_TYPE_VEC4) {
    return read_attribute(document, attributes, "COLOR_0", out);
  }
  std::vector<glm::vec3> opaque;
  if (auto ok = read_attribute(document, attributes, "COLOR_0", opaque); !ok) return ok;
  out.reserve(opaque.size());
  for (const glm::vec3& colour : opaque) out.emplace_back(colour, 1.0f);
  return {};
}

void normalise(std::vector<glm::vec3>& normals, std::uint64_t& zeros) {
  for (glm::vec3& normal : normals) {
    const double length = glm::length(glm::dvec3(normal));
    if (length > 0.0) {
      normal = glm::vec3(glm::dvec3(normal) / length);
    } else {
      normal = {0.0f, 1.0f, 0.0f};
      ++zeros;
    }
  }
}

// Some direction across `normal`: which one matters little where the texture gives none.
glm::dvec3 any_across(const glm::vec3& normal) {
  const glm::dvec3 n(normal);
  const glm::dvec3 other = std::abs(n.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
  return glm::normalize(other - n * glm::dot(n, other));
}

Result<void> read_tangents(const Document& document, const std::map<std::string, int>& attributes, Mesh& mesh,
                           MeshTally& tally) {
  if (!attributes.contains("TANGENT")) return {};
  if (mesh.normals.empty()) {
    ++tally.tangents_alone;
    return {};
  }
  if (auto ok = read_attribute(document, attributes, "TANGENT", mesh.tangents); !ok) return ok;
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    glm::vec4& tangent = mesh.tangents[v];
    const glm::dvec3 direction(tangent);
    const double length = glm::length(direction);
    if (!(length > 0.0)) ++tally.zero_tangents;
    const glm::dvec3 unit = length > 0.0 ? direction / length : any_across(mesh.normals[v]);
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

Result<void> read_vertices(Conversion& c, const tinygltf::Primitive& primitive, Mesh& mesh) {
  const auto& attributes = primitive.attributes;
  const TextureSpace space = base_colour_space(c.document, primitive.material);
  if (auto ok = read_attribute(c.document, attributes, "POSITION", mesh.positions); !ok) return ok;
  if (auto ok = read_attribute(c.document, attributes, "NORMAL", mesh.normals); !ok) return ok;
  if (auto ok = read_attribute(c.document, attributes, fmt::format("TEXCOORD_{}", space.set), mesh.uvs); !ok) return ok;
  if (auto ok = read_colours(c.document, attributes, mesh.colours); !ok) return ok;
  normalise(mesh.normals, c.tally.repairs.normals_fixed);
  if (auto ok = read_tangents(c.document, attributes, mesh, c.tally); !ok) return ok;
  for (glm::vec2& uv : mesh.uvs) uv = space.apply(uv);
  return {};
}

Result<void> read_morphs(const Document& document, std::size_t node, const tinygltf::Primitive& primitive, Mesh& mesh) {
  const auto mesh_index = static_cast<std::size_t>(document.model.nodes[node].mesh);
  const auto& json = listed(*document.json, "meshes")[mesh_index];
  for (std::size_t t = 0; t < primitive.targets.size(); ++t) {
    MorphTarget target{.name = target_name(json, t), .positions = {}, .normals = {}};
    if (auto ok = read_attribute(document, primitive.targets[t], "POSITION", target.positions); !ok) return ok;
    if (auto ok = read_attribute(document, primitive.targets[t], "NORMAL", target.normals); !ok) return ok;
    // A target that moves neither still has its place among the weights.
    if (target.positions.empty()) target.positions.resize(mesh.positions.size());
    mesh.morph_targets.push_back(std::move(target));
  }
  const auto& node_weights = document.model.nodes[node].weights;
  const auto& mesh_weights = document.model.meshes[mesh_index].weights;
  const auto& weights = node_weights.empty() ? mesh_weights : node_weights;
  mesh.morph_weights.resize(mesh.morph_targets.size());
  for (std::size_t t = 0; t < weights.size(); ++t) mesh.morph_weights[t] = static_cast<float>(weights[t]);
  return {};
}

}  // namespace throng::gltf
