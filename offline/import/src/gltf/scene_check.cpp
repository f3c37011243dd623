// Rules for nodes, scenes and skins.

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

#include "gltf/accessor.h"
#include "gltf/formats.h"
#include "gltf/json.h"
#include "gltf/scene.h"

namespace throng::gltf {
namespace {

Result<void> check_transform(const tinygltf::Node& node, const nlohmann::json& json) {
  if (json.contains("matrix")) {
    for (const char* part : {"translation", "rotation", "scale"}) {
      if (json.contains(part)) return fail("has both a matrix and a {}", part);
    }
    if (!decompose(glm::make_mat4(node.matrix.data()))) {
      return fail("has a matrix that is not translation, rotation and scale");
    }
  }
  if (node.rotation.size() == 4) {
    const double length = glm::length(glm::make_vec4(node.rotation.data()));
    if (std::abs(length - 1.0) > kUnitQuaternionTolerance) return fail("has a rotation of length {}, not 1", length);
  }
  return {};
}

Result<void> check_node(const Document& document, const tinygltf::Node& node) {
  if (node.mesh < 0) return {};
  const auto& primitives = document.model.meshes[static_cast<std::size_t>(node.mesh)].primitives;
  const std::size_t targets = primitives.front().targets.size();
  if (!node.weights.empty() && node.weights.size() != targets) {
    return fail("has {} weights for {} morph targets", node.weights.size(), targets);
  }
  const auto skinned = [](const tinygltf::Primitive& primitive) { return primitive.attributes.contains("JOINTS_0"); };
  if (node.skin >= 0 && std::none_of(primitives.begin(), primitives.end(), skinned)) {
    return fail("has a skin, but meshes[{}] has no JOINTS_0", node.mesh);
  }
  return {};
}

Result<void> check_inverse_bind_matrices(const Document& document, const tinygltf::Skin& skin) {
  if (skin.inverseBindMatrices < 0) return {};
  const auto index = static_cast<std::size_t>(skin.inverseBindMatrices);
  const auto& accessor = document.model.accessors[index];
  if (!document.understood[index] || accessor.type != TINYGLTF_TYPE_MAT4 ||
      accessor.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT) {
    return fail("its inverse bind matrices (accessors[{}]) are not 4×4 matrices of floats", index);
  }
  if (accessor.count < skin.joints.size())
    return fail("has {} inverse bind matrices for {} joints", accessor.count, skin.joints.size());
  if (!has_data(document, index)) return {};
  auto values = read_raw(document, index);
  if (!values) return fail(std::move(values));
  constexpr double kLastRowTolerance = 1e-5;
  for (std::size_t i = 0; i < values->size(); i += 4) {
    const double expected = i % 16 == 12 ? 1.0 : 0.0;
    if (!(std::abs((*values)[i + 3] - expected) <= kLastRowTolerance)) {
      return fail("the last row of its inverse bind matrix {} is not 0 0 0 1", i / 16);
    }
  }
  return {};
}

Result<void> check_skin(const Document& document, const tinygltf::Skin& skin, const Hierarchy& h) {
  const auto root_of = [&h](int joint) { return h.root[static_cast<std::size_t>(joint)]; };
  for (const int joint : skin.joints) {
    if (root_of(joint) != root_of(skin.joints.front())) return fail("its joints have no common root");
  }
  // Real files name a node that is above only some of the joints; nothing reads it, so only another tree is refused.
  if (skin.skeleton >= 0 && root_of(skin.skeleton) != root_of(skin.joints.front())) {
    return fail("its skeleton nodes[{}] is not in the tree of its joints", skin.skeleton);
  }
  return check_inverse_bind_matrices(document, skin);
}

}  // namespace

Result<void> check_hierarchy(const Document& document) {
  auto hierarchy = build_hierarchy(document);
  if (!hierarchy) return fail(std::move(hierarchy));
  for (std::size_t s = 0; s < document.model.scenes.size(); ++s) {
    for (const int node : document.model.scenes[s].nodes) {
      if (hierarchy->parent[static_cast<std::size_t>(node)])
        return fail("scenes[{}] lists nodes[{}], which is no root", s, node);
    }
  }
  return {};
}

Result<void> check_nodes(const Document& document) {
  const auto& json = listed(*document.json, "nodes");
  for (std::size_t i = 0; i < document.model.nodes.size(); ++i) {
    const auto& node = document.model.nodes[i];
    auto ok = check_transform(node, json[i]);
    if (ok) ok = check_node(document, node);
    if (!ok) return fail("nodes[{}] {}", i, ok.error().message);
  }
  return {};
}

Result<void> check_skins(const Document& document) {
  auto hierarchy = build_hierarchy(document);
  if (!hierarchy) return fail(std::move(hierarchy));
  for (std::size_t i = 0; i < document.model.skins.size(); ++i) {
    if (auto ok = check_skin(document, document.model.skins[i], *hierarchy); !ok) {
      return fail("skins[{}]: {}", i, ok.error().message);
    }
  }
  const auto shown = scene_roots(document, *hierarchy);
  for (std::size_t i = 0; i < document.model.nodes.size(); ++i) {
    const int skin = document.model.nodes[i].skin;
    if (skin < 0 || !shown[hierarchy->root[i]]) continue;
    const int joint = document.model.skins[static_cast<std::size_t>(skin)].joints.front();
    if (!shown[hierarchy->root[static_cast<std::size_t>(joint)]]) {
      return fail("nodes[{}] is in the scene, but the joints of its skin are not; add nodes[{}] to the scene", i,
                  hierarchy->root[static_cast<std::size_t>(joint)]);
    }
  }
  return {};
}

}  // namespace throng::gltf
