// SPDX-License-Identifier: Apache-2.0
#pragma once
// The node tree: who is whose parent, which nodes the scene shows, and how they become bones.

#include <optional>
#include <vector>

#include "gltf/file/document.h"
#include "throng/model/model.h"

namespace throng::detail::gltf {

struct Hierarchy {
  std::vector<std::optional<std::uint32_t>> parent;
  std::vector<std::uint32_t> root;
  std::vector<std::uint32_t> order;  // parents before children
};

// Fails on a node with two parents and on loops.
Result<Hierarchy> build_hierarchy(const Document& document);

// Sets the scene to import: the one of that name ("scene N" if it has none); without a name the default, else the
// first. A name that is not there is an error that lists those that are.
Result<void> choose_scene(Document& document, std::string_view name);

// Per root node: whether the chosen scene shows it; everything is shown where there are no scenes.
std::vector<bool> scene_roots(const Document& document, const Hierarchy& hierarchy);

// Whether one tree has all of these nodes.
bool have_common_root(const Hierarchy& hierarchy, const std::vector<std::size_t>& nodes);

struct Skeleton {
  std::vector<Bone> bones;
  std::vector<std::optional<std::uint32_t>> bone_of_node;
  std::vector<bool> drawn;   // per node: whether the scene shows what hangs on it
  std::vector<bool> hidden;  // per node: it or one above is not visible
};

// Every node of the scene is a bone, and so is every node of the trees that joints of its skins are in. Where the
// joints of one skin are in several trees, those get a root in common, which is no node of the file.
Skeleton build_skeleton(const Document& document);

// Translation, rotation and scale of a matrix; none where it has shear or perspective. A mirrored matrix gets a
// negative scale on x.
std::optional<Transform> decompose(const glm::dmat4& matrix);

// A node's parent_from_node; its matrix has been checked.
Transform node_transform(const source::Node& node);

std::string node_name(const Document& document, std::size_t node);

}  // namespace throng::detail::gltf
