// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/scene.h"

#include <algorithm>
#include <cmath>

#include "gltf/data/accessor.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::gltf {
namespace {

// How far, relative to its largest entry, a matrix may be from one with translation, rotation and scale alone.
constexpr double kShearTolerance = 1e-4;

Result<std::vector<std::optional<std::uint32_t>>> parents(const std::vector<source::Node>& nodes) {
  std::vector<std::optional<std::uint32_t>> parent(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (const std::size_t child : nodes[i].children) {
      auto& slot = parent[child];
      if (slot) return fail("nodes[{}] is a child of both nodes[{}] and nodes[{}]", child, *slot, i);
      slot = i;
    }
  }
  return parent;
}

// Adds one tree, parents before children, without recursion: a chain may be as deep as the file is long.
void add_tree(const std::vector<source::Node>& nodes, std::uint32_t root, Hierarchy& h) {
  std::vector<std::uint32_t> waiting{root};
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    h.order.push_back(node);
    h.root[node] = root;
    const auto& children = nodes[node].children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      waiting.push_back(static_cast<std::uint32_t>(*child));
    }
  }
}

// Unit axes for a matrix whose scales may be zero: a missing axis is any one that completes the others.
glm::dmat3 completed_axes(const glm::dmat3& linear, const glm::dvec3& scale) {
  glm::dmat3 axes(1.0);
  std::vector<int> missing;
  for (int i = 0; i < 3; ++i) {
    if (scale[i] > 0.0)
      axes[i] = linear[i] / scale[i];
    else
      missing.push_back(i);
  }
  if (missing.size() == 3) return glm::dmat3(1.0);
  if (missing.size() == 2) {
    const int kept = 3 - missing[0] - missing[1];
    axes[(kept + 1) % 3] = perpendicular(axes[kept]);
    missing = {(kept + 2) % 3};
  }
  if (missing.size() == 1) {
    const int i = missing[0];
    axes[i] = glm::cross(axes[(i + 1) % 3], axes[(i + 2) % 3]);
  }
  return axes;
}

// Per root node: whether a skin that the scene shows has joints below it, and whether it has some below others too.
struct JointTrees {
  std::vector<bool> used;
  std::vector<bool> joined;
};

JointTrees joint_trees(const Document& document, const Hierarchy& hierarchy, const std::vector<bool>& shown) {
  const auto& nodes = document.model.nodes;
  JointTrees trees{std::vector<bool>(nodes.size()), std::vector<bool>(nodes.size())};
  std::vector<bool> seen(document.model.skins.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const source::Index skin = nodes[node].skin;
    if (!skin || seen[*skin] || !shown[hierarchy.root[node]]) continue;
    seen[*skin] = true;
    const auto& joints = document.model.skins[*skin].joints;
    const bool apart = !have_common_root(hierarchy, joints);
    for (const std::size_t joint : joints) {
      trees.used[hierarchy.root[joint]] = true;
      if (apart) trees.joined[hierarchy.root[joint]] = true;
    }
  }
  return trees;
}

// Whether a node is shown at rest or at any key of a clip: what a clip makes visible is not left out, like FBX's.
std::vector<bool> ever_visible(const Document& document) {
  std::vector<bool> visible;
  for (const source::Node& node : document.model.nodes) visible.push_back(node.visible);
  for (const auto& animation : document.model.animations) {
    for (const auto& channel : animation.channels) {
      if (channel.path != "extensions/KHR_node_visibility/visible" || channel.sampler >= animation.samplers.size())
        continue;
      const auto values = read_raw(document, animation.samplers[channel.sampler].output);
      const bool shows = values && std::any_of(values->begin(), values->end(), [](double v) { return v != 0.0; });
      if (shows) visible[channel.node] = true;
    }
  }
  return visible;
}

std::vector<std::string> scene_names(const source::Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.scenes.size(); ++i) {
    names.push_back(model.scenes[i].name.empty() ? fmt::format("scene {}", i) : model.scenes[i].name);
  }
  return names;
}

}  // namespace

Result<Hierarchy> build_hierarchy(const Document& document) {
  const auto& nodes = document.model.nodes;
  THRONG_TRY(auto parent, parents(nodes));
  Hierarchy h;
  h.parent = std::move(parent);
  h.root.resize(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (!h.parent[i]) add_tree(nodes, i, h);
  }
  // With one parent each, what no root leads to is a loop.
  if (h.order.size() != nodes.size()) {
    std::vector<bool> seen(nodes.size());
    for (const std::uint32_t node : h.order) seen[node] = true;
    const auto lost = std::find(seen.begin(), seen.end(), false) - seen.begin();
    return fail("nodes[{}] is part of a loop of children", lost);
  }
  return h;
}

