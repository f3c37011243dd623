// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arithmetic of a picture: camera, shadow maps and look become the uniforms of the shaders. Pure.

#include "throng/scene/scene_renderer.h"
#include "throng/shaders/shared/scene.h"

namespace throng {

// What the shaders are told of view, light, air and shadows.
gpu::SceneUniforms scene_uniforms(const Camera& camera, const SceneSettings& settings, const Bounds& casters);

// Whether the numbers of a camera can be drawn with.
Result<void> check_camera(const Camera& camera);

}  // namespace throng
