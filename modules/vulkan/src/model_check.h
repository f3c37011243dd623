#pragma once
// Whether a baked model is whole and fits a device, before any of it is uploaded. Pure.

#include <volk.h>

#include "throng/asset/baked_model.h"

namespace throng {

Result<void> check_model(const BakedModel& model, const VkPhysicalDeviceLimits& limits);

// Every instance plays a clip there is, at a finite place, larger than nothing, turned by a unit quaternion.
Result<void> check_instances(std::span<const InstanceRecord> instances, std::size_t clip_count,
                             const VkPhysicalDeviceLimits& limits);

// The box around all instances, each anywhere in its clip.
Bounds bounds_of(std::span<const InstanceRecord> instances, std::span<const Bounds> clip_bounds);

}  // namespace throng
