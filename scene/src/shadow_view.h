// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where shadow maps look. Pure.
//
// The sun's maps are cascades: the view is cut into ranges of distance, and each gets a map fitted to a ball around its
// slice of the view. A ball looks the same from everywhere, so a camera that turns changes no map's size; maps are
// placed in whole texels, so one that moves does not make shadows swim.

#include <vector>

#include "throng/scene/scene_view.h"
#include "throng/shaders/shared/scene.h"

namespace throng::detail::scene {

// Where along the view each cascade ends, in world units.
struct CascadeSplits {
  double begin = 0.0;
  std::vector<double> ends = {};  // increasing
};

// Between even and geometric steps, from the nearest thing that a shadow of `casters` can be seen on to the farthest.
// Depends on where the camera is, not on where it looks, and in few large steps, not gradually.
CascadeSplits split_view(const Camera& camera, double aspect, const Bounds& casters, const SceneLook& look,
                         std::uint32_t most);

// Fills the light's axes and the cascades. Where one map of all casters is fine enough, that is the last.
void fit_cascades(gpu::SceneUniforms& to, const Camera& camera, const ViewSettings& settings, const Bounds& casters);

// The crowd near the camera seen from below the ground: all of it when it is small, else a square that moves with the
// camera in whole texels.
gpu::MapUniforms fit_contact_map(const Camera& camera, const Bounds& casters, const SceneLook& look,
                                 std::uint32_t texels);

glm::mat4 clip_from_world(const gpu::SceneUniforms& scene, const gpu::CascadeUniforms& cascade);

}  // namespace throng::detail::scene
