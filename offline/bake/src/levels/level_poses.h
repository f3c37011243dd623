// SPDX-License-Identifier: Apache-2.0
#pragma once
// The poses in which a coarser level is held against the full mesh: a bounded number of
// those of the clips that are baked, the most unlike first. What a level is worth shows only there: a tube that can be
// two rings at rest needs more of them where it bends, and what a clip makes larger is further off with it.

#include "levels/pose_choice.h"
#include "mesh/baked_mesh.h"
#include "vertices/vertex_skinner.h"

namespace throng::detail::bake {

class LevelPoses {
 public:
  static constexpr std::size_t kMost = 512;

  // The mesh lies in the order of its source. Without clips there is one pose, the model's at rest. No more than `most`
  // poses are taken. The model must outlive this.
  LevelPoses(const Model& model, const BakedMesh& mesh, const std::vector<ClipPlan>& plans, Executor& executor,
             std::size_t most = kMost);

  std::size_t count() const { return moments_.size(); }
  std::size_t vertex_count() const { return skinner_.vertex_count(); }

  // Where every vertex of the mesh is in a pose, in model space. A coordinate that is out of all range becomes 0.
  void place(std::size_t pose, std::vector<Float4>& positions) const;
  std::vector<Float4> placed(std::size_t pose) const;
  // The same in two steps.
  SkinPose skinned(std::size_t pose) const;
  void place(const SkinPose& pose, std::vector<Float4>& positions) const;

  // How far each vertex is moved in any of the poses where it follows fewer of its bones.
  std::vector<FewerBones> fewer_bones(Executor& executor) const;

  // Whether two vertices are in one place in every pose there may be.
  bool alike(std::uint32_t a, std::uint32_t b) const { return skinner_.alike(a, b); }
  // Whether these move as one piece that nothing bends.
  bool stiff(std::span<const std::uint32_t> vertices) const { return skinner_.stiff(vertices); }
  // See VertexSkinner.
  std::optional<std::uint32_t> only_binding(std::uint32_t vertex) const { return skinner_.only_binding(vertex); }
  std::vector<float> stretches(const SkinPose& from, const SkinPose& to) const { return skinner_.stretches(from, to); }

 private:
  std::vector<ClipPlan> plans_;
  VertexSkinner skinner_;
  std::vector<Moment> moments_;
};

}  // namespace throng::detail::bake
