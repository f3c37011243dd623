// SPDX-License-Identifier: Apache-2.0
#pragma once
// Nodes become bones. A node whose uneven scale some children do not inherit becomes two: the second one, below it,
// carries the scale.

#include <vector>

#include "fbx/scene/scene.h"
#include "throng/model/model.h"

namespace throng::detail::fbx {

struct NodeBones {
  std::uint32_t bone = 0;
  std::uint32_t whole = 0;  // with all of the node's scale: what meshes and skins hang on. Mostly the same.

  bool split() const { return bone != whole; }
};

class Rig {
 public:
  Rig(Scene scene, std::vector<Take> takes);

  const Scene& scene() const { return scene_; }
  const std::vector<Take>& takes() const { return takes_; }
  const std::vector<NodeBones>& bones_of() const { return bones_of_; }
  const std::vector<Bone>& bones() const { return bones_; }

  // Whether what lies on a node is seen: by its own word and that of the nodes above. Where a take shows it, it is.
  bool is_shown(std::uint32_t node) const { return visible_[node] && scene_.nodes[node].shown; }

  // parent_from_bone of a node's first bone, and of the one with its scale.
  struct Placed {
    Transform bone;
    glm::dvec3 whole_scale{1.0};  // of the second bone, where there is one
  };
  Placed placed_at(std::uint32_t node, const Take& take, double time) const;

  // How many nodes it takes to place one: itself, and those above whose scales count; a layer above the first counts
  // as another.
  std::size_t effort(std::uint32_t node, const Take& take) const;

  // The curves that move a node's bones: its own, and the scales above that it inherits in its own way.
  std::vector<const KeyCurve*> curves_of(std::uint32_t node, const Take& take) const;

  // model_from_node at rest.
  const std::vector<glm::dmat4>& rest_matrices() const { return rest_matrices_; }

 private:
  // A node's scale along its own axes: all of it, and what its not-inheriting children still get.
  struct Scales {
    glm::dvec3 total{1.0};
    glm::dvec3 base{1.0};
  };
  Scales scales_at(std::uint32_t node, const Take& take, double time) const;
  bool inherits_oddly(std::uint32_t node) const;
  bool own_scale_is(std::uint32_t node, bool (*like)(const glm::dvec3&)) const;
  void look_at_scales();
  void look_at_visibility();
  void add_bones(std::uint32_t node, bool split);
  void work_out_rest();

  Scene scene_;
  std::vector<Take> takes_;
  std::vector<bool> visible_;       // per node: it and those above
  std::vector<bool> unscaled_;      // per node: neither it nor what it inherits in its own way is ever scaled
  std::vector<bool> total_evenly_;  // per node: Scales::total is the same along all axes, always
  std::vector<bool> base_evenly_;
  std::vector<NodeBones> bones_of_;
  std::vector<Bone> bones_;
  std::vector<glm::dmat4> rest_matrices_;
};

}  // namespace throng::detail::fbx
