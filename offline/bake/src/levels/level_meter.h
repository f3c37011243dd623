// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far a coarser surface is from the full one in the poses of the clips: from points all over the full surface to
// the coarser one, and back.

#include <functional>

#include "levels/level_poses.h"
#include "levels/triangle_tree.h"

namespace throng::detail::bake {

using Triangles = std::vector<std::uint32_t>;  // three vertices each

class LevelMeter {
 public:
  // `full` are the triangles of the full mesh; degenerate ones count for nothing. The poses and the executor must
  // outlive this.
  LevelMeter(const LevelPoses& poses, const Triangles& full, Executor& executor);

  // The largest distance of each surface from the full one over the poses, in model units. Surfaces have at least one
  // triangle. The result does not depend on the executor. `done` hears of every pose what share of the work it was.
  using Done = std::function<void(double)>;
  std::vector<double> errors(const std::vector<Triangles>& surfaces, const Done& done = {}) const;
  // Over some of the poses.
  std::vector<double> errors(const std::vector<Triangles>& surfaces, const std::vector<std::size_t>& poses,
                             const Done& done = {}) const;

 private:
  struct Surface;
  class Worst;
  struct Workspace;

  Surface make_surface(const Triangles& triangles) const;
  std::vector<SurfacePoint> spread(const Triangles& triangles, double count) const;
  void compare(const std::vector<Surface>& surfaces, std::size_t pose, std::vector<Worst>& worst,
               Workspace& work) const;

  const LevelPoses& poses_;
  Executor& executor_;
  std::vector<Float4> base_;  // the pose in which points are spread and find their first neighbours
  TriangleTree full_;
  std::vector<TriangleTree::Box> full_boxes_;
  std::vector<SurfacePoint> points_;
};

}  // namespace throng::detail::bake
