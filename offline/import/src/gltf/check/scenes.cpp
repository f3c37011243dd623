// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/scenes.h"

#include <algorithm>
#include <cmath>

#include "gltf/data/accessor.h"
#include "gltf/data/formats.h"
#include "gltf/data/instances.h"
#include "gltf/data/scene.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

Result<void> check_transform(const source::Node& node, Mender& mender) {
  if (node.matrix) {
    if (node.translation) return fail("has both a matrix and a translation");
    if (node.rotation) return fail("has both a matrix and a rotation");
    if (node.scale) return fail("has both a matrix and a scale");
    if (!decompose(*node.matrix)) return fail("has a matrix that is not translation, rotation and scale");
  }
  if (node.rotation) {
    const double length = glm::length(*node.rotation);
    if (std::abs(length - 1.0) > kUnitQuaternionTolerance)
      return mender.forgive(Fault::node_rotation, "has a rotation of length {}, not 1", length);
  }
  return {};
}

Result<void> check_node(const Document& document, const source::Node& node, Mender& mender) {
  if (!node.mesh) return {};
  const auto& primitives = document.model.meshes[*node.mesh].primitives;
  const std::size_t targets = document.model.meshes[*node.mesh].target_count();
  if (!node.weights.empty() && node.weights.size() != targets) {
    THRONG_CHECK(mender.forgive(Fault::weight_count, "has {} for {}", counted(node.weights.size(), "weight"),
                                counted(targets, "morph target")));
  }
  const auto skinned = [](const source::Primitive& primitive) { return primitive.attributes.contains("JOINTS_0"); };
  if (node.skin && std::none_of(primitives.begin(), primitives.end(), skinned)) {
    return mender.pass_on("has a skin, but meshes[{}] has no JOINTS_0", *node.mesh);
  }
  return {};
}

Result<void> check_inverse_bind_matrices(const Document& document, const source::Skin& skin, Mender& mender) {
  if (!skin.inverse_bind_matrices) return {};
  const std::size_t index = *skin.inverse_bind_matrices;
  const auto& accessor = document.model.accessors[index];
  if (!accessor.understood || accessor.type != ElementType::mat4 || accessor.component_type != kF32) {
    return fail("its inverse bind matrices (accessors[{}]) are not 4×4 matrices of floats", index);
  }
  if (accessor.count < skin.joints.size())
    return fail("has {} inverse bind matrices for {} joints", accessor.count, skin.joints.size());
  if (!has_data(document, index)) return {};
  THRONG_TRY(auto values, read_raw(document, index));
  constexpr double kLastRowTolerance = 1e-5;
  for (std::size_t i = 0; i < values.size(); i += 4) {
    const double expected = i % 16 == 12 ? 1.0 : 0.0;
    // Whoever reads the matrix sets its last row.
    if (!(std::abs(values[i + 3] - expected) <= kLastRowTolerance)) {
      THRONG_CHECK(mender.pass_on("the last row of its inverse bind matrix {} is not 0 0 0 1", i / 16));
    }
  }
  return {};
}

Result<void> check_skin(const Document& document, const source::Skin& skin, const Hierarchy& h, Mender& mender) {
  if (skin.joints.empty()) return {};
  const std::uint32_t root = h.root[skin.joints.front()];
  if (!have_common_root(h, skin.joints)) {
    THRONG_CHECK(mender.forgive(Fault::joints_apart, "its joints have no common root"));
  }
  // Real files name a node that is above only some of the joints; nothing reads it, so only another tree is refused.
  if (skin.skeleton && h.root[*skin.skeleton] != root) {
    THRONG_CHECK(
        mender.forgive(Fault::property, "its skeleton nodes[{}] is not in the tree of its joints", *skin.skeleton));
  }
  return check_inverse_bind_matrices(document, skin, mender);
}

}  // namespace

Result<void> check_hierarchy(const Document& document, Mender& /*mender*/) {
  THRONG_TRY(auto hierarchy, build_hierarchy(document));
  for (std::size_t s = 0; s < document.model.scenes.size(); ++s) {
    for (const std::size_t node : document.model.scenes[s].nodes) {
      if (hierarchy.parent[node]) return fail("scenes[{}] lists nodes[{}], which is no root", s, node);
    }
  }
  return {};
}

Result<void> check_nodes(const Document& document, Mender& mender) {
  for (std::size_t i = 0; i < document.model.nodes.size(); ++i) {
    const auto& node = document.model.nodes[i];
    auto ok = check_transform(node, mender);
    if (ok) ok = check_node(document, node, mender);
    if (ok) ok = check_instances(document, node);
    if (!ok) return fail("nodes[{}] {}", i, ok.error().message);
  }
  return {};
}

Result<void> check_skins(const Document& document, Mender& mender) {
  THRONG_TRY(auto hierarchy, build_hierarchy(document));
  for (std::size_t i = 0; i < document.model.skins.size(); ++i) {
    if (auto ok = check_skin(document, document.model.skins[i], hierarchy, mender); !ok) {
      return fail("skins[{}]: {}", i, ok.error().message);
    }
  }
  const auto shown = scene_roots(document, hierarchy);
  for (std::size_t i = 0; i < document.model.nodes.size(); ++i) {
    const source::Index skin = document.model.nodes[i].skin;
    if (!skin || !shown[hierarchy.root[i]]) continue;
    const auto& joints = document.model.skins[*skin].joints;
    const auto outside =
        std::find_if(joints.begin(), joints.end(), [&](std::size_t joint) { return !shown[hierarchy.root[joint]]; });
    if (outside == joints.end()) continue;
    THRONG_CHECK(
        mender.forgive(Fault::joints_outside,
                       "nodes[{}] is in the scene, but the joints of its skin are not; add nodes[{}] to the scene", i,
                       hierarchy.root[*outside]));
  }
  return {};
}

}  // namespace throng::detail::gltf
