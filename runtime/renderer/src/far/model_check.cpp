// SPDX-License-Identifier: Apache-2.0
#include "far/model_check.h"

#include <cmath>

#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::renderer {
namespace {

Result<void> check_atlas(const Atlas& atlas, const VkPhysicalDeviceLimits& limits) {
  const std::uint32_t largest = limits.maxImageDimension2D;
  if (atlas.layout.width > largest || atlas.height > largest)
    return fail("the animation texture is {} × {} but this device takes {} at most; bake with a smaller atlas size",
                atlas.layout.width, atlas.height, largest);
  if (atlas.layer_count > limits.maxImageArrayLayers)
    return fail("the animation texture has {} layers but this device takes {} at most; bake with a larger atlas size",
                atlas.layer_count, limits.maxImageArrayLayers);
  return {};
}

// What a buffer of `what` takes, against what a shader may be shown of it.
Result<void> check_range(std::string_view what, std::uint64_t bytes, const VkPhysicalDeviceLimits& limits) {
  if (bytes <= limits.maxStorageBufferRange) return {};
  return fail("its {} take {} bytes but this device binds {} at most", what, bytes, limits.maxStorageBufferRange);
}

Result<void> check_buffers(const Character& model, const VkPhysicalDeviceLimits& limits) {
  THRONG_CHECK(check_range("vertices", model.vertices().bytes().size(), limits));
  THRONG_CHECK(check_range("clips", model.clips().size() * sizeof(ClipRecord), limits));
  THRONG_CHECK(check_range("pivots and boxes", model.table().size_bytes(), limits));
  const std::size_t last = model.vertices().size() - 1;  // none is past it, and looking for the largest takes a pass
  if (last > limits.maxDrawIndexedIndexValue)
    return fail("a triangle uses vertex {} but this device draws vertices up to {}; split the model", last,
                limits.maxDrawIndexedIndexValue);
  return {};
}

Result<void> check_track(const TrackRecord& track, std::size_t i, std::size_t clip_count) {
  if (track.clip >= clip_count) return fail("instance {} plays clip {} of {}", i, track.clip, clip_count);
  if (track.wrap > gpu::kWrapPingPong) return fail("instance {} plays in mode {}; there are 0, 1 and 2", i, track.wrap);
  return {};
}

}  // namespace

Result<void> check_model(const Character& model, const VkPhysicalDeviceLimits& limits) {
  THRONG_CHECK(check_atlas(model.atlas(), limits));
  return check_buffers(model, limits);
}

Result<void> check_character(const InstanceRecord& instance, const PlayRecord& play, std::size_t i,
                             std::size_t clip_count) {
  const glm::vec3& p = instance.position;
  if (!is_finite(p)) return fail("instance {} is at a place that is not a finite number", i);
  if (!std::isfinite(instance.scale) || instance.scale == 0.0f)
    return fail("instance {} has scale {}; a scale is a finite number above 0, or below it for one that is hidden", i,
                instance.scale);
  const std::uint32_t clip = instance.clips & 0xFFFFu;
  const std::uint32_t previous = instance.clips >> 16;
  if (clip != play.track.clip)
    return fail("instance {} is culled by clip {} but plays clip {}; set both", i, clip, play.track.clip);
  THRONG_CHECK(check_track(play.track, i, clip_count));
  if (previous != gpu::kNoClip && previous >= clip_count)
    return fail("instance {} fades out clip {} of {}", i, previous, clip_count);
  if (play.fade_ticks == 0) return {};
  THRONG_CHECK(check_track(play.previous, i, clip_count));
  if (previous != play.previous.clip && previous != gpu::kNoClip)
    return fail("instance {} is culled by clip {} but fades out clip {}; set both", i, previous, play.previous.clip);
  return {};
}

}  // namespace throng::detail::renderer
