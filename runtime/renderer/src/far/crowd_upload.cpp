// SPDX-License-Identifier: Apache-2.0
// What a crowd pipeline makes room for and copies to the GPU before its passes run.
#include <algorithm>

#include "far/crowd_pipeline_state.h"
#include "surfaces/view_planes.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng::detail::renderer {
namespace {

gpu::uvec2 split(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

gpu::OccluderRecord record_of(const Occluders& occluders) {
  gpu::OccluderRecord record{};
  record.clip_from_world = occluders.clip_from_world;
  record.size = {static_cast<float>(occluders.width), static_cast<float>(occluders.height)};
  record.sign = occluders.far_is_zero ? 1.0f : -1.0f;
  record.depth_step = occluders.depth_step;
  return record;
}

// A crowd that grows one by one must not get new buffers each time.
std::uint32_t roomy(std::uint32_t count, std::uint32_t most) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(std::uint64_t{count} + count / 2, 64, std::max(most, count)));
}

}  // namespace

// For every character that was taken over, in every view.
Result<void> CrowdPipeline::State::make_view_room(std::uint32_t view_count) {
  view_room = std::max(view_room, view_count);
  for (CrowdModel& member : members) {
    if (member.count <= member.buffers.capacity && view_room <= member.buffers.views) continue;
    // Views alone may grow: then what is there is uploaded nowhere else, and must come along.
    const bool moves = !member.pending.replaces();
    const std::uint32_t capacity = member.count <= member.buffers.capacity
                                       ? member.buffers.capacity
                                       : roomy(member.count, most_characters(gpu->limits(), member.resources));
    auto made = CrowdBuffers::create(*gpu, member.resources, capacity, view_room, settings.motion);
    if (!made) return fail(std::move(made));
    const bool keeps_history = capacity == member.buffers.capacity;
    const auto swap_characters = [&] {
      if (keeps_history) std::swap(made->history, member.buffers.history);
      if (!moves) return;
      std::swap(made->instances, member.buffers.instances);
      std::swap(made->plays, member.buffers.plays);
    };
    swap_characters();
    auto set = make_set(*made, member.resources, images->pool);
    if (!set) {
      swap_characters();  // all stays as it was
      return fail(std::move(set));
    }
    if (!keeps_history) {
      const Buffer& history = member.buffers.history;
      member.history = member.history.is_new ? CrowdModel::HistoryCopy{}
                                             : CrowdModel::HistoryCopy{true, history.get(), history.size()};
    }
    images->ring.retire(std::exchange(member.buffers, std::move(*made)));
    images->ring.retire(std::exchange(member.set, std::move(*set)));
  }
  return {};
}

VertexNeeds CrowdPipeline::State::vertex_needs() const {
  VertexNeeds needs;
  for (const CrowdModel& member : members) {
    const gpu::ModelRecord& record = member.record;
    needs.most += std::uint64_t{member.count} * record.vertex_counts[0];
    needs.least += std::uint64_t{member.count} * record.vertex_counts[record.mesh_count - 1];
    needs.tangents |= member.resources.tangents();
  }
  return needs;
}

Result<void> CrowdPipeline::bind_pool(const VertexPool& pool) {
  State& state = *state_;
  std::vector<DescriptorSets> sets;
  for (const CrowdModel& member : state.members) {
    THRONG_TRY(DescriptorSets set, state.make_set(member.buffers, member.resources, pool));
    sets.push_back(std::move(set));
  }
  for (std::size_t i = 0; i < sets.size(); ++i)
    state.images->ring.retire(std::exchange(state.members[i].set, std::move(sets[i])));
  return {};
}

