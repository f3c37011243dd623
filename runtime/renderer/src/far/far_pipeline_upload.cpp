// SPDX-License-Identifier: Apache-2.0
// What FarPipeline makes room for and copies to the GPU before its passes run.
#include <algorithm>
#include <cstring>

#include "far/far_pipeline_state.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/plan/view_planes.h"

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

// Some bytes of every record, one after another, as the passes read them (crowd_records.glsl): what is uploaded of a
// crowd, and where in a buffer of `room` characters that lies.
template <class Record>
struct Stretch {
  std::span<const Record> records;
  std::size_t first = 0;  // byte of a record
  std::size_t bytes = 0;  // of each
  std::size_t size() const { return records.size() * bytes; }
  VkBufferCopy copy(std::size_t staged, std::size_t room) const { return {staged, room * first, size()}; }
  void write(std::byte* to) const {
    for (const Record& record : records) {
      std::memcpy(to, reinterpret_cast<const std::byte*>(&record) + first, bytes);
      to += bytes;
    }
  }
};

}  // namespace

// For every character that was taken over, in every view.
Result<void> FarPipeline::State::make_view_room(std::uint32_t view_count) {
  view_room = std::max(view_room, view_count);
  for (FarModel& model : models) {
    if (model.count <= model.buffers.capacity && view_room <= model.buffers.views) continue;
    // Views alone may grow: then what is there is uploaded nowhere else, and must come along.
    const bool moves = !model.pending.replaces();
    const std::uint32_t capacity = model.count <= model.buffers.capacity
                                       ? model.buffers.capacity
                                       : roomy(model.count, most_characters(gpu->limits(), model.resources));
    THRONG_TRY(FarBuffers made, FarBuffers::create(*gpu, model.resources, capacity, view_room, settings.motion));
    const bool keeps_history = capacity == model.buffers.capacity;
    const auto swap_characters = [&] {
      if (keeps_history) std::swap(made.history, model.buffers.history);
      if (!moves) return;
      std::swap(made.instances, model.buffers.instances);
      std::swap(made.plays, model.buffers.plays);
    };
    swap_characters();
    auto set = make_set(made, model.resources, images->pool);
    if (!set) {
      swap_characters();  // all stays as it was
      return fail(std::move(set));
    }
    if (!keeps_history) {
      const Buffer& history = model.buffers.history;
      model.history =
          model.history.is_new ? FarModel::HistoryCopy{} : FarModel::HistoryCopy{true, history.get(), history.size()};
    }
    images->ring.retire(std::exchange(model.buffers, std::move(made)));
    images->ring.retire(std::exchange(model.set, std::move(*set)));
    model.sift.unbind();
  }
  return {};
}

VertexNeeds FarPipeline::State::vertex_needs() const {
  VertexNeeds needs;
  for (const FarModel& model : models) {
    const gpu::ModelRecord& record = model.record;
    needs.most += std::uint64_t{model.count} * record.vertex_counts[0];
    needs.least += std::uint64_t{model.count} * record.vertex_counts[record.mesh_count - 1];
    needs.tangents |= model.resources.tangents();
  }
  return needs;
}

Result<void> FarPipeline::bind_pool(const VertexPool& pool) {
  State& state = *state_;
  std::vector<ModelSet> sets;
  for (const FarModel& model : state.models) {
    THRONG_TRY(ModelSet set, state.make_set(model.buffers, model.resources, pool));
    sets.push_back(std::move(set));
  }
  for (std::size_t i = 0; i < sets.size(); ++i)
    state.images->ring.retire(std::exchange(state.models[i].set, std::move(sets[i])));
  for (FarModel& model : state.models) model.sift.unbind();
  return {};
}

