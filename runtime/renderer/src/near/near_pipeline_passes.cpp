// SPDX-License-Identifier: Apache-2.0
// What a near pipeline plans and records for one image.
#include <algorithm>

#include "near/near_pipeline.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng::detail::renderer {
namespace {

constexpr VkDeviceSize kTableAlignment = 256;  // the largest that minStorageBufferOffsetAlignment may be

// Every table has some bytes, so that there is something to bind where it is empty.
NearTables layout_of(const NearPlan& plan) {
  NearTables layout;
  layout.bytes = {std::span(plan.characters).size_bytes(), plan.bones * sizeof(Affine),
                  std::span(plan.weights).size_bytes(),    std::span(plan.bound_bones).size_bytes(),
                  std::span(plan.skin_tasks).size_bytes(), std::span(plan.groups).size_bytes(),
                  std::span(plan.draw_tasks).size_bytes(), std::span(plan.calls).size_bytes(),
                  std::span(plan.commands).size_bytes()};
  for (std::size_t i = 0; i < layout.bytes.size(); ++i) {
    layout.offsets[i] = layout.total;
    layout.total +=
        std::max<VkDeviceSize>((layout.bytes[i] + kTableAlignment - 1) / kTableAlignment, 1) * kTableAlignment;
  }
  return layout;
}

template <class T>
void put(const Buffer& buffer, const NearTables& layout, NearTable table, const std::vector<T>& values) {
  write_values(buffer, std::span<const T>(values), layout.offsets[static_cast<std::size_t>(table)]);
}

BufferRange range_of(const NearSlot& slot, const NearTables& tables, NearTable table) {
  const auto at = static_cast<std::size_t>(table);
  return {slot.tables.get(), tables.offsets[at], std::max<VkDeviceSize>(tables.bytes[at], 16)};
}

}  // namespace

void NearPipeline::plan(const RendererImage& image, std::uint32_t call_count) {
  waiting_ = readbacks_.waiting();
  std::vector<std::uint32_t> asked;
  for (const NearReadbacks::Waiting& one : waiting_)
    if (const auto place = roster_.find(one.character)) asked.push_back(*place);
  const NearPlanSettings settings{.motion = motion_, .image = images_->ring.recorded() + 1, .call_count = call_count};
  plan_ = make_plan(roster_, image, asked, column_counts_, settings, std::move(plan_));
  tables_ = layout_of(plan_);
  find_readbacks();
}

std::uint64_t NearPipeline::vertex_count() const { return plan_.vertices; }
bool NearPipeline::tangents() const { return (features_ & gpu::kSkinTangents) != 0; }
bool NearPipeline::draws(ModelId id) const { return plan_.drawn_models.contains(id); }

Result<void> NearPipeline::check_room(const VkPhysicalDeviceLimits& limits) const {
  for (const VkDeviceSize bytes : tables_.bytes)
    if (bytes > limits.maxStorageBufferRange)
      return fail(
          "the poses of {} characters take {} bytes but this device binds {} at most; draw fewer, or with "
          "culling",
          plan_.drawn.size(), bytes, limits.maxStorageBufferRange);
  // In rows, as near_skin.comp counts them.
  if (plan_.groups.size() / gpu::kWidestGrid >= limits.maxComputeWorkGroupCount[1])
    return fail("{} groups of vertices, more than this device starts at once; draw fewer", plan_.groups.size());
  return {};
}

