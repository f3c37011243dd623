// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arithmetic of a picture: camera, shadow maps and look become the uniforms of the shaders. Pure, and without a
// renderer: pictures that are drawn by other means, as in a browser, have the same view and light.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "throng/math/bounds.h"
#include "throng/scene/camera.h"
#include "throng/scene/scene_look.h"
#include "throng/shaders/shared/scene.h"

namespace throng {

// What that arithmetic asks for of SceneSettings.
struct ViewSettings {
  std::uint32_t width = 1280;
  std::uint32_t height = 720;
  std::uint32_t shadow_size = 2048;
  std::uint32_t cascades = 4;
  std::uint32_t contact_size = 1024;
  bool transparent = false;
  SceneLook look{};
};

// What the shaders are told of view, light, air and shadows.
gpu::SceneUniforms scene_uniforms(const Camera& camera, const ViewSettings& settings, const Bounds& casters);

// What the shadow passes of an image draw with: one matrix a cascade, then the contact map's where there is one.
// Nothing outside a matrix's cube (−1 to 1 across, 0 to 1 along) throws a shadow that its map is asked for.
std::vector<glm::mat4> shadow_passes(const gpu::SceneUniforms& scene);

}  // namespace throng