// All characters of a model, in one copy.
Result<void> FarPipeline::State::replace_characters(VkCommandBuffer into, FarModel& model, FarSlot::Upload& to) {
  const PendingChanges& pending = model.pending;
  const auto instances = pending.instances().first(std::min<std::size_t>(model.count, pending.instances().size()));
  const auto plays = pending.plays().first(instances.size());
  if (instances.empty()) return {};
  constexpr std::size_t kPlace = offsetof(InstanceRecord, rotation), kTrack = offsetof(PlayRecord, previous);
  const Stretch<InstanceRecord> places{instances, 0, kPlace};
  const Stretch<InstanceRecord> looks{instances, kPlace, sizeof(InstanceRecord) - kPlace};
  const Stretch<PlayRecord> tracks{plays, 0, kTrack}, rests{plays, kTrack, sizeof(PlayRecord) - kTrack};
  THRONG_CHECK(grow_buffer(*gpu, to.whole, instances.size_bytes() + plays.size_bytes(),
                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  std::size_t staged = 0;
  const auto copy = [&](const auto& stretch, const Buffer& into_buffer) {
    stretch.write(to.whole.mapped() + staged);
    const VkBufferCopy region = stretch.copy(staged, model.buffers.capacity);
    gpu->vk().vkCmdCopyBuffer(into, to.whole.get(), into_buffer.get(), 1, &region);
    staged += stretch.size();
  };
  copy(places, model.buffers.instances);
  copy(looks, model.buffers.instances);
  copy(tracks, model.buffers.plays);
  copy(rests, model.buffers.plays);
  return {};
}

// Uploads the characters that changed; change.comp scatters them.
Result<void> FarPipeline::State::change_characters(VkCommandBuffer into, FarModel& model, FarSlot::Upload& to) {
  const VolkDeviceTable& vk = gpu->vk();
  const PendingChanges& pending = model.pending;
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
  const std::array sets{to.set[0], model.set[0]};
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
void FarPipeline::State::copy_history(VkCommandBuffer into) {
  for (FarModel& model : models) {
    model.sent_history = settings.motion && model.history.is_new;
    if (!model.sent_history) continue;
    const VkBuffer to = model.buffers.history.get();
    const VkBufferCopy all{0, 0, model.history.bytes};
    if (all.size > 0) gpu->vk().vkCmdCopyBuffer(into, model.history.from, to, 1, &all);
    gpu->vk().vkCmdFillBuffer(into, to, all.size, VK_WHOLE_SIZE, 0);
    model.history.is_new = false;
  }
}

Result<void> FarPipeline::State::upload(VkCommandBuffer into) {
  for (std::size_t i = 0; i < models.size(); ++i) {
    FarSlot::Upload& to = slot().uploads[i];
    THRONG_CHECK(models[i].pending.replaces() ? replace_characters(into, models[i], to)
                                              : change_characters(into, models[i], to));
  }
  for (FarModel& model : models) {
    std::swap(model.sent, model.pending);
    model.pending.clear();
  }
  copy_history(into);
  return {};
}

void FarPipeline::State::write_image(VkCommandBuffer into, const RendererImage& image, std::uint32_t near_commands) {
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
  record.near_commands = near_commands;
  record.pool_vertices = static_cast<std::uint32_t>(images->shares.near + images->shares.far);
  write_values(slot().staging, std::span<const gpu::ImageRecord>(&record, 1));
  std::vector<gpu::ModelRecord> records;
  for (const FarModel& model : models) {
    records.push_back(model.record);
    records.back().capacity = model.buffers.capacity;
    records.back().sifted = model.is_sifted ? 1 : 0;
    records.back().beyond = static_cast<float>(model.beyond);
  }
  write_values(slot().staging, std::span<const gpu::ModelRecord>(records), sizeof(record));
  const VkBufferCopy of_image{0, 0, sizeof(record)};
  const VkBufferCopy of_models{sizeof(record), 0, records.size() * sizeof(gpu::ModelRecord)};
  gpu->vk().vkCmdCopyBuffer(into, slot().staging.get(), slot().image.get(), 1, &of_image);
  gpu->vk().vkCmdCopyBuffer(into, slot().staging.get(), slot().models.get(), 1, &of_models);
}

}  // namespace throng::detail::renderer