Result<void> NearPipeline::make_room(GpuDevice& gpu) {
  THRONG_CHECK(check_room(gpu.limits()));
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  THRONG_CHECK(grow_buffer(gpu, slot().staging, tables_.total, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  THRONG_CHECK(grow_buffer(gpu, slot().tables, tables_.total, kStorage, MemoryUse::device));
  const VkDeviceSize last_bytes = motion_ ? shown_.count * VertexPool::kVertexBytes : 0;
  if (last_bytes > last_.size()) {
    THRONG_TRY(auto larger, Buffer::create(gpu, last_bytes + last_bytes / 2, kStorage, MemoryUse::device));
    // The old one may still be read by images in flight.
    images_->ring.retire(std::exchange(last_, std::move(larger)));
  }
  bind_tables();
  return {};
}

void NearPipeline::put_tables() {
  const Buffer& to = slot().staging;
  put(to, tables_, NearTable::characters, plan_.characters);
  put(to, tables_, NearTable::weights, plan_.weights);
  put(to, tables_, NearTable::bound_bones, plan_.bound_bones);
  put(to, tables_, NearTable::skin_tasks, plan_.skin_tasks);
  put(to, tables_, NearTable::groups, plan_.groups);
  put(to, tables_, NearTable::draw_tasks, plan_.draw_tasks);
  put(to, tables_, NearTable::calls, plan_.calls);
  put(to, tables_, NearTable::commands, plan_.commands);
  // Nearly all bones are copied straight from where they were kept.
  std::byte* bones = to.mapped() + tables_.offsets[static_cast<std::size_t>(NearTable::bones)];
  for (const std::uint32_t place : plan_.drawn) {
    const std::span<const Affine> from(roster_.characters()[place].bones);
    std::memcpy(bones, from.data(), from.size_bytes());
    bones += from.size_bytes();
  }
}

void NearPipeline::bind_tables() {
  const NearSlot& to = slot();
  const VertexPool& pool = images_->pool;
  const auto skins = [&](SkinBinding binding, NearTable table) {
    to.skinning.write_buffer(0, static_cast<std::uint32_t>(binding), range_of(to, tables_, table));
  };
  const auto draws = [&](NearBinding binding, NearTable table) {
    to.drawing.write_buffer(0, static_cast<std::uint32_t>(binding), range_of(to, tables_, table));
  };
  geometry_.bind(to.skinning, to.drawing);
  skins(SkinBinding::characters, NearTable::characters);
  skins(SkinBinding::bones, NearTable::bones);
  skins(SkinBinding::weights, NearTable::weights);
  skins(SkinBinding::bound_bones, NearTable::bound_bones);
  skins(SkinBinding::tasks, NearTable::skin_tasks);
  skins(SkinBinding::groups, NearTable::groups);
  draws(NearBinding::characters, NearTable::characters);
  draws(NearBinding::draw_tasks, NearTable::draw_tasks);
  to.skinning.write_buffer(0, static_cast<std::uint32_t>(SkinBinding::pool), pool.vertices());
  to.skinning.write_buffer(0, static_cast<std::uint32_t>(SkinBinding::pool_tangents), pool.tangents());
  to.drawing.write_buffer(0, static_cast<std::uint32_t>(NearBinding::last), last_);
}

NearCalls NearPipeline::calls() const {
  return {.calls = range_of(slot(), tables_, NearTable::calls),
          .commands = range_of(slot(), tables_, NearTable::commands),
          .command_count = static_cast<std::uint32_t>(plan_.commands.size())};
}

void NearPipeline::record_upload(GpuDevice& gpu, VkCommandBuffer commands) {
  const LastVertices before = std::exchange(shown_, LastVertices{images_->pool.vertices().get(), plan_.vertices});
  shown_before_ = before;
  if (plan_.drawn.empty()) return;  // nobody reads the tables
  put_tables();
  const VkBufferCopy all{0, 0, tables_.total};
  gpu.vk().vkCmdCopyBuffer(commands, slot().staging.get(), slot().tables.get(), 1, &all);
  const VkBufferCopy last{0, 0, before.count * VertexPool::kVertexBytes};
  if (motion_ && last.size > 0) gpu.vk().vkCmdCopyBuffer(commands, before.pool, last_.get(), 1, &last);
}

void NearPipeline::record_skinning(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image) {
  if (plan_.groups.empty()) return;
  const VolkDeviceTable& vk = gpu.vk();
  const VkDescriptorSet set = slot().skinning[0];
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, skinning_, 0, 1, &set, 0, nullptr);
  const auto skin = [&](VkPipeline pipeline, std::size_t first, std::size_t count) {
    if (count == 0) return;
    const gpu::NearSkinBatch batch{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
    const std::uint32_t wide = std::min(batch.group_count, gpu::kWidestGrid);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdPushConstants(commands, skinning_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(commands, wide, (batch.group_count + wide - 1) / wide, 1);
  };
  const auto note_time = [&](std::uint32_t which) {
    if (image.near_timestamps != VK_NULL_HANDLE)
      vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, image.near_timestamps,
                              image.first_near_timestamp + which);
  };
  note_time(0);
  skin(skin_, 0, plan_.even_groups);
  skin(skin_uneven_, plan_.even_groups, plan_.groups.size() - plan_.even_groups);
  note_time(1);
}

void NearPipeline::find_readbacks() {
  for (NearReadbacks::Waiting& one : waiting_) {
    const auto place = roster_.find(one.character);
    if (!place) continue;
    const auto drawn = std::ranges::find(plan_.drawn, *place);
    if (drawn == plan_.drawn.end()) continue;
    std::uint32_t first = plan_.first_vertex[static_cast<std::size_t>(drawn - plan_.drawn.begin())];
    for (const WornPiece& worn : roster_.characters()[*place].worn) {
      if (worn.ref == one.piece) {
        one.from = first;
        break;
      }
      first += worn.piece->vertex_count;
    }
  }
}

void NearPipeline::record_readbacks(const GpuDevice& gpu, VkCommandBuffer commands) {
  const VertexPool& pool = images_->pool;
  bool any = false;
  for (const NearReadbacks::Waiting& one : waiting_) {
    if (!one.from || one.vertex_count == 0) continue;
    any = true;
    const VkBufferCopy region{*one.from * VertexPool::kVertexBytes, 0, one.vertex_count * VertexPool::kVertexBytes};
    gpu.vk().vkCmdCopyBuffer(commands, pool.vertices().get(), one.to, 1, &region);
    if (!one.tangents) continue;
    const VkBufferCopy behind{*one.from * VertexPool::kTangentBytes, region.size,
                              one.vertex_count * VertexPool::kTangentBytes};
    gpu.vk().vkCmdCopyBuffer(commands, pool.tangents().get(), one.to, 1, &behind);
  }
  if (any)
    memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
}

void NearPipeline::count() {
  counts_ = {};
  counts_.characters = roster_.size();
  counts_.drawn = plan_.drawn.size();
  counts_.in_picture = plan_.in_picture;
  counts_.vertices = plan_.vertices;
  counts_.triangles = plan_.triangles;
  counts_.upload_bytes = plan_.groups.empty() ? 0 : tables_.total;
  counts_.dispatches = (plan_.even_groups > 0 ? 1 : 0) + (plan_.groups.size() > plan_.even_groups ? 1 : 0);
}

void NearPipeline::recorded() {
  const std::uint64_t image = images_->ring.recorded();
  if (image > slots_.size()) finished_ = std::max(finished_, image - slots_.size());
  readbacks_.recorded(image, waiting_);
  for (std::size_t i = 0; i < plan_.drawn.size(); ++i) {
    NearCharacterState& character = roster_.character(plan_.drawn[i]);
    character.history_before =
        std::exchange(character.history, History{image, plan_.first_vertex[i], character.outfit});
  }
  count();
}

void NearPipeline::drop_image() {
  const std::uint64_t dropped = images_->ring.recorded() + 1;
  for (const std::uint32_t place : plan_.drawn) {
    NearCharacterState& character = roster_.character(place);
    if (character.history.image == dropped) character.history = character.history_before;
  }
  readbacks_.dropped(dropped);
  shown_ = shown_before_;
  finished_ = std::min(finished_, dropped - 1);
}

}  // namespace throng::detail::renderer
