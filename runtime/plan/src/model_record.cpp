// SPDX-License-Identifier: Apache-2.0
#include "throng/plan/model_record.h"

#include <algorithm>

#include "throng/shaders/shared/drawing.h"

namespace throng {
namespace {

void take_reach(std::span<const ClipBox> clips, gpu::ModelRecord& record) {
  glm::dvec3 farthest(0.0);  // along each axis, in any clip
  double corner = 0.0, fade = 0.0;
  for (const ClipBox& clip : clips) {
    if (clip.bounds.empty()) continue;
    const glm::dvec3 own = glm::max(glm::abs(clip.bounds.min), glm::abs(clip.bounds.max));
    farthest = glm::max(farthest, own);
    corner = std::max(corner, glm::length(own));
    fade = std::max(fade, clip.fade_reach);
  }
  record.reach = static_cast<float>(corner);
  // A fade's box is around those of both clips, and wider.
  record.fading_reach = static_cast<float>(glm::length(farthest + fade));
}

}  // namespace

std::uint32_t mesh_level_count(const Character& model) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(1 + model.levels().size(), gpu::kMostMeshLevels));
}

gpu::ModelRecord model_record(const Character& model, std::span<const ClipBox> boxes, const LevelQualities& qualities) {
  gpu::ModelRecord record{};
  const glm::dvec3 size = model.bounds().empty() ? glm::dvec3(1.0) : model.bounds().size();
  record.height = static_cast<float>(std::max({size.x, size.y, size.z, 1e-9}));
  record.has_parts = model.vertex_parts().empty() ? 0 : 1;
  take_reach(boxes, record);
  record.mesh_count = mesh_level_count(model);
  record.vertex_counts[0] = static_cast<std::uint32_t>(model.vertices().size());
  for (std::size_t level = 1; level < record.mesh_count; ++level) {
    record.errors[level] = static_cast<float>(level_error(model, level, qualities[level].bones));
    record.vertex_counts[level] = model.levels()[level - 1].vertex_count;
  }
  return record;
}

std::vector<glm::vec4> box_records(const Bounds& model, std::span<const ClipBox> clips) {
  std::vector<glm::vec4> records;
  const auto add = [&records](const Bounds& box, double fade_reach) {
    const Bounds whole = box.empty() ? Bounds{glm::dvec3(0.0), glm::dvec3(0.0)} : box;
    records.emplace_back(glm::vec3(whole.centre()), static_cast<float>(fade_reach));
    records.emplace_back(glm::vec3(0.5 * whole.size()), 0.0f);
  };
  add(model, 0.0);
  for (const ClipBox& clip : clips) add(clip.bounds, clip.fade_reach);
  return records;
}

std::vector<std::uint32_t> counted_parts(const Character& model) {
  static_assert(gpu::kPartsCounted == kMostParts);
  std::vector<std::uint32_t> counts(gpu::kMostMeshLevels * gpu::kPartsCounted, 0);
  const auto parts = model.vertex_parts();
  for (std::size_t level = 0; level < gpu::kMostMeshLevels && level <= model.levels().size(); ++level) {
    const std::size_t used = level == 0 ? parts.size() : model.levels()[level - 1].vertex_count;
    for (std::size_t v = 0; v < used; ++v) ++counts[level * gpu::kPartsCounted + parts[v]];
  }
  return counts;
}

}  // namespace throng
