// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute passes of one image: those of far characters and those of near ones, in the order they need each other.

#include "far/crowd_pipeline.h"
#include "near/near_pipeline.h"

namespace throng::detail::renderer {

// `near`: with what it has planned for the image; none: there are far characters only. Nothing was recorded when it is
// refused before the upload.
Result<void> record_image(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image, CrowdPipeline& far,
                          NearPipeline* near);

}  // namespace throng::detail::renderer
