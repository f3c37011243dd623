// SPDX-License-Identifier: Apache-2.0
#include "fbx/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <set>

#include "fbx/scene/axes.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

constexpr std::array<int, 3> kXyz{0, 1, 2};
constexpr int kDeepestModel = 1000;
constexpr std::array<std::array<int, 3>, 6> kOrders{{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};

glm::dvec3 vector_or(const Document& document, const Object& object, std::string_view name, double otherwise) {
  return document.vector(object, name).value_or(glm::dvec3(otherwise));
}

glm::dmat4 geometric_transform(const Document& document, const Object& model) {
  const Transform t{vector_or(document, model, "GeometricTranslation", 0.0),
                    rotation_of(vector_or(document, model, "GeometricRotation", 0.0), kXyz),
                    vector_or(document, model, "GeometricScaling", 1.0)};
  return to_matrix(t);
}

Inherit inherit_of(const Document& document, const Object& model) {
  const std::int64_t type = document.integer(model, "InheritType", 0);
  if (type == 1) return Inherit::normal;
  return type == 2 ? Inherit::not_scale : Inherit::axis_by_axis;
}

// Without RotationActive the angles are taken as x, y, z and nothing comes before or after them.
void read_rotation_space(const Document& document, const Object& model, Node& node) {
  const bool active =
      document.integer(model, "RotationActive", 1) != 0 && document.integer(model, "RotationSpaceForLimitOnly", 0) == 0;
  if (!active) return;
  const std::int64_t order = document.integer(model, "RotationOrder", 0);
  if (order >= 0 && order < static_cast<std::int64_t>(kOrders.size())) {
    node.axes = kOrders[static_cast<std::size_t>(order)];
  }
  node.turns_before = true;
  node.rest.before = vector_or(document, model, "PreRotation", 0.0);
  node.before = rotation_of(node.rest.before, kXyz);
  node.after = glm::inverse(rotation_of(vector_or(document, model, "PostRotation", 0.0), kXyz));
}

Node read_node(const Document& document, const Object& model) {
  Node node;
  node.id = model.id;
  node.name = model.name.empty() ? fmt::format("node {}", model.id) : model.name;
  node.inherit = inherit_of(document, model);
  node.rest = {vector_or(document, model, "Lcl Translation", 0.0), vector_or(document, model, "Lcl Rotation", 0.0),
               vector_or(document, model, "Lcl Scaling", 1.0), glm::dvec3(0.0)};
  node.visible = document.real(model, "Visibility").value_or(1.0) != 0.0;
  node.shown = document.integer(model, "Show", 1) != 0;
  node.inherits_visibility = document.integer(model, "Visibility Inheritance", 1) != 0;
  read_rotation_space(document, model, node);
  node.rotation_offset = vector_or(document, model, "RotationOffset", 0.0);
  node.rotation_pivot = vector_or(document, model, "RotationPivot", 0.0);
  node.scaling_offset = vector_or(document, model, "ScalingOffset", 0.0);
  node.scaling_pivot = vector_or(document, model, "ScalingPivot", 0.0);
  node.node_from_geometry = geometric_transform(document, model);
  return node;
}

struct Tree {
  std::map<ObjectId, std::vector<const Object*>> children;  // of models, and of the scene
  std::size_t models = 0;
  std::size_t second_parents = 0;
};

std::optional<ObjectId> parent_of(const Document& document, const Object& model, Tree& tree) {
  std::optional<ObjectId> parent;
  for (const Link& link : document.targets_of(model.id)) {
    const Object* target = document.find(link.object);
    if (!link.property.empty() || (link.object != kScene && (!target || target->kind != Kind::model))) continue;
    if (parent && *parent != link.object) ++tree.second_parents;
    if (!parent) parent = link.object;
  }
  return parent;
}

// Siblings in the order of their connections, as the file's author sees them; models that hang on nothing at the end.
Tree read_tree(const Document& document) {
  Tree tree;
  std::map<ObjectId, ObjectId> parents;
  for (const Object& object : document.objects()) {
    if (object.kind != Kind::model) continue;
    parents[object.id] = parent_of(document, object, tree).value_or(kScene);
    ++tree.models;
  }
  std::set<ObjectId> placed;
  const auto place_children = [&](ObjectId parent) {
    for (const Object* child : document.sources_of(parent, Kind::model)) {
      if (parents.at(child->id) == parent && placed.insert(child->id).second) tree.children[parent].push_back(child);
    }
  };
  place_children(kScene);
  for (const auto& [model, parent] : parents) place_children(model);
  for (const Object& object : document.objects()) {
    const bool loose = object.kind == Kind::model && !placed.contains(object.id) && parents.at(object.id) == kScene;
    if (loose) tree.children[kScene].push_back(&object);
  }
  return tree;
}

struct Waiting {
  const Object* model;
  std::optional<std::uint32_t> parent;
  int depth;
};

Result<void> add_nodes(const Document& document, const Tree& tree, Scene& scene) {
  std::vector<Waiting> waiting;
  const auto wait_for_children = [&](ObjectId id, std::optional<std::uint32_t> parent, int depth) {
    const auto found = tree.children.find(id);
    if (found == tree.children.end()) return;
    const auto& children = found->second;
    for (auto child = children.rbegin(); child != children.rend(); ++child) waiting.push_back({*child, parent, depth});
  };
  wait_for_children(kScene, std::nullopt, 1);
  while (!waiting.empty()) {
    const Waiting next = waiting.back();
    waiting.pop_back();
    if (next.depth > kDeepestModel) return fail("has models nested more than {} deep", kDeepestModel);
    const auto index = static_cast<std::uint32_t>(scene.nodes.size());
    if (!scene.node_of.emplace(next.model->id, index).second) continue;
    scene.nodes.push_back(read_node(document, *next.model));
    scene.nodes.back().parent = next.parent;
    wait_for_children(next.model->id, index, next.depth + 1);
  }
  return {};
}

}  // namespace

