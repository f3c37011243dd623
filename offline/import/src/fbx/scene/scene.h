// SPDX-License-Identifier: Apache-2.0
#pragma once
// The models of a file as a tree, and how FBX puts them where they are: pivots, offsets, rotations before and after,
// orders of angles, and three ways to inherit a parent's scale.

#include <array>
#include <glm/glm.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fbx/animation/takes.h"
#include "fbx/file/document.h"
#include "throng/math/transform.h"

namespace throng::detail::fbx {

// FBX names them by the order in which rotations and scales of parent (R, S) and child (r, s) apply.
enum class Inherit : std::uint8_t {
  axis_by_axis,  // RrSs: the parent's scale along the child's axes
  normal,        // RSrs
  not_scale,     // Rrs: all but the parent's own scale
};

// What a take moves of a node.
struct LocalValues {
  glm::dvec3 translation{0.0};
  glm::dvec3 angles{0.0};  // degrees
  glm::dvec3 scale{1.0};
  glm::dvec3 before{0.0};  // angles x, y, z of the rotation that comes before
};

struct Node {
  ObjectId id = 0;
  std::string name;
  std::optional<std::uint32_t> parent;  // a smaller index
  Inherit inherit = Inherit::normal;
  LocalValues rest;
  bool visible = true;  // it and what hangs on it
  bool inherits_visibility = true;
  bool shown = true;                      // itself
  std::array<int, 3> axes{0, 1, 2};       // angles apply in this order
  bool turns_before = false;              // LocalValues::before counts
  glm::dquat before{1.0, 0.0, 0.0, 0.0};  // at rest
  glm::dquat after{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 rotation_offset{0.0};
  glm::dvec3 rotation_pivot{0.0};
  glm::dvec3 scaling_offset{0.0};
  glm::dvec3 scaling_pivot{0.0};
  glm::dmat4 node_from_geometry{1.0};
};

struct Scene {
  std::vector<Node> nodes;  // parents before children
  std::map<ObjectId, std::uint32_t> node_of;
  glm::dmat3 model_from_file{1.0};  // axes only: x to the right, y up, z to the front
  double frame_rate = 30.0;
};

// A loop of parents is refused.
Result<Scene> read_scene(Document& document);

glm::dquat rotation_of(const glm::dvec3& degrees, const std::array<int, 3>& axes);

// parent_from_node, but for what inheritance changes.
Transform local_transform(const Node& node, const LocalValues& values);

LocalValues values_at(const Take& take, const Node& node, double time);

}  // namespace throng::detail::fbx
