// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conducts the compute passes of an image: those of far characters and those of near ones, in the order they need each
// other, with room for both in the pool.

#include "far/far_pipeline.h"
#include "near/near_pipeline.h"
#include "shared_images.h"

namespace throng::detail::renderer {

// `near`: none where there are far characters only. Nothing was recorded when it is refused before the upload.
Result<void> record_image(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image, SharedImages& images,
                          FarPipeline& far, NearPipeline* near);

// The last image that was recorded is never submitted: what it carried goes with the next one.
void drop_image(SharedImages& images, FarPipeline& far, NearPipeline& near);

}  // namespace throng::detail::renderer
