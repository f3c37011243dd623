#pragma once
// The arithmetic of a picture: camera, shadow maps and look become the uniforms of the shaders. Pure.

#include "throng/shaders/scene.h"
#include "throng/vulkan/scene_renderer.h"

namespace throng {

// An orthographic map of texels × texels that holds all of `casters` as the sun sees them, and the ground their shadows
// fall on. It depends on nothing else: a moving camera does not make shadows swim.
gpu::MapUniforms fit_sun_map(const Bounds& casters, const SceneLook& look, std::uint32_t texels);

// A finer map of what is near the camera, or one of width 0 when `whole` is fine enough there. It moves with the camera
// in whole texels, so shadows do not swim either.
gpu::MapUniforms fit_near_map(const Camera& camera, const Bounds& casters, const SceneLook& look,
                              const gpu::MapUniforms& whole, std::uint32_t texels);

// The crowd seen from below the ground.
gpu::MapUniforms fit_contact_map(const Bounds& casters, const SceneLook& look, std::uint32_t texels);

gpu::SceneUniforms scene_uniforms(const Camera& camera, const SceneSettings& settings, const Bounds& casters);

}  // namespace throng
