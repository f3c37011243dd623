// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether the numbers of an image can be drawn with, before any of it is recorded. Pure.

#include "throng/base/result.h"
#include "throng/renderer/renderer_settings.h"

namespace throng::detail::renderer {

Result<void> check_image(const RendererImage& image);

}  // namespace throng::detail::renderer
