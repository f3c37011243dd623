// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far coarser surfaces are from the full ones in the poses of the clips: from points all over the full surface to
// the coarser one, and back. Every cluster is held against itself alone: what another hides may be all that somebody
// wears.

#include <functional>
#include <memory>

#include "levels/level_poses.h"
#include "levels/triangle_tree.h"

namespace throng::detail::bake {

using Triangles = std::vector<std::uint32_t>;  // three vertices each

// One cluster of the full mesh, coarser.
struct CoarserSurface {
  std::size_t cluster = 0;
  Triangles triangles;  // at least one
  // What is no further off than that need not be told: it is known to be as far.
  double at_least = 0.0;
};

class LevelMeter {
 public:
  // `full` are the triangles of each cluster of the full mesh, and behind those `clusters` whatever parts of them are
  // to be looked at by themselves; degenerate ones count for nothing. The poses and the executor must outlive this.
  LevelMeter(const LevelPoses& poses, const std::vector<Triangles>& full, std::size_t clusters, Executor& executor);

  // Where all vertices are in the pose in which points are spread.
  std::span<const Float4> base() const { return base_; }

  // How closely it is looked.
  struct Look {
    std::vector<std::size_t> poses;
    std::size_t every = 1;  // of so many points of a surface one is taken
  };
  Look closely() const;

  // The largest distance of each surface from its cluster over the poses, in model units; 0 where that is no more than
  // its `at_least`. The result does not depend on the executor. `done` hears of every pose what share of the work it
  // was.
  using Done = std::function<void(double)>;
  std::vector<double> errors(const std::vector<CoarserSurface>& surfaces, const Look& look,
                             const Done& done = {}) const;

 private:
  struct Full;
  struct Surface;
  struct Run;
  class Worst;
  struct Workspace;

  void find_poses(const std::vector<Triangles>& full);
  std::vector<double> errors_of(std::span<const CoarserSurface> surfaces, const Look& look, const Done& done) const;
  Surface make_surface(const CoarserSurface& coarser, std::size_t every) const;
  std::vector<SurfacePoint> spread(const Triangles& triangles, double count, std::size_t every) const;
  void sort_by_binding(std::vector<SurfacePoint>& points, std::vector<SurfacePoint>& neighbours,
                       std::vector<Run>& runs) const;
  void compare(const std::vector<Surface>& surfaces, std::span<const std::size_t> poses, std::vector<Worst>& worst,
               Workspace& work) const;

  const LevelPoses& poses_;
  Executor& executor_;
  SkinPose base_pose_;  // in which points are spread and find their first neighbours
  std::vector<Float4> base_;
  std::vector<std::uint32_t> only_binding_;        // of each vertex: the one that moves it, or kNoBinding
  std::vector<std::shared_ptr<const Full>> full_;  // the clusters
  double area_ = 0.0;                              // of them all
  // Per cluster and pose, whether the cluster is to be looked at there: what nothing bends is as far from its coarser
  // form in every pose that does not scale it otherwise.
  std::vector<std::vector<std::uint8_t>> looked_at_;
};

}  // namespace throng::detail::bake
