// SPDX-License-Identifier: Apache-2.0
#include "far/far_buffers.h"

#include <algorithm>
#include "throng/base/try.h"

namespace throng::detail::renderer {
namespace {

static_assert(sizeof(gpu::ChangeRecord) == sizeof(InstanceRecord) + sizeof(PlayRecord));

constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                      VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;

// The bytes of one character: its pose and, with motion vectors, the one it was shown in last.
VkDeviceSize palette_bytes(const ModelResources& model) {
  const VkDeviceSize poses = model.motion() ? 2 : 1;
  return model.posed() ? poses * sizeof(glm::vec4) * model.columns() * model.palette_rows() : 0;
}

// Two codes to a word, for whole groups (plan.glsl).
VkDeviceSize code_bytes(std::uint32_t characters) {
  return VkDeviceSize{cull_groups(characters)} * gpu::kCullGroupSize * gpu::kCullRounds / 2 * sizeof(std::uint32_t);
}

}  // namespace

std::uint32_t cull_groups(std::uint32_t characters) {
  constexpr std::uint32_t kEach = gpu::kCullGroupSize * gpu::kCullRounds;
  return (characters + kEach - 1) / kEach;
}

std::uint32_t most_characters(const VkPhysicalDeviceLimits& limits, const ModelResources& model) {
  const VkDeviceSize largest =
      std::max<VkDeviceSize>({sizeof(PlayRecord), palette_bytes(model), gpu::kMostViews * sizeof(std::uint32_t)});
  return static_cast<std::uint32_t>(std::min<VkDeviceSize>(
      limits.maxStorageBufferRange / largest, VkDeviceSize{limits.maxComputeWorkGroupCount[0]} * gpu::kCullGroupSize));
}

Result<FarBuffers> FarBuffers::create(GpuDevice& gpu, const ModelResources& model, std::uint32_t capacity,
                                      std::uint32_t views, bool motion) {
  FarBuffers made;
  made.capacity = capacity;
  made.views = views;
  const VkDeviceSize count = capacity;
  const VkDeviceSize buckets = VkDeviceSize{1 + views} * gpu::kMostLevels;
  struct Need {
    Buffer* into;
    VkDeviceSize bytes;
  };
  for (const Need& need : {Need{&made.instances, count * sizeof(InstanceRecord)},
                           {&made.plays, count * sizeof(PlayRecord)},
                           {&made.drawn, count * (sizeof(gpu::DrawnWords) + sizeof(gpu::FadingWords))},
                           {&made.view_lists, count * views * sizeof(std::uint32_t)},
                           {&made.palette, count * palette_bytes(model)},
                           {&made.codes, code_bytes(capacity)},
                           {&made.group_counts, buckets * cull_groups(capacity) * sizeof(std::uint32_t)}}) {
    THRONG_TRY(*need.into, create_bindable_buffer(gpu, need.bytes, kUsage, MemoryUse::device));
  }
  if (!motion) return made;
  THRONG_TRY(made.history, create_bindable_buffer(gpu, count * sizeof(gpu::HistoryWords), kUsage, MemoryUse::device));
  THRONG_TRY(made.last, create_bindable_buffer(gpu, count * sizeof(gpu::HistoryWords), kUsage, MemoryUse::device));
  return made;
}

void FarBuffers::bind(const DescriptorSets& sets, const ModelResources& model) const {
  model.bind(sets);
  const auto write = [&](ModelBinding binding, const Buffer& buffer) {
    sets.write_buffer(0, static_cast<std::uint32_t>(binding), buffer);
  };
  write(ModelBinding::instances, instances);
  write(ModelBinding::plays, plays);
  write(ModelBinding::drawn, drawn);
  write(ModelBinding::view_lists, view_lists);
  write(ModelBinding::palette, palette);
  write(ModelBinding::codes, codes);
  write(ModelBinding::group_counts, group_counts);
  const bool motion = history.size() > 0;
  write(ModelBinding::history, motion ? history : model.nothing());
  write(ModelBinding::last, motion ? last : model.nothing());
}

Result<void> FarBuffers::bind_texels(const GpuDevice& gpu, ModelSet& set, const ModelResources& model) const {
  THRONG_CHECK(model.bind_texels(gpu, set));
  constexpr VkFormat kFour = VK_FORMAT_R32G32B32A32_UINT;
  THRONG_CHECK(set.write_texels(gpu, ModelBinding::instance_texels, instances, kFour));
  THRONG_CHECK(set.write_texels(gpu, ModelBinding::play_texels, plays, kFour));
  THRONG_CHECK(set.write_texels(gpu, ModelBinding::drawn_texels, drawn, kFour));
  THRONG_CHECK(set.write_texels(gpu, ModelBinding::view_list_texels, view_lists, VK_FORMAT_R32_UINT));
  return set.write_texels(gpu, ModelBinding::palette_texels, palette, VK_FORMAT_R32G32B32A32_SFLOAT);
}

void PendingChanges::replace(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays) {
  clear();
  replaces_ = true;
  instances_.assign(instances.begin(), instances.end());
  plays_.assign(plays.begin(), plays.end());
}

void PendingChanges::change(std::uint32_t index, const InstanceRecord& instance, const PlayRecord& play) {
  if (replaces_) {
    if (index >= instances_.size()) {
      instances_.resize(index + 1);
      plays_.resize(index + 1);
    }
    instances_[index] = instance;
    plays_[index] = play;
    return;
  }
  if (index >= known_.size()) known_.resize(index + std::size_t{1} + known_.size() / 2);
  if (known_[index] == 0) {
    changes_.emplace_back();
    places_.push_back(index);
    known_[index] = static_cast<std::uint32_t>(changes_.size());
  }
  changes_[known_[index] - 1] = {instance, play};
}

void PendingChanges::clear() {
  for (const std::uint32_t place : places_) known_[place] = 0;
  replaces_ = false;
  instances_.clear();
  plays_.clear();
  changes_.clear();
  places_.clear();
}

}  // namespace throng::detail::renderer
