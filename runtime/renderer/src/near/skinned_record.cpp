// SPDX-License-Identifier: Apache-2.0
// What a skinned renderer records for one image.
#include <algorithm>
#include <numeric>

#include "near/skinned_state.h"
#include "surfaces/image_check.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng {
using namespace detail::renderer;
namespace {

constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kVertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
constexpr VkPipelineStageFlags2 kIndirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr VkDeviceSize kTableAlignment = 256;  // the largest that minStorageBufferOffsetAlignment may be

// Every table has some bytes, so that there is something to bind where it is empty.
TableLayout layout_of(const SkinnedPlan& plan) {
  TableLayout layout;
  layout.bytes = {sizeof(gpu::SkinnedView),
                  std::span(plan.characters).size_bytes(),
                  plan.bones * sizeof(Affine),
                  std::span(plan.weights).size_bytes(),
                  std::span(plan.bound_bones).size_bytes(),
                  std::span(plan.skin_slots).size_bytes(),
                  std::span(plan.groups).size_bytes(),
                  std::span(plan.draw_slots).size_bytes(),
                  std::span(plan.commands).size_bytes(),
                  (plan.commands.size() + 1) * sizeof(std::uint32_t)};
  for (std::size_t i = 0; i < layout.bytes.size(); ++i) {
    layout.offsets[i] = layout.total;
    layout.total +=
        std::max<VkDeviceSize>((layout.bytes[i] + kTableAlignment - 1) / kTableAlignment, 1) * kTableAlignment;
  }
  return layout;
}

template <class T>
void put(const Buffer& buffer, const TableLayout& layout, Table table, std::span<const T> values) {
  write_values(buffer, values, layout.offsets[static_cast<std::size_t>(table)]);
}

}  // namespace

Result<void> SkinnedRenderer::State::check(const SkinnedImage& image) const {
  if (1 + image.shadows.size() > gpu::kMostViews)
    return fail("{} shadow passes, but an image has {} at most", image.shadows.size(), gpu::kMostViews - 1);
  CrowdImage same;
  same.clip_from_world = image.clip_from_world;
  same.shadows = image.shadows;
  return check_image(same);
}

Result<void> SkinnedRenderer::State::grow_pool(VertexPool& pool, std::uint64_t vertices) {
  const bool tangents = (features & gpu::kSkinTangents) != 0;
  if (pool.vertices().size() > 0 && pool.holds(vertices, tangents)) return {};
  const std::uint64_t most = VertexPool::most(gpu->limits());
  if (vertices > most)
    return fail(
        "the vertices of all characters seen take {} bytes but this device binds {} at most; draw fewer, or "
        "with culling",
        vertices * VertexPool::kVertexBytes, most * VertexPool::kVertexBytes);
  const std::uint64_t roomy = std::min(vertices + vertices / 2, std::max(vertices, most));
  THRONG_TRY(VertexPool larger, VertexPool::create(*gpu, std::max(roomy, pool.room()), tangents));
  // The old one may still be read by images in flight.
  ring.retire(std::exchange(pool, std::move(larger)));
  return {};
}

