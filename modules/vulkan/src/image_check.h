#pragma once
// Whether the numbers of an image can be drawn with, before any of it is recorded. Pure.

#include "throng/vulkan/scene_renderer.h"

namespace throng {

Result<void> check_image(const CrowdImage& image);
Result<void> check_camera(const Camera& camera);

}  // namespace throng
