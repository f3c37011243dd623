// SPDX-License-Identifier: Apache-2.0
#include "surfaces/image_check.h"

#include <algorithm>
#include <bit>

#include "throng/math/directions.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {
namespace {

bool is_size(float value) { return is_finite(value) && value >= 0.0f; }

Result<void> check_occluders(const Occluders& occluders) {
  if (occluders.pyramid == VK_NULL_HANDLE) return {};
  const std::uint32_t largest = std::max(occluders.width, occluders.height);
  if (occluders.width == 0 || occluders.height == 0 || largest > 1u << 20)
    return fail("image: occluders of {} × {} pixels; take what DepthPyramid::occluders gives", occluders.width,
                occluders.height);
  // A box as large as the picture is looked up where the picture is one texel.
  if (occluders.levels < static_cast<std::uint32_t>(std::bit_width(std::bit_ceil((largest + 1) / 2))))
    return fail("image: occluders of {} levels for {} pixels; a pyramid goes down to one texel", occluders.levels,
                largest);
  if (!is_finite(occluders.clip_from_world))
    return fail("image: the occluders' clip_from_world holds a number that is not finite; check the last camera");
  if (!is_size(occluders.depth_step))
    return fail("image: the occluders' depth is rounded by {}; it is a finite number", occluders.depth_step);
  return {};
}

}  // namespace

Result<void> check_image(const RendererImage& image) {
  if (!is_finite(image.clip_from_world))
    return fail("image: clip_from_world holds a number that is not finite; check the camera");
  if (1 + image.shadows.size() > gpu::kMostViews)
    return fail("{} shadow passes, but an image has {} at most", image.shadows.size(), gpu::kMostViews - 1);
  for (std::size_t i = 0; i < image.shadows.size(); ++i)
    if (!is_finite(image.shadows[i]))
      return fail("image: the matrix of shadow pass {} holds a number that is not finite; check the light", i);
  if (!is_finite(image.eye)) return fail("image: the eye is at a place that is not a finite number; check the camera");
  if (!is_size(image.pixels) || image.pixels == 0.0f)
    return fail("image: {} pixels a unit; it is height / (2 tan(fov / 2)), a finite number above 0", image.pixels);
  if (!is_size(image.pixel_error))
    return fail("image: a pixel error of {}; it is a finite number, 0 for full detail", image.pixel_error);
  if (!is_size(image.speck_pixels))
    return fail("image: specks of {} pixels; it is a finite number, 0 for none", image.speck_pixels);
  return check_occluders(image.occluders);
}

}  // namespace throng::detail::renderer