Result<void> SkinnedRenderer::State::make_room(const SkinnedPlan& planned, const TableLayout& tables) {
  const VkPhysicalDeviceLimits& limits = gpu->limits();
  for (const VkDeviceSize bytes : tables.bytes)
    if (bytes > limits.maxStorageBufferRange)
      return fail(
          "the poses of {} characters take {} bytes but this device binds {} at most; draw fewer, or with "
          "culling",
          planned.drawn.size(), bytes, limits.maxStorageBufferRange);
  // In rows, as skinned.comp counts them.
  if (planned.groups.size() / gpu::kWidestGrid >= limits.maxComputeWorkGroupCount[1])
    return fail("{} groups of vertices, more than this device starts at once; draw fewer", planned.groups.size());
  if (planned.commands.size() > limits.maxDrawIndirectCount)
    return fail("{} draws, but this device takes {} in one call; draw fewer parts", planned.commands.size(),
                limits.maxDrawIndirectCount);
  THRONG_CHECK(grow_pool(pool(), planned.vertices));
  if (last_pool().vertices().size() == 0) THRONG_CHECK(grow_pool(last_pool(), 1));
  THRONG_CHECK(grow_buffer(*gpu, slot().staging, tables.total, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  return grow_buffer(
      *gpu, slot().tables, tables.total,
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
      MemoryUse::device);
}

void SkinnedRenderer::State::put_tables(const SkinnedPlan& planned, const TableLayout& tables,
                                        const SkinnedImage& image) {
  const Buffer& to = slot().staging;
  const gpu::SkinnedView view{last_view.value_or(image.clip_from_world)};
  put(to, tables, Table::view, std::span<const gpu::SkinnedView>(&view, 1));
  put(to, tables, Table::characters, std::span<const gpu::SkinnedCharacter>(planned.characters));
  put(to, tables, Table::weights, std::span<const float>(planned.weights));
  put(to, tables, Table::bound_bones, std::span<const std::uint32_t>(planned.bound_bones));
  put(to, tables, Table::skin_slots, std::span<const gpu::SkinSlot>(planned.skin_slots));
  put(to, tables, Table::groups, std::span<const gpu::SkinGroup>(planned.groups));
  put(to, tables, Table::draw_slots, std::span<const gpu::DrawSlot>(planned.draw_slots));
  put(to, tables, Table::commands, std::span<const gpu::CommandRecord>(planned.commands));
  std::vector<std::uint32_t> numbers(planned.commands.size() + 1);
  std::iota(numbers.begin(), numbers.end(), 0u);
  put(to, tables, Table::numbers, std::span<const std::uint32_t>(numbers));
  // By far the most of it goes straight from where it was kept.
  std::byte* bones = to.mapped() + tables.offsets[static_cast<std::size_t>(Table::bones)];
  for (const std::uint32_t place : planned.drawn) {
    const std::span<const Affine> from(cast.characters()[place].bones);
    std::memcpy(bones, from.data(), from.size_bytes());
    bones += from.size_bytes();
  }
}

void SkinnedRenderer::State::bind_tables(const TableLayout& tables) {
  const SkinnedSlot& to = slot();
  const auto bind = [&](const DescriptorSets& sets, auto binding, Table table) {
    const auto at = static_cast<std::size_t>(table);
    sets.write_buffer(0, static_cast<std::uint32_t>(binding), to.tables.get(), tables.offsets[at],
                      std::max<VkDeviceSize>(tables.bytes[at], 16));
  };
  geometry.bind(to.skinning, to.drawing);
  bind(to.skinning, SkinBinding::characters, Table::characters);
  bind(to.skinning, SkinBinding::bones, Table::bones);
  bind(to.skinning, SkinBinding::weights, Table::weights);
  bind(to.skinning, SkinBinding::bound_bones, Table::bound_bones);
  bind(to.skinning, SkinBinding::slots, Table::skin_slots);
  bind(to.skinning, SkinBinding::groups, Table::groups);
  bind(to.drawing, DrawBinding::characters, Table::characters);
  bind(to.drawing, DrawBinding::slots, Table::draw_slots);
  bind(to.drawing, DrawBinding::view, Table::view);
  to.skinning.write_buffer(0, static_cast<std::uint32_t>(SkinBinding::pool), pool().vertices());
  to.skinning.write_buffer(0, static_cast<std::uint32_t>(SkinBinding::pool_tangents), pool().tangents());
  to.drawing.write_buffer(0, static_cast<std::uint32_t>(DrawBinding::pool), pool().vertices());
  to.drawing.write_buffer(0, static_cast<std::uint32_t>(DrawBinding::pool_tangents), pool().tangents());
  to.drawing.write_buffer(0, static_cast<std::uint32_t>(DrawBinding::last_pool), last_pool().vertices());
}

void SkinnedRenderer::State::record_skinning(VkCommandBuffer commands, const SkinnedPlan& planned,
                                             const TableLayout& tables, const SkinnedImage& image) {
  const VolkDeviceTable& vk = gpu->vk();
  // What the last image left must have been read before this one is written over it.
  memory_barrier(*gpu, commands, {kVertex | kCopy | kCompute | kIndirect, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kCopy | kCompute, VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
  const VkBufferCopy all{0, 0, tables.total};
  vk.vkCmdCopyBuffer(commands, slot().staging.get(), slot().tables.get(), 1, &all);
  memory_barrier(
      *gpu, commands, {kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT},
      {kCompute | kVertex | kIndirect, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT});
  const gpu::SkinnedBatch batch{static_cast<std::uint32_t>(planned.groups.size())};
  const std::uint32_t wide = std::min(batch.group_count, gpu::kWidestGrid);
  const VkDescriptorSet set = slot().skinning[0];
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, planned.uneven ? skin_uneven.get() : skin.get());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, skinning.get(), 0, 1, &set, 0, nullptr);
  vk.vkCmdPushConstants(commands, skinning.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
  const auto note_time = [&](std::uint32_t which) {
    if (image.timestamps != VK_NULL_HANDLE)
      vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, image.timestamps,
                              image.first_timestamp + which);
  };
  note_time(0);
  vk.vkCmdDispatch(commands, wide, (batch.group_count + wide - 1) / wide, 1);
  note_time(1);
  memory_barrier(*gpu, commands, {kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kVertex | kCopy, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT});
}

void SkinnedRenderer::State::find_readbacks(const SkinnedPlan& planned,
                                            std::span<SkinnedReadbacks::Waiting> waiting) const {
  for (SkinnedReadbacks::Waiting& one : waiting) {
    const auto place = cast.find(one.character);
    if (!place) continue;
    const auto drawn = std::ranges::find(planned.drawn, *place);
    if (drawn == planned.drawn.end()) continue;
    std::uint32_t first = planned.first_vertex[static_cast<std::size_t>(drawn - planned.drawn.begin())];
    for (const WornPart& worn : cast.characters()[*place].worn) {
      if (worn.ref == one.part) {
        one.from = first;
        break;
      }
      first += worn.part->vertex_count;
    }
  }
}

void SkinnedRenderer::State::record_readbacks(VkCommandBuffer commands,
                                              std::span<const SkinnedReadbacks::Waiting> waiting) {
  bool any = false;
  for (const SkinnedReadbacks::Waiting& one : waiting) {
    if (!one.from || one.vertex_count == 0) continue;
    any = true;
    const VkBufferCopy region{*one.from * VertexPool::kVertexBytes, 0, one.vertex_count * VertexPool::kVertexBytes};
    gpu->vk().vkCmdCopyBuffer(commands, pool().vertices().get(), one.to, 1, &region);
  }
  if (any)
    memory_barrier(*gpu, commands, {kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
}

// The ring counts this image already.
void SkinnedRenderer::State::keep_history(const SkinnedPlan& planned) {
  for (std::size_t i = 0; i < planned.drawn.size(); ++i) {
    SkinnedCharacterState& character = cast.character(planned.drawn[i]);
    character.history_before =
        std::exchange(character.history, History{ring.recorded(), planned.first_vertex[i], character.outfit});
  }
}

void SkinnedRenderer::State::count(const SkinnedPlan& planned, const TableLayout& tables) {
  counts = {};
  counts.characters = cast.size();
  counts.drawn = planned.drawn.size();
  counts.in_picture = planned.in_picture;
  counts.vertices = planned.vertices;
  counts.triangles = planned.triangles;
  counts.upload_bytes = planned.groups.empty() ? 0 : tables.total;
  counts.dispatches = planned.groups.empty() ? 0 : 1;
}

Result<void> SkinnedRenderer::record_prepare(VkCommandBuffer commands, const SkinnedImage& image) {
  State& state = *state_;
  THRONG_CHECK(state.check(image));
  state.ring.release_finished();
  std::vector<SkinnedReadbacks::Waiting> waiting = state.readbacks.waiting();
  std::vector<std::uint32_t> asked;
  for (const SkinnedReadbacks::Waiting& one : waiting)
    if (const auto place = state.cast.find(one.character)) asked.push_back(*place);
  const SkinnedPlanSettings planning{.motion = state.moves(), .image = state.ring.recorded() + 1};
  SkinnedPlan planned = make_plan(state.cast, image, asked, state.column_counts, planning);
  const TableLayout tables = layout_of(planned);
  if (!planned.groups.empty()) {
    THRONG_CHECK(state.make_room(planned, tables));
    state.put_tables(planned, tables, image);
    state.bind_tables(tables);
    state.record_skinning(commands, planned, tables, image);
  }
  state.find_readbacks(planned, waiting);
  state.record_readbacks(commands, waiting);
  state.ring.advance();
  const std::uint64_t images = state.ring.recorded();
  if (images > state.ring.size()) state.finished = std::max(state.finished, images - state.ring.size());
  state.readbacks.recorded(images, waiting);
  state.keep_history(planned);
  state.count(planned, tables);
  state.plan = std::move(planned);
  state.layout = tables;
  state.dropped_view = std::exchange(state.last_view, image.clip_from_world);
  state.clip_from_world = image.clip_from_world;
  state.shadows.assign(image.shadows.begin(), image.shadows.end());
  state.prepared = true;
  state.coloured = false;
  return {};
}

void SkinnedRenderer::drop_image() {
  State& state = *state_;
  state.prepared = false;
  if (std::exchange(state.coloured, false)) state.scene.back();
  const std::uint64_t dropped = state.ring.recorded();
  if (!state.ring.drop()) return;
  for (const std::uint32_t place : state.plan.drawn) {
    SkinnedCharacterState& character = state.cast.character(place);
    if (character.history.image == dropped) character.history = character.history_before;
  }
  state.readbacks.dropped(dropped);
  state.last_view = state.dropped_view;
  state.finished = std::min(state.finished, state.ring.recorded());
}

std::uint32_t SkinnedRenderer::State::draw(VkCommandBuffer commands, std::uint32_t view,
                                           const glm::mat4& matrix) const {
  const VolkDeviceTable& vk = gpu->vk();
  const SkinnedSlot& from = slots[ring.last_slot()];
  const std::vector<PlannedDraw>& draws = plan.draws[view];
  if (draws.empty()) return 0;
  constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
  constexpr std::uint32_t kStride = sizeof(gpu::CommandRecord);
  const VkDescriptorSet set = from.drawing[0];
  vk.vkCmdBindDescriptorSets(commands, kGraphics, drawing.get(), 1, 1, &set, 0, nullptr);
  vk.vkCmdBindIndexBuffer(commands, geometry.indices().get(), 0, VK_INDEX_TYPE_UINT32);
  std::uint32_t calls = 0;
  auto next = draws.begin();
  for (const SkinnedSurface& surface : surfaces) {
    const auto first = next;
    while (next != draws.end() && next->part < surface.first_part + surface.part_count) ++next;
    if (next == first) continue;
    gpu::DrawUniforms uniforms = surface.uniforms;
    uniforms.clip_from_world = matrix;
    const PipelinePair& pair = pipelines.at(surface.key);
    const VkDescriptorSet material = materials[surface.model].set(surface.material);
    const VkDeviceSize command = layout.offsets[static_cast<std::size_t>(Table::commands)] + first->command * kStride;
    vk.vkCmdBindPipeline(commands, kGraphics, view == 0 ? pair.colour.get() : pair.shadow.get());
    vk.vkCmdBindDescriptorSets(commands, kGraphics, drawing.get(), 2, 1, &material, 0, nullptr);
    vk.vkCmdPushConstants(commands, drawing.get(), kDrawStages, 0, sizeof(uniforms), &uniforms);
    // Mesa's software driver remembers the count of the last draw that had one in a buffer, and so every draw has.
    const auto count = static_cast<std::uint32_t>(next - first);
    const VkDeviceSize counted =
        layout.offsets[static_cast<std::size_t>(Table::numbers)] + count * sizeof(std::uint32_t);
    vk.vkCmdDrawIndexedIndirectCount(commands, from.tables.get(), command, from.tables.get(), counted, count, kStride);
    ++calls;
  }
  return calls;
}

std::uint32_t SkinnedRenderer::record_shadow(VkCommandBuffer commands, std::uint32_t shadow) const {
  if (!state_->prepared || shadow >= state_->shadows.size()) return 0;
  return state_->draw(commands, shadow + 1, state_->shadows[shadow]);
}

std::uint32_t SkinnedRenderer::record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene,
                                             const ShadowMaps& shadows) {
  if (!state_->prepared || state_->plan.draws[0].empty()) return 0;
  const VkDescriptorSet set = state_->scene.next(scene, shadows);
  state_->coloured = true;
  state_->gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, state_->drawing.get(), 0, 1,
                                            &set, 0, nullptr);
  return state_->draw(commands, 0, state_->clip_from_world);
}

}  // namespace throng