glm::dquat rotation_of(const glm::dvec3& degrees, const std::array<int, 3>& axes) {
  glm::dquat rotation(1.0, 0.0, 0.0, 0.0);
  for (const int axis : axes) {
    glm::dvec3 direction(0.0);
    direction[axis] = 1.0;
    rotation = glm::angleAxis(glm::radians(degrees[axis]), direction) * rotation;
  }
  return rotation;
}

Transform local_transform(const Node& node, const LocalValues& values) {
  const glm::dquat turned_by = rotation_of(values.angles, node.axes);
  const bool as_at_rest = !node.turns_before || values.before == node.rest.before;
  const glm::dquat before = as_at_rest ? node.before : rotation_of(values.before, kXyz);
  const glm::dquat rotation = glm::normalize(before * turned_by * node.after);
  const glm::dvec3 scaled = node.scaling_offset + node.scaling_pivot - values.scale * node.scaling_pivot;
  const glm::dvec3 turned = rotation * (scaled - node.rotation_pivot);
  return {values.translation + node.rotation_offset + node.rotation_pivot + turned, rotation, values.scale};
}

LocalValues values_at(const Take& take, const Node& node, double time) {
  return {vector_at(take.find(node.id, Moving::translation), node.rest.translation, time),
          vector_at(take.find(node.id, Moving::rotation), node.rest.angles, time),
          vector_at(take.find(node.id, Moving::scale), node.rest.scale, time),
          vector_at(take.find(node.id, Moving::rotation_before), node.rest.before, time)};
}

Result<Scene> read_scene(Document& document) {
  Scene scene;
  THRONG_TRY(auto axes, read_axes(document));
  scene.model_from_file = axes;
  scene.frame_rate = read_frame_rate(document);
  const Tree tree = read_tree(document);
  THRONG_CHECK(add_nodes(document, tree, scene));
  if (scene.nodes.size() != tree.models) {
    for (const Object& object : document.objects()) {
      if (object.kind == Kind::model && !scene.node_of.contains(object.id))
        return fail("model '{}' is part of a loop of parents", object.name);
    }
  }
  if (tree.second_parents > 0) {
    document.notes.push_back(in_number(
        tree.second_parents, "[model with a second parent hangs|models with a second parent hang] on the first"));
  }
  return scene;
}

}  // namespace throng::detail::fbx