Result<void> choose_scene(Document& document, std::string_view name) {
  const auto& model = document.model;
  if (model.scenes.empty()) {
    if (name.empty()) return {};
    return fail("no scene is named '{}'; the file has no scenes", name);
  }
  const auto names = scene_names(model);
  if (name.empty()) {
    document.scene = model.default_scene.value_or(0);
    if (names.size() > 1) {
      document.note("of {} scenes '{}' is read; there are: {}", names.size(), names[*document.scene],
                    fmt::join(names, ", "));
    }
    return {};
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return fail("no scene is named '{}'; there are: {}", name, fmt::join(names, ", "));
  document.scene = static_cast<std::size_t>(found - names.begin());
  return {};
}

std::vector<bool> scene_roots(const Document& document, const Hierarchy& hierarchy) {
  const auto& model = document.model;
  std::vector<bool> shown(model.nodes.size());
  if (!document.scene) {
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = !hierarchy.parent[i];
    return shown;
  }
  for (const std::size_t node : model.scenes[*document.scene].nodes) shown[node] = true;
  return shown;
}

bool have_common_root(const Hierarchy& hierarchy, const std::vector<std::size_t>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](std::size_t node) { return hierarchy.root[node] == hierarchy.root[nodes.front()]; });
}

Skeleton build_skeleton(const Document& document) {
  Skeleton skeleton;
  skeleton.bone_of_node.resize(document.model.nodes.size());
  skeleton.drawn.resize(document.model.nodes.size());
  skeleton.hidden.resize(document.model.nodes.size());
  const auto hierarchy = build_hierarchy(document);
  if (!hierarchy) return skeleton;
  const auto shown = scene_roots(document, *hierarchy);
  const JointTrees trees = joint_trees(document, *hierarchy, shown);
  const bool joined = std::find(trees.joined.begin(), trees.joined.end(), true) != trees.joined.end();
  if (joined) skeleton.bones.push_back({.name = "common root", .parent = {}, .rest = {}});
  const std::vector<bool> visible = ever_visible(document);
  for (const std::uint32_t node : hierarchy->order) {
    const std::uint32_t root = hierarchy->root[node];
    const auto parent = hierarchy->parent[node];
    const bool hidden = !visible[node] || (parent && skeleton.hidden[*parent]);
    skeleton.hidden[node] = hidden;
    skeleton.drawn[node] = shown[root] && !hidden;
    if (!shown[root] && !trees.used[root]) continue;
    const std::optional<std::uint32_t> above = trees.joined[root] ? std::optional(0u) : std::nullopt;
    skeleton.bone_of_node[node] = static_cast<std::uint32_t>(skeleton.bones.size());
    skeleton.bones.push_back({.name = node_name(document, node),
                              .parent = parent ? skeleton.bone_of_node[*parent] : above,
                              .rest = node_transform(document.model.nodes[node])});
  }
  return skeleton;
}

std::optional<Transform> decompose(const glm::dmat4& matrix) {
  const glm::dmat3 linear(matrix);
  Transform t;
  t.translation = glm::dvec3(matrix[3]);
  t.scale = {glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2])};
  glm::dmat3 axes = completed_axes(linear, t.scale);
  if (glm::determinant(axes) < 0.0) {
    t.scale.x = -t.scale.x;
    axes[0] = -axes[0];
  }
  t.rotation = glm::normalize(glm::quat_cast(axes));
  const glm::dmat4 again = to_matrix(t);
  double perspective = std::abs(matrix[3][3] - 1.0);
  double shear = 0.0;
  for (int column = 0; column < 3; ++column) {
    perspective = std::max(perspective, std::abs(matrix[column][3]));
    for (int row = 0; row < 3; ++row) shear = std::max(shear, std::abs(again[column][row] - matrix[column][row]));
  }
  const double largest_scale = std::max({std::abs(t.scale.x), t.scale.y, t.scale.z});
  if (!(perspective <= kShearTolerance) || !(shear <= kShearTolerance * largest_scale)) return std::nullopt;
  return t;
}

Transform node_transform(const source::Node& node) {
  if (node.matrix) return decompose(*node.matrix).value_or(Transform{});
  // A rotation without length turns nothing.
  const bool turned = node.rotation && glm::length(*node.rotation) > 0.0;
  return {.translation = node.translation.value_or(glm::dvec3(0.0)),
          .rotation = turned ? glm::normalize(*node.rotation) : glm::dquat(1.0, 0.0, 0.0, 0.0),
          .scale = node.scale.value_or(glm::dvec3(1.0))};
}

std::string node_name(const Document& document, std::size_t node) {
  const std::string& name = document.model.nodes[node].name;
  return name.empty() ? fmt::format("node {}", node) : name;
}

}  // namespace throng::detail::gltf