// All characters of a model, in one copy.
Result<void> CrowdPipeline::State::replace_characters(VkCommandBuffer into, CrowdModel& member, CrowdSlot::Upload& to) {
  const PendingChanges& pending = member.pending;
  const auto instances = pending.instances().first(std::min<std::size_t>(member.count, pending.instances().size()));
  const auto plays = pending.plays().first(instances.size());
  if (instances.empty()) return {};
  THRONG_CHECK(grow_buffer(*gpu, to.whole, instances.size_bytes() + plays.size_bytes(),
                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  write_values(to.whole, instances);
  write_values(to.whole, plays, instances.size_bytes());
  const VkBufferCopy first{0, 0, instances.size_bytes()};
  const VkBufferCopy second{instances.size_bytes(), 0, plays.size_bytes()};
  gpu->vk().vkCmdCopyBuffer(into, to.whole.get(), member.buffers.instances.get(), 1, &first);
  gpu->vk().vkCmdCopyBuffer(into, to.whole.get(), member.buffers.plays.get(), 1, &second);
  return {};
}

// Those that changed, scattered by change.comp.
Result<void> CrowdPipeline::State::change_characters(VkCommandBuffer into, CrowdModel& member, CrowdSlot::Upload& to) {
  const VolkDeviceTable& vk = gpu->vk();
  const PendingChanges& pending = member.pending;
  if (pending.changes().empty()) return {};
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  THRONG_CHECK(grow_buffer(*gpu, to.changes, pending.changes().size_bytes(), kStorage, MemoryUse::upload));
  THRONG_CHECK(grow_buffer(*gpu, to.places, pending.places().size_bytes(), kStorage, MemoryUse::upload));
  if (to.set.size() == 0) {
    const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
    THRONG_TRY(to.set, DescriptorSets::create(*gpu, std::array{storage, storage}, 1));
  }
  to.set.write_buffer(0, 0, to.changes);
  to.set.write_buffer(0, 1, to.places);
  write_values(to.changes, pending.changes());
  write_values(to.places, pending.places());
  const gpu::ChangeBatch batch{static_cast<std::uint32_t>(pending.changes().size()), 0};
  const std::array sets{to.set[0], member.set[0]};
  const std::uint32_t groups = (batch.count + gpu::kChangeGroupSize - 1) / gpu::kChangeGroupSize;
  const std::uint32_t wide = std::min(groups, gpu::kWidestGrid);
  vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.change);
  vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.changing, 0, sets.size(), sets.data(), 0,
                             nullptr);
  vk.vkCmdPushConstants(into, programs.changing, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
  vk.vkCmdDispatch(into, wide, (groups + wide - 1) / wide, 1);
  return {};
}

// A new buffer of what was shown begins with what the old one held: a crowd that grows goes on moving.
void CrowdPipeline::State::copy_history(VkCommandBuffer into) {
  for (CrowdModel& member : members) {
    member.carried_history = settings.motion && member.history.is_new;
    if (!member.carried_history) continue;
    const VkBuffer to = member.buffers.history.get();
    const VkBufferCopy all{0, 0, member.history.bytes};
    if (all.size > 0) gpu->vk().vkCmdCopyBuffer(into, member.history.from, to, 1, &all);
    gpu->vk().vkCmdFillBuffer(into, to, all.size, VK_WHOLE_SIZE, 0);
    member.history.is_new = false;
  }
}

Result<void> CrowdPipeline::State::upload(VkCommandBuffer into) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    CrowdSlot::Upload& to = slot().uploads[i];
    THRONG_CHECK(members[i].pending.replaces() ? replace_characters(into, members[i], to)
                                               : change_characters(into, members[i], to));
  }
  for (CrowdModel& member : members) {
    std::swap(member.carried, member.pending);
    member.pending.clear();
  }
  copy_history(into);
  return {};
}

void CrowdPipeline::State::write_image(VkCommandBuffer into, const RendererImage& image, const NearShare& near) {
  gpu::ImageRecord record{};
  record.eye = image.eye;
  record.pixels = image.pixels;
  record.now = split(image.now);
  record.view_count = views;
  record.culling = image.culling ? 1 : 0;
  record.views[0] = view_of(image.clip_from_world);
  for (std::size_t i = 0; i < image.shadows.size(); ++i) record.views[i + 1] = view_of(image.shadows[i]);
  record.occluders = record_of(image.occluders);
  record.number = static_cast<std::uint32_t>(images->ring.recorded() + 1);
  record.near_vertices = static_cast<std::uint32_t>(images->shares.near);
  record.near_commands = near.commands;
  record.pool_vertices = static_cast<std::uint32_t>(images->shares.near + images->shares.far);
  write_values(slot().staging, std::span<const gpu::ImageRecord>(&record, 1));
  std::vector<gpu::ModelRecord> records;
  for (const CrowdModel& member : members) {
    records.push_back(member.record);
    records.back().capacity = member.buffers.capacity;
  }
  write_values(slot().staging, std::span<const gpu::ModelRecord>(records), sizeof(record));
  const VkBufferCopy of_image{0, 0, sizeof(record)};
  const VkBufferCopy of_models{sizeof(record), 0, records.size() * sizeof(gpu::ModelRecord)};
  gpu->vk().vkCmdCopyBuffer(into, slot().staging.get(), slot().image.get(), 1, &of_image);
  gpu->vk().vkCmdCopyBuffer(into, slot().staging.get(), slot().models.get(), 1, &of_models);
}

}  // namespace throng::detail::renderer
