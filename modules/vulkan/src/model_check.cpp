#include "model_check.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

Result<void> check_atlas(const BakedModel& model, const VkPhysicalDeviceLimits& limits) {
  const Atlas& atlas = model.atlas;
  const std::uint32_t largest = limits.maxImageDimension2D;
  if (atlas.layout.width == 0 || atlas.layout.rows_per_frame == 0 || atlas.height == 0 || atlas.layer_count == 0)
    return fail("the animation texture is empty; bake the model first");
  if (atlas.layout.width > largest || atlas.height > largest)
    return fail("the animation texture is {} × {} but this device takes {} at most; bake with a smaller atlas size",
                atlas.layout.width, atlas.height, largest);
  if (atlas.layer_count > limits.maxImageArrayLayers)
    return fail("the animation texture has {} layers but this device takes {} at most; bake with a larger atlas size",
                atlas.layer_count, limits.maxImageArrayLayers);
  if (atlas.texels.size() != std::size_t{atlas.layout.width} * atlas.height * atlas.layer_count)
    return fail("the animation texture has {} texels, its size says {}", atlas.texels.size(),
                std::size_t{atlas.layout.width} * atlas.height * atlas.layer_count);
  if (std::uint64_t{atlas.layout.width} * atlas.layout.rows_per_frame < model.bones.size())
    return fail("the animation texture has no room for {} bones a frame", model.bones.size());
  return {};
}

Result<void> check_clips(const BakedModel& model) {
  if (model.clips.empty()) return fail("it has no clips");
  const std::uint32_t rows = model.atlas.height / model.atlas.layout.rows_per_frame;
  for (const BakedClip& clip : model.clips)
    if (clip.frame_count == 0 || clip.layer >= model.atlas.layer_count || clip.first_frame > rows ||
        clip.frame_count > rows - clip.first_frame)
      return fail("clip '{}' lies outside the animation texture", clip.name);
  return {};
}

Result<void> check_mesh(const BakedModel& model, const VkPhysicalDeviceLimits& limits) {
  if (model.vertices.empty() || model.indices.empty()) return fail("it has no triangles");
  if (model.bones.empty()) return fail("it has no bones");
  if (model.vertices.size_bytes() > limits.maxStorageBufferRange)
    return fail("its vertices take {} bytes but this device binds {} at most", model.vertices.size_bytes(),
                limits.maxStorageBufferRange);
  for (const BakedVertex& vertex : model.vertices)
    for (const std::uint16_t bone : vertex.bones)
      if (bone >= model.bones.size()) return fail("a vertex is bound to bone {} of {}", bone, model.bones.size());
  const auto last = std::ranges::max_element(model.indices);
  if (*last >= model.vertices.size()) return fail("a triangle uses vertex {} of {}", *last, model.vertices.size());
  if (*last > limits.maxDrawIndexedIndexValue)
    return fail("a triangle uses vertex {} but this device draws vertices up to {}; split the model", *last,
                limits.maxDrawIndexedIndexValue);
  return {};
}

Result<void> check_parts(const BakedModel& model) {
  for (const BakedPart& part : model.parts) {
    if (part.material >= model.materials.size())
      return fail("a part uses material {} of {}", part.material, model.materials.size());
    if (part.first_index > model.indices.size() || part.index_count > model.indices.size() - part.first_index)
      return fail("a part's triangles lie outside the mesh");
  }
  for (const Material& material : model.materials)
    if (material.base_image && *material.base_image >= model.images.size())
      return fail("material '{}' uses image {} of {}", material.name, *material.base_image, model.images.size());
  return {};
}

Result<void> check_placement(const InstanceRecord& instance, std::size_t i) {
  constexpr float kUnitTolerance = 1e-3f;
  const glm::vec3& p = instance.position;
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
    return fail("instance {} is at a place that is not a finite number", i);
  // Mirrored characters would be drawn inside out, and nothing has no direction to face.
  if (!std::isfinite(instance.scale) || instance.scale <= 0.0f)
    return fail("instance {} has scale {}; a scale is a finite number above 0", i, instance.scale);
  const float length = glm::length(instance.rotation);
  if (!(std::abs(length - 1.0f) <= kUnitTolerance))
    return fail("instance {} has a rotation of length {}; normalise the quaternion", i, length);
  return {};
}

}  // namespace

Result<void> check_model(const BakedModel& model, const VkPhysicalDeviceLimits& limits) {
  for (auto checked : {check_atlas(model, limits), check_mesh(model, limits), check_parts(model)})
    if (!checked) return fail(in(model.name, std::move(checked).error()));
  if (auto checked = check_clips(model); !checked) return fail(in(model.name, std::move(checked).error()));
  return {};
}

Result<void> check_instances(std::span<const InstanceRecord> instances, std::size_t clip_count,
                             const VkPhysicalDeviceLimits& limits) {
  if (instances.size_bytes() > limits.maxStorageBufferRange)
    return fail("{} instances take {} bytes but this device binds {} at most; split the crowd", instances.size(),
                instances.size_bytes(), limits.maxStorageBufferRange);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const InstanceRecord& instance = instances[i];
    if (instance.clip >= clip_count) return fail("instance {} plays clip {} of {}", i, instance.clip, clip_count);
    if (auto checked = check_placement(instance, i); !checked) return checked;
  }
  return {};
}

Bounds bounds_of(std::span<const InstanceRecord> instances, std::span<const Bounds> clip_bounds) {
  Bounds all;
  for (const InstanceRecord& instance : instances) {
    const Bounds& box = clip_bounds[instance.clip];
    if (box.empty()) continue;
    const glm::dquat rotation(instance.rotation.w, instance.rotation.x, instance.rotation.y, instance.rotation.z);
    const glm::dmat3 axes = glm::mat3_cast(rotation);
    const double scale = instance.scale;
    const glm::dvec3 centre = axes * (box.centre() * scale) + glm::dvec3(instance.position);
    const glm::dvec3 half = 0.5 * scale * box.size();
    const glm::dvec3 reach = glm::abs(axes[0]) * half.x + glm::abs(axes[1]) * half.y + glm::abs(axes[2]) * half.z;
    all.add(centre - reach);
    all.add(centre + reach);
  }
  return all;
}

}  // namespace throng
