// SPDX-License-Identifier: Apache-2.0
#include "fbx/mesh/skins.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::fbx {
namespace {

struct Cluster {
  std::uint16_t binding = 0;
  std::vector<std::int32_t> points;
  std::vector<double> weights;
};

constexpr std::size_t kNumbersOfMatrix = 16;

std::optional<glm::dmat4> matrix_of(const Element* element) {
  if (number_count(element) != kNumbersOfMatrix) return std::nullopt;
  const auto numbers = reals_of(element);
  if (numbers.size() != kNumbersOfMatrix) return std::nullopt;
  // Files have rows of row vectors, glm has columns of column vectors: the same order.
  return are_finite(numbers) ? std::optional(glm::make_mat4(numbers.data())) : std::nullopt;
}

bool invertible(const glm::dmat4& matrix) { return std::abs(glm::determinant(glm::dmat3(matrix))) > 0.0; }

// Where a node was when the skin was bound: as its bind pose says, else where it is at rest. In the file's axes.
glm::dmat4 bind_matrix(const Conversion& c, std::uint32_t node) {
  const auto told = c.bind_poses.find(c.rig.scene().nodes[node].id);
  if (told != c.bind_poses.end()) return told->second;
  return glm::inverse(glm::dmat4(c.rig.scene().model_from_file)) * c.rig.rest_matrices()[node];
}

// bone_from_node of the mesh's node at the time the skin was bound.
std::optional<glm::dmat4> bone_from_node(const Conversion& c, const Element& cluster, std::uint32_t bone_node,
                                         std::uint32_t mesh_node) {
  if (const auto told = matrix_of(cluster.child("Transform"))) return told;
  const auto link = matrix_of(cluster.child("TransformLink"));
  const glm::dmat4 model_from_bone = link ? *link : bind_matrix(c, bone_node);
  if (!invertible(model_from_bone)) return std::nullopt;
  return glm::inverse(model_from_bone) * bind_matrix(c, mesh_node);
}

Result<std::uint16_t> find_or_add_binding(Conversion& c, const Binding& binding) {
  c.bindings_of_bone.resize(std::max<std::size_t>(c.bindings_of_bone.size(), binding.bone + 1));
  for (const std::uint16_t known : c.bindings_of_bone[binding.bone]) {
    if (c.draft.bindings[known].bone_from_mesh == binding.bone_from_mesh) return known;
  }
  constexpr std::size_t kMostBindings = 65535;
  if (c.draft.bindings.size() >= kMostBindings) return fail("has more than {} bindings of bones", kMostBindings);
  const auto index = static_cast<std::uint16_t>(c.draft.bindings.size());
  c.draft.bindings.push_back(binding);
  c.bindings_of_bone[binding.bone].push_back(index);
  return index;
}

Result<void> check_numbers(Conversion& c, const Object& cluster, const std::vector<double>& weights) {
  for (const double weight : weights) {
    if (weight >= 0.0 && std::isfinite(weight)) continue;
    THRONG_CHECK(c.mender.forgive(import::Fault::negative_weight,
                                  "skin cluster '{}' has a weight that is negative or not finite", cluster.name));
  }
  for (const char* name : {"Transform", "TransformLink"}) {
    const Element* matrix = cluster.element->child(name);
    if (number_count(matrix) != kNumbersOfMatrix || are_finite(reals_of(matrix))) continue;
    THRONG_CHECK(
        c.mender.forgive(import::Fault::matrix, "skin cluster '{}' has a matrix that is not finite", cluster.name));
  }
  return {};
}

struct ClusterTally {
  std::size_t without_bone = 0;
  std::size_t broken = 0;
};

// Every node that shows the skin's geometry reads its clusters anew.
Result<void> pay_for(Conversion& c, const Object& cluster) {
  constexpr std::uint64_t kSteps = 8;
  THRONG_CHECK(c.budget.look(kSteps + c.document.sources_of(cluster.id).size(), "skin clusters"));
  THRONG_CHECK(
      c.budget.spend(2 * sizeof(std::int64_t), number_count(cluster.element->child("Indexes")), "skin clusters"));
  return c.budget.spend(sizeof(double), number_count(cluster.element->child("Weights")), "skin clusters");
}

// Nothing where the cluster names no bone of the scene, or its lists do not fit together.
Result<std::optional<Cluster>> read_cluster(Conversion& c, const Object& object, const MeshSource& mesh,
                                            ClusterTally& tally) {
  THRONG_CHECK(pay_for(c, object));
  const auto bones = c.document.sources_of(object.id, Kind::model);
  auto points = integers_of(object.element->child("Indexes"));
  Cluster cluster{.binding = 0, .points = {}, .weights = reals_of(object.element->child("Weights"))};
  if (bones.empty()) {
    ++tally.without_bone;
    return std::nullopt;
  }
  THRONG_CHECK(check_numbers(c, object, cluster.weights));
  const std::uint32_t node = c.rig.scene().node_of.at(bones.front()->id);
  const auto matrix = bone_from_node(c, *object.element, node, mesh.node);
  const bool fits = points && points->size() == cluster.weights.size() && matrix &&
                    std::all_of(points->begin(), points->end(), [&](std::int32_t point) {
                      return point >= 0 && static_cast<std::size_t>(point) < mesh.point_count();
                    });
  if (!fits) {
    ++tally.broken;
    return std::nullopt;
  }
  const glm::dmat4 bone_from_mesh = *matrix * c.rig.scene().nodes[mesh.node].node_from_geometry;
  THRONG_TRY(auto binding, find_or_add_binding(c, {c.rig.bones_of()[node].whole, bone_from_mesh}));
  cluster.binding = binding;
  cluster.points = std::move(*points);
  return cluster;
}

Result<std::vector<Cluster>> read_clusters(Conversion& c, const Object& skin, const MeshSource& mesh) {
  std::vector<Cluster> clusters;
  ClusterTally tally;
  for (const Object* object : c.document.sources_of(skin.id, Kind::cluster)) {
    THRONG_TRY(auto cluster, read_cluster(c, *object, mesh, tally));
    if (cluster) clusters.push_back(std::move(*cluster));
  }
  const std::string& name = c.rig.scene().nodes[mesh.node].name;
  if (tally.without_bone > 0)
    c.note("mesh '{}': {} without a bone left out", name, counted(tally.without_bone, "skin cluster"));
  if (tally.broken > 0) c.note("mesh '{}': {} left out", name, counted(tally.broken, "broken skin cluster"));
  return clusters;
}

// What binds one point: each binding once, the heaviest first.
std::vector<std::vector<import::BoundWeight>> gather(const std::vector<Cluster>& clusters, std::size_t points) {
  std::vector<std::vector<import::BoundWeight>> all(points);
  for (const Cluster& cluster : clusters) {
    for (std::size_t i = 0; i < cluster.points.size(); ++i) {
      if (!(cluster.weights[i] > 0.0) || !std::isfinite(cluster.weights[i])) continue;
      auto& list = all[static_cast<std::size_t>(cluster.points[i])];
      const auto same = std::find_if(
          list.begin(), list.end(), [&](const import::BoundWeight& known) { return known.binding == cluster.binding; });
      if (same != list.end())
        same->weight += cluster.weights[i];
      else
        list.push_back({cluster.binding, cluster.weights[i]});
    }
  }
  for (auto& list : all) {
    std::stable_sort(list.begin(), list.end(),
                     [](const import::BoundWeight& a, const import::BoundWeight& b) { return a.weight > b.weight; });
  }
  return all;
}

Result<import::KeptInfluences> rigid_influences(Conversion& c, const MeshSource& mesh) {
  const Node& node = c.rig.scene().nodes[mesh.node];
  THRONG_TRY(auto own, find_or_add_binding(c, {c.rig.bones_of()[mesh.node].whole, node.node_from_geometry}));
  return import::bound_rigidly(own);
}

}  // namespace

