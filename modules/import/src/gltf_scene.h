#pragma once
// The node tree: who is whose parent, which nodes the scene shows, and how they become bones.

#include <optional>
#include <vector>

#include "gltf_document.h"
#include "throng/model/model.h"

namespace throng::gltf {

struct Hierarchy {
  std::vector<std::optional<std::uint32_t>> parent;
  std::vector<std::uint32_t> root;
  std::vector<std::uint32_t> order;  // parents before children
};

// Fails on a node with two parents and on loops.
Result<Hierarchy> build_hierarchy(const Document& document);

// Per root node: whether the scene to import shows it. The default scene, else the first, else everything.
std::vector<bool> scene_roots(const Document& document, const Hierarchy& hierarchy);

struct Skeleton {
  std::vector<Bone> bones;
  std::vector<std::optional<std::uint32_t>> bone_of_node;
};

// Every node of the scene is a bone.
Skeleton build_skeleton(const Document& document);

// Translation, rotation and scale of a matrix; none where it has shear or perspective. A mirrored matrix gets a
// negative scale on x.
std::optional<Transform> decompose(const glm::dmat4& matrix);

// A node's parent_from_node; its matrix has been checked.
Transform node_transform(const tinygltf::Node& node);

std::string node_name(const Document& document, std::size_t node);

}  // namespace throng::gltf
