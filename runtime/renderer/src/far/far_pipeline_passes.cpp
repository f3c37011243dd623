// SPDX-License-Identifier: Apache-2.0
// What FarPipeline records for one image: who is seen, at which level, where their vertices are.
#include <algorithm>

#include "far/far_pipeline_state.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/plan/view_planes.h"

namespace throng::detail::renderer {
namespace {

constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr Scope kComputeWrites{kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
constexpr Scope kComputeUses{kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
// Where some of it is read as texels.
constexpr Scope with_texels(Scope scope, bool texels) {
  return {scope.stages, scope.access | (texels ? VK_ACCESS_2_SHADER_SAMPLED_READ_BIT : VK_ACCESS_2_NONE)};
}

constexpr VkPipelineStageFlags2 kUploads = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr VkPipelineStageFlags2 kDraws =
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT;
// What the last image left must have been read before this one is written over it.
constexpr Scope kLastImageRead{kCompute | kDraws | VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
constexpr Scope kUploadsWrite{kUploads | kCompute, VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                                                       VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
// change.comp is a part of the uploads.
constexpr Scope kUploadsDone{kUploads | kCompute,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
// The plan is read by passes, as their indirect dispatches, and by the copy for the host.
constexpr Scope kPlanReads{
    kCompute | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
    VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr Scope kImageDone{kCompute | VK_PIPELINE_STAGE_2_COPY_BIT,
                           VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr Scope kDrawsRead{kDraws | kCompute | VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
                           VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT |
                               VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT};

bool hides(const RendererImage& image) { return image.culling && image.occluders.pyramid != VK_NULL_HANDLE; }

}  // namespace

Result<void> FarPipeline::State::bind_occluders(const RendererImage& image) {
  if (!hides(image)) return {};
  DescriptorSets& set = slot().occluders;
  if (set.size() == 0) {
    THRONG_TRY(set, DescriptorSets::create(*gpu, occluder_bindings(), 1));
  }
  set.write_image(0, 0, image.occluders.pyramid, VK_NULL_HANDLE);
  return {};
}

template <class Batch>
void FarPipeline::State::dispatch(VkCommandBuffer into, VkPipeline pipeline, const FarModel* model, const Batch& batch,
                                  std::uint32_t groups) {
  const VolkDeviceTable& vk = gpu->vk();
  const std::array sets{slot().set[0], model != nullptr ? model->set[0] : VK_NULL_HANDLE};
  const std::uint32_t set_count = model != nullptr ? 2 : 1;
  vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.layout, 0, set_count, sets.data(), 0,
                             nullptr);
  vk.vkCmdPushConstants(into, programs.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
  if (groups > 0) vk.vkCmdDispatch(into, groups, 1, 1);
}

// `counts`: of each level, too. Levels of heights are known.
void FarPipeline::State::cull(VkCommandBuffer into, const RendererImage& image, bool counts) {
  const VolkDeviceTable& vk = gpu->vk();
  const bool hiding = hides(image);
  const VkPipelineLayout layout = hiding ? programs.hiding : programs.layout;
  vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE,
                       (hiding ? programs.cull_hidden : programs.cull)[counts ? 1 : 0]);
  for (std::uint32_t i = 0; i < models.size(); ++i) {
    const FarModel& model = models[i];
    if (model.count == 0) continue;
    const std::array sets{slot().set[0], model.set[0], hiding ? slot().occluders[0] : VK_NULL_HANDLE};
    vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, hiding ? 3 : 2, sets.data(), 0,
                               nullptr);
    const gpu::CullBatch batch{i, model.count, cull_groups(model.count), 1 + views};
    vk.vkCmdPushConstants(into, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(into, batch.group_count, 1, 1);
  }
}

void FarPipeline::State::plan(VkCommandBuffer into, const RendererImage& image) {
  const auto for_each = [&](auto pipeline_of, auto groups_of) {
    for (std::uint32_t i = 0; i < models.size(); ++i) {
      const FarModel& model = models[i];
      if (model.count == 0) continue;
      const gpu::CullBatch batch{i, model.count, cull_groups(model.count), 1 + views};
      dispatch(into, pipeline_of(model), &model, batch, groups_of(model));
    }
  };
  const auto groups = [](const FarModel& model) { return cull_groups(model.count); };
  const auto buckets = [&](const FarModel&) { return (1 + views) * gpu::kMostLevels; };
  const bool fits = vertex_needs().most <= image.vertex_budget;
  const gpu::PlanSettings planning{image.pixel_error, image.speck_pixels, fits ? 0 : image.vertex_budget,
                                   static_cast<std::uint32_t>(models.size())};

  const auto wait_after = [&](FarMark pass) {
    mark(into, image, pass);
    memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  };
  mark(into, image, FarMark::begun);
  const auto plan_levels = [&] { dispatch(into, programs.plan, nullptr, planning, 1); };
  if (planning.vertex_budget == 0) {
    plan_levels();
    memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
    cull(into, image, true);
    mark(into, image, FarMark::culled);
    mark(into, image, FarMark::planned);
    wait_after(FarMark::counted);
  } else {
    cull(into, image, false);
    wait_after(FarMark::culled);
    plan_levels();
    wait_after(FarMark::planned);
    for_each([&](const FarModel&) { return programs.count; }, groups);
    wait_after(FarMark::counted);
  }
  for_each([&](const FarModel&) { return programs.scan; }, buckets);
  wait_after(FarMark::scanned);
  dispatch(into, programs.arrange, nullptr, planning, planning.model_count);
  wait_after(FarMark::arranged);
  for_each([](const FarModel& model) { return model.programs.gather; }, groups);
  mark(into, image, FarMark::gathered);
}

void FarPipeline::State::mark(VkCommandBuffer into, const RendererImage& image, FarMark which) const {
  if (image.far_timestamps == VK_NULL_HANDLE) return;
  gpu->vk().vkCmdWriteTimestamp2(into, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, image.far_timestamps,
                                 image.first_far_timestamp + static_cast<std::uint32_t>(which));
}

void FarPipeline::State::animate(VkCommandBuffer into, const RendererImage& image) {
  const VolkDeviceTable& vk = gpu->vk();
  const auto dispatch_planned = [&](std::uint32_t model, VkDeviceSize offset) {
    vk.vkCmdDispatchIndirect(into, plans.get(), model * sizeof(gpu::PlanRecord) + offset);
  };
  bool posed = false;
  for (std::uint32_t i = 0; i < models.size(); ++i) {
    const FarModel& model = models[i];
    if (model.count == 0 || model.programs.pose_together == 0) continue;
    posed = true;
    dispatch(into, model.programs.pose, &model, gpu::CullBatch{i, model.count, 0, 1 + views}, 0);
    dispatch_planned(i, offsetof(gpu::PlanRecord, pose_dispatch));
  }
  mark(into, image, FarMark::posed);
  if (posed && settings.pooled) memory_barrier(*gpu, into, kComputeWrites, with_texels(kComputeUses, settings.texels));
  for (std::uint32_t i = 0; settings.pooled && i < models.size(); ++i) {
    const FarModel& model = models[i];
    for (std::uint32_t level = 0; model.count > 0 && level < model.record.mesh_count; ++level) {
      const gpu::SkinBatch batch{i, level, model.record.vertex_counts[level]};
      dispatch(into, model.programs.skin[level], &model, batch, 0);
      dispatch_planned(i, offsetof(gpu::PlanRecord, skin_dispatch) + level * 3 * sizeof(std::uint32_t));
    }
  }
  mark(into, image, FarMark::skinned);
}

Result<void> FarPipeline::make_room(const RendererImage& image) {
  State& state = *state_;
  if (state.models.empty()) return fail("there is no model; add one first");
  const auto views = static_cast<std::uint32_t>(1 + image.shadows.size());
  THRONG_CHECK(state.make_view_room(views));
  return state.bind_occluders(image);
}

Result<void> FarPipeline::make_sift_room(const RendererImage& image) {
  State& state = *state_;
  // Characters whose vertices the pool has no room for are drawn as they are, and so are all then.
  const bool may = image.width > 0 && image.height > 0 && state.settings.pooled && !state.images->shares.overflows;
  for (FarModel& model : state.models) {
    model.is_sifted = may && model.count > 0 && model.sift.has_room(model.count);
    if (model.is_sifted) THRONG_CHECK(model.sift.make_room(*state.gpu, *state.images, model.buffers));
  }
  return {};
}

Result<void> FarPipeline::record_upload(VkCommandBuffer commands, const RendererImage& image, const NearCalls& near) {
  State& state = *state_;
  state.prepared = false;
  state.views = static_cast<std::uint32_t>(1 + image.shadows.size());
  memory_barrier(*state.gpu, commands, kLastImageRead, kUploadsWrite);
  THRONG_CHECK(state.upload(commands));
  if (near.calls.buffer != VK_NULL_HANDLE) {
    state.slot().set.write_buffer(0, static_cast<std::uint32_t>(PlanBinding::near_calls), near.calls);
    state.slot().set.write_buffer(0, static_cast<std::uint32_t>(PlanBinding::near_commands), near.commands);
  }
  state.write_image(commands, image, near.command_count);
  state.gpu->vk().vkCmdFillBuffer(commands, state.plans.get(), 0, VK_WHOLE_SIZE, 0);
  return {};
}

void FarPipeline::record_plan(VkCommandBuffer commands, const RendererImage& image) {
  memory_barrier(*state_->gpu, commands, kUploadsDone, kComputeUses);
  state_->plan(commands, image);
  memory_barrier(*state_->gpu, commands, kComputeWrites, kPlanReads);
}

void FarPipeline::record_skinning(VkCommandBuffer commands, const RendererImage& image) {
  state_->animate(commands, image);
}

void FarPipeline::record_sifting(VkCommandBuffer commands, const RendererImage& image) {
  State& state = *state_;
  bool waited = false;
  for (std::uint32_t i = 0; i < state.models.size(); ++i) {
    const FarModel& model = state.models[i];
    if (!model.is_sifted) continue;
    if (!std::exchange(waited, true))
      memory_barrier(*state.gpu, commands, kComputeWrites, with_texels(kComputeUses, true));
    model.sift.record(*state.gpu, commands,
                      {.plan_set = state.slot().set[0],
                       .model = i,
                       .characters = model.count,
                       .clip_from_world = image.clip_from_world,
                       .size = {static_cast<float>(image.width), static_cast<float>(image.height)}});
  }
}

void FarPipeline::finish(VkCommandBuffer commands) {
  State& state = *state_;
  const VkBufferCopy all{0, 0, state.models.size() * sizeof(gpu::PlanRecord)};
  state.gpu->vk().vkCmdCopyBuffer(commands, state.plans.get(), state.slot().plans.get(), 1, &all);
  memory_barrier(*state.gpu, commands, kImageDone, with_texels(kDrawsRead, state.settings.texels));
  state.prepared = true;
  for (FarModel& model : state.models) model.prepared_count = model.count;
}

void FarPipeline::drop_image() {
  state_->prepared = false;
  for (FarModel& model : state_->models) {
    // Where it was taken from may be gone by now.
    if (std::exchange(model.sent_history, false)) model.history = {};
    if (model.pending.replaces()) continue;
    // What changed since goes on top of what was on its way.
    for (std::size_t i = 0; i < model.pending.changes().size(); ++i)
      model.sent.change(model.pending.places()[i], model.pending.changes()[i].instance,
                        model.pending.changes()[i].play);
    std::swap(model.sent, model.pending);
    model.sent.clear();
  }
}

}  // namespace throng::detail::renderer