std::map<ObjectId, glm::dmat4> read_bind_poses(const Document& document) {
  std::map<ObjectId, glm::dmat4> poses;
  for (const Object& pose : document.objects()) {
    if (pose.kind != Kind::pose || pose.type != "BindPose") continue;
    for (const Element& entry : pose.element->children) {
      if (entry.name != "PoseNode") continue;
      const std::string* name = text_at(entry.child("Node"), 0);
      const Object* named = name ? document.find_named(*name) : nullptr;
      const auto id = named ? std::optional(named->id) : integer_at(entry.child("Node"), 0);
      const auto matrix = matrix_of(entry.child("Matrix"));
      if (id && matrix) poses.emplace(*id, *matrix);
    }
  }
  return poses;
}

Blending blending_of(const Document& document, const Object& geometry) {
  const auto skins = document.sources_of(geometry.id, Kind::skin);
  if (skins.empty()) return {};
  const Object& skin = *skins.front();
  const std::string* type = text_at(skin.element->child("SkinningType"), 0);
  if (!type || *type == "Linear" || *type == "Rigid") return {};
  if (*type != "Blend") return {.method = SkinMethod::dual_quaternion};
  const auto amounts = reals_of(skin.element->child("BlendWeights"));
  const auto dual = std::count_if(amounts.begin(), amounts.end(), [](double amount) { return amount > 0.5; });
  const bool mostly = 2 * static_cast<std::size_t>(dual) > amounts.size();
  const double whole = mostly ? 1.0 : 0.0;
  return {.method = mostly ? SkinMethod::dual_quaternion : SkinMethod::linear,
          .mixed = std::any_of(amounts.begin(), amounts.end(), [&](double amount) { return amount != whole; })};
}

Result<std::vector<import::KeptInfluences>> read_influences(Conversion& c, const MeshSource& mesh) {
  const auto skins = c.document.sources_of(mesh.geometry->id, Kind::skin);
  std::vector<std::vector<import::BoundWeight>> weighted(mesh.point_count());
  if (!skins.empty()) {
    THRONG_TRY(auto clusters, read_clusters(c, *skins.front(), mesh));
    weighted = gather(clusters, mesh.point_count());
  }
  const std::string& name = c.rig.scene().nodes[mesh.node].name;
  if (skins.size() > 1) c.note("mesh '{}': {} skins; the first was taken", name, skins.size());
  std::vector<import::KeptInfluences> influences;
  influences.reserve(weighted.size());
  std::optional<import::KeptInfluences> rigid;
  for (const auto& list : weighted) {
    if (!list.empty()) {
      influences.push_back(import::keep_strongest(list, c.most_influences, c.repairs));
      continue;
    }
    if (!rigid) {
      THRONG_TRY(auto own, rigid_influences(c, mesh));
      rigid = own;
    }
    if (!skins.empty()) ++c.repairs.vertices_unweighted;
    influences.push_back(*rigid);
  }
  return influences;
}

void note_repairs(Conversion& c) {
  import::finish_repairs(c.repairs);
  for (const std::string& note : import::notes_of(c.repairs, c.most_influences, "the node of [its|their] mesh"))
    c.note("{}", note);
}

}  // namespace throng::detail::fbx
