// What a crowd pipeline makes room for and copies to the GPU before its passes run.
#include <algorithm>

#include "far/crowd_pipeline_state.h"
#include "surfaces/view_planes.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng::detail::renderer {
namespace {

// The most vertices that are kept for one image unless a budget asks for more: half a gigabyte.
constexpr std::uint64_t kLargestPool = std::uint64_t{32} << 20;
constexpr VkDeviceSize kPoolVertexBytes = 16;

gpu::uvec2 split(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

Result<void> grow(GpuDevice& gpu, Buffer& buffer, VkDeviceSize bytes, VkBufferUsageFlags usage) {
  if (bytes <= buffer.size()) return {};
  THRONG_TRY(buffer, Buffer::create(gpu, bytes + bytes / 2, usage, MemoryUse::upload));
  return {};
}

template <class T>
void put(const Buffer& buffer, std::span<const T> values, VkDeviceSize at = 0) {
  if (!values.empty()) std::memcpy(buffer.mapped() + at, values.data(), values.size_bytes());
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

void CrowdPipeline::State::drop_retired() {
  std::erase_if(retired, [&](const CrowdRetired& old) { return old.image + settings.images_in_flight <= images; });
}

// For every character that was taken over, in every view.
Result<void> CrowdPipeline::State::make_room(std::uint32_t view_count) {
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
    auto set = make_set(*made, member.resources, pool, pool_tangents);
    if (!set) {
      swap_characters();  // all stays as it was
      return fail(std::move(set));
    }
    if (!keeps_history) {
      const Buffer& history = member.buffers.history;
      member.history = member.history.is_new ? CrowdModel::HistoryCopy{}
                                             : CrowdModel::HistoryCopy{true, history.get(), history.size()};
    }
    CrowdRetired old{
        .image = images, .buffers = std::exchange(member.buffers, std::move(*made)), .sets = {}, .others = {}};
    old.sets.push_back(std::exchange(member.set, std::move(*set)));
    retired.push_back(std::move(old));
  }
  return {};
}

// Vertices that all characters could take at full detail, or as many of them as may be kept.
Result<void> CrowdPipeline::State::make_pool_room(const CrowdImage& image) {
  if (!settings.pooled) return {};
  std::uint64_t wanted = 0;
  std::uint64_t least = 0;
  bool with_tangents = false;
  for (const CrowdModel& member : members) {
    const gpu::ModelRecord& record = member.record;
    wanted += std::uint64_t{member.count} * record.vertex_counts[0];
    least += std::uint64_t{member.count} * record.vertex_counts[record.mesh_count - 1];
    with_tangents |= member.resources.tangents();
  }
  const std::uint64_t bindable = gpu->limits().maxStorageBufferRange / kPoolVertexBytes;
  std::uint64_t most = std::min<std::uint64_t>(image.vertex_budget > 0 ? image.vertex_budget : kLargestPool, bindable);
  // So small a limit is none: however short vertices are, some characters would never be specks.
  if (image.speck_pixels < 0.3f) {
    // Without specks the coarsest level is the least that must fit.
    if (least > bindable)
      return fail(
          "{} vertices even at the coarsest level, but this device holds {} at a time; allow specks, split the crowd "
          "or "
          "skin in the vertex shader",
          least, bindable);
    most = std::max(most, least);
  }
  const std::uint64_t vertices = std::clamp<std::uint64_t>(wanted, 1, most);
  const bool enough = pool.size() >= vertices * kPoolVertexBytes;
  const bool tangents_enough = !with_tangents || pool_tangents.size() >= vertices * sizeof(std::uint32_t);
  if (enough && tangents_enough) return {};
  // All is made before anything is replaced: what fails here leaves the last image's buffers where they are.
  Buffer vertex_room;
  Buffer tangent_room;
  const auto make = [&](Buffer& into, VkDeviceSize bytes) -> Result<void> {
    THRONG_TRY(into, Buffer::create(*gpu, bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                    MemoryUse::device));
    return {};
  };
  if (!enough) THRONG_CHECK(make(vertex_room, vertices * kPoolVertexBytes));
  if (!tangents_enough) THRONG_CHECK(make(tangent_room, vertices * sizeof(std::uint32_t)));
  std::vector<DescriptorSets> sets;
  for (const CrowdModel& member : members) {
    THRONG_TRY(auto set, make_set(member.buffers, member.resources, enough ? pool : vertex_room,
                                  tangents_enough ? pool_tangents : tangent_room));
    sets.push_back(std::move(set));
  }
  CrowdRetired old{.image = images, .buffers = {}, .sets = {}, .others = {}};
  if (!enough) old.others.push_back(std::exchange(pool, std::move(vertex_room)));
  if (!tangents_enough) old.others.push_back(std::exchange(pool_tangents, std::move(tangent_room)));
  for (std::size_t i = 0; i < members.size(); ++i)
    old.sets.push_back(std::exchange(members[i].set, std::move(sets[i])));
  retired.push_back(std::move(old));
  return {};
}

// What was asked for, or what there is room for; 0 when all fit anyway.
std::uint32_t CrowdPipeline::State::budget(const CrowdImage& image) const {
  if (!settings.pooled) return image.vertex_budget;
  std::uint64_t room = std::min<std::uint64_t>(pool.size() / kPoolVertexBytes, 0xFFFFFFFEu);
  if (std::ranges::any_of(members, [](const CrowdModel& member) { return member.resources.tangents(); }))
    room = std::min<std::uint64_t>(room, pool_tangents.size() / sizeof(std::uint32_t));
  const std::uint64_t asked = image.vertex_budget == 0 ? room : std::min<std::uint64_t>(image.vertex_budget, room);
  std::uint64_t most = 0;
  for (const CrowdModel& member : members) most += std::uint64_t{member.count} * member.record.vertex_counts[0];
  return most <= asked ? 0 : static_cast<std::uint32_t>(asked);
}

Result<void> CrowdPipeline::State::upload_member(VkCommandBuffer into, CrowdModel& member, CrowdSlot::Upload& to) {
  const VolkDeviceTable& vk = gpu->vk();
  const PendingChanges& pending = member.pending;
  if (pending.replaces()) {
    const auto instances = pending.instances().first(std::min<std::size_t>(member.count, pending.instances().size()));
    const auto plays = pending.plays().first(instances.size());
    if (instances.empty()) return {};
    THRONG_CHECK(grow(*gpu, to.whole, instances.size_bytes() + plays.size_bytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
    put(to.whole, instances);
    put(to.whole, plays, instances.size_bytes());
    const VkBufferCopy first{0, 0, instances.size_bytes()};
    const VkBufferCopy second{instances.size_bytes(), 0, plays.size_bytes()};
    vk.vkCmdCopyBuffer(into, to.whole.get(), member.buffers.instances.get(), 1, &first);
    vk.vkCmdCopyBuffer(into, to.whole.get(), member.buffers.plays.get(), 1, &second);
    return {};
  }
  if (pending.changes().empty()) return {};
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  THRONG_CHECK(grow(*gpu, to.changes, pending.changes().size_bytes(), kStorage));
  THRONG_CHECK(grow(*gpu, to.places, pending.places().size_bytes(), kStorage));
  if (to.set.size() == 0) {
    const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
    THRONG_TRY(auto set, DescriptorSets::create(*gpu, std::array{storage, storage}, 1));
    to.set = std::move(set);
  }
  to.set.write_buffer(0, 0, to.changes);
  to.set.write_buffer(0, 1, to.places);
  put(to.changes, pending.changes());
  put(to.places, pending.places());
  const gpu::ChangeBatch batch{static_cast<std::uint32_t>(pending.changes().size()), 0};
  const std::array sets{to.set[0], member.set[0]};
  const std::uint32_t groups = (batch.count + gpu::kChangeGroupSize - 1) / gpu::kChangeGroupSize;
  const std::uint32_t wide = std::min(groups, gpu::kWidestGrid);
  vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.change.get());
  vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.changing.get(), 0, sets.size(), sets.data(),
                             0, nullptr);
  vk.vkCmdPushConstants(into, programs.changing.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
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
  for (std::size_t i = 0; i < members.size(); ++i) THRONG_CHECK(upload_member(into, members[i], slot().uploads[i]));
  for (CrowdModel& member : members) {
    std::swap(member.carried, member.pending);
    member.pending.clear();
  }
  copy_history(into);
  return {};
}

void CrowdPipeline::State::write_image(VkCommandBuffer into, const CrowdImage& image) {
  gpu::ImageRecord record{};
  record.eye = image.eye;
  record.pixels = image.pixels;
  record.now = split(image.now);
  record.view_count = views;
  record.culling = image.culling ? 1 : 0;
  record.views[0] = view_of(image.clip_from_world);
  for (std::size_t i = 0; i < image.shadows.size(); ++i) record.views[i + 1] = view_of(image.shadows[i]);
  record.occluders = record_of(image.occluders);
  last_view = std::exchange(view, image.clip_from_world);
  for (glm::length_t i = 0; i < 4; ++i) record.last_view[i] = last_view.value_or(*view)[i];
  record.number = ++number;
  put(slot().staging, std::span<const gpu::ImageRecord>(&record, 1));
  std::vector<gpu::ModelRecord> records;
  for (const CrowdModel& member : members) {
    records.push_back(member.record);
    records.back().capacity = member.buffers.capacity;
  }
  put(slot().staging, std::span<const gpu::ModelRecord>(records), sizeof(record));
  const VkBufferCopy of_image{0, 0, sizeof(record)};
  const VkBufferCopy of_models{sizeof(record), 0, records.size() * sizeof(gpu::ModelRecord)};
  gpu->vk().vkCmdCopyBuffer(into, slot().staging.get(), slot().image.get(), 1, &of_image);
  gpu->vk().vkCmdCopyBuffer(into, slot().staging.get(), slot().models.get(), 1, &of_models);
}

}  // namespace throng::detail::renderer
