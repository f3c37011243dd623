// What a crowd pipeline records for one image: who is seen, at which level, where their vertices are.
#include <algorithm>

#include "far/crowd_pipeline_state.h"
#include "surfaces/image_check.h"
#include "surfaces/view_planes.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng::detail::renderer {
namespace {

constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr Scope kComputeWrites{kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
constexpr Scope kComputeUses{kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};

bool hides(const CrowdImage& image) { return image.culling && image.occluders.pyramid != VK_NULL_HANDLE; }

}  // namespace

Result<void> CrowdPipeline::State::bind_occluders(const CrowdImage& image) {
  if (!hides(image)) return {};
  DescriptorSets& set = slot().occluders;
  if (set.size() == 0) {
    THRONG_TRY(set, DescriptorSets::create(*gpu, occluder_bindings(), 1));
  }
  set.write_image(0, 0, image.occluders.pyramid, VK_NULL_HANDLE);
  return {};
}

void CrowdPipeline::State::cull(VkCommandBuffer into, const CrowdImage& image) {
  const VolkDeviceTable& vk = gpu->vk();
  const bool hiding = hides(image);
  const VkPipelineLayout layout = hiding ? programs.hiding.get() : programs.layout.get();
  vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, hiding ? programs.cull_hidden.get() : programs.cull.get());
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const CrowdModel& member = members[i];
    if (member.count == 0) continue;
    const std::array sets{slot().set[0], member.set[0], hiding ? slot().occluders[0] : VK_NULL_HANDLE};
    vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, hiding ? 3 : 2, sets.data(), 0,
                               nullptr);
    const gpu::CullBatch batch{i, member.count, cull_groups(member.count), 1 + views};
    vk.vkCmdPushConstants(into, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(into, batch.group_count, 1, 1);
  }
}

void CrowdPipeline::State::plan(VkCommandBuffer into, const CrowdImage& image) {
  const VolkDeviceTable& vk = gpu->vk();
  const auto bind = [&](const CrowdModel* member, VkPipeline pipeline) {
    const std::array sets{slot().set[0], member != nullptr ? member->set[0] : VK_NULL_HANDLE};
    vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.layout.get(), 0,
                               member != nullptr ? 2 : 1, sets.data(), 0, nullptr);
  };
  const auto push = [&](const auto& values) {
    vk.vkCmdPushConstants(into, programs.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(values), &values);
  };
  const auto for_each = [&](auto pipeline_of, auto groups_of) {
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (members[i].count == 0) continue;
      bind(&members[i], pipeline_of(members[i]));
      push(gpu::CullBatch{i, members[i].count, cull_groups(members[i].count), 1 + views});
      vk.vkCmdDispatch(into, groups_of(members[i]), 1, 1);
    }
  };
  const auto groups = [](const CrowdModel& member) { return cull_groups(member.count); };
  const auto buckets = [&](const CrowdModel&) { return (1 + views) * gpu::kMostLevels; };
  const gpu::PlanSettings planning{image.pixel_error, image.speck_pixels, budget(image),
                                   static_cast<std::uint32_t>(members.size())};

  cull(into, image);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  bind(nullptr, programs.plan.get());
  push(planning);
  vk.vkCmdDispatch(into, 1, 1, 1);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for_each([&](const CrowdModel&) { return programs.count.get(); }, groups);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for_each([&](const CrowdModel&) { return programs.scan.get(); }, buckets);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  bind(nullptr, programs.arrange.get());
  push(planning);
  vk.vkCmdDispatch(into, planning.model_count, 1, 1);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for_each([](const CrowdModel& member) { return member.programs.gather.get(); }, groups);
}

void CrowdPipeline::State::animate(VkCommandBuffer into) {
  const VolkDeviceTable& vk = gpu->vk();
  const auto bind = [&](const CrowdModel& member, VkPipeline pipeline) {
    const std::array sets{slot().set[0], member.set[0]};
    vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, programs.layout.get(), 0, sets.size(), sets.data(),
                               0, nullptr);
  };
  const auto push = [&](const auto& values) {
    vk.vkCmdPushConstants(into, programs.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(values), &values);
  };
  bool posed = false;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const CrowdModel& member = members[i];
    if (member.count == 0 || member.programs.pose_together == 0) continue;
    posed = true;
    bind(member, member.programs.pose.get());
    push(gpu::CullBatch{i, member.count, 0, 1 + views});
    vk.vkCmdDispatchIndirect(into, plans.get(), i * sizeof(gpu::PlanRecord) + offsetof(gpu::PlanRecord, pose_dispatch));
  }
  if (posed && settings.pooled) memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for (std::uint32_t i = 0; settings.pooled && i < members.size(); ++i) {
    const CrowdModel& member = members[i];
    for (std::uint32_t level = 0; member.count > 0 && level < member.record.mesh_count; ++level) {
      bind(member, member.programs.skin[level].get());
      push(gpu::SkinBatch{i, level, member.record.vertex_counts[level]});
      vk.vkCmdDispatchIndirect(
          into, plans.get(),
          i * sizeof(gpu::PlanRecord) + offsetof(gpu::PlanRecord, skin_dispatch) + level * 3 * sizeof(std::uint32_t));
    }
  }
}

Result<void> CrowdPipeline::record(VkCommandBuffer commands, const CrowdImage& image) {
  State& state = *state_;
  if (state.members.empty()) return fail("the crowd has no model; add one first");
  if (1 + image.shadows.size() > gpu::kMostViews)
    return fail("{} shadow passes, but an image has {} at most", image.shadows.size(), gpu::kMostViews - 1);
  THRONG_CHECK(check_image(image));
  state.drop_retired();
  const auto views = static_cast<std::uint32_t>(1 + image.shadows.size());
  THRONG_CHECK(state.make_room(views));
  THRONG_CHECK(state.make_pool_room(image));
  THRONG_CHECK(state.bind_occluders(image));
  state.views = views;
  state.prepared = false;

  constexpr VkPipelineStageFlags2 kReaders = kCompute | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                                             VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
  constexpr VkPipelineStageFlags2 kUploads = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
  const GpuDevice& gpu = *state.gpu;
  // What the last image left must have been read before this one is written over it.
  memory_barrier(gpu, commands, {kReaders, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kUploads | kCompute, VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                                           VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
  THRONG_CHECK(state.upload(commands));
  state.write_image(commands, image);
  gpu.vk().vkCmdFillBuffer(commands, state.plans.get(), 0, VK_WHOLE_SIZE, 0);
  memory_barrier(gpu, commands,
                 {kUploads | kCompute, VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 kComputeUses);
  state.plan(commands, image);
  memory_barrier(
      gpu, commands, kComputeWrites,
      {kCompute | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
       VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT});
  state.animate(commands);
  const VkBufferCopy all{0, 0, state.members.size() * sizeof(gpu::PlanRecord)};
  gpu.vk().vkCmdCopyBuffer(commands, state.plans.get(), state.slot().plans.get(), 1, &all);
  memory_barrier(
      gpu, commands,
      {kCompute | VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT},
      {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | kCompute |
           VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
       VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_HOST_READ_BIT |
           VK_ACCESS_2_TRANSFER_READ_BIT});
  ++state.images;
  state.carrying = true;
  state.prepared = true;
  for (CrowdModel& member : state.members) member.prepared_count = member.count;
  return {};
}

void CrowdPipeline::drop_image() {
  // Its slot is free again: nothing was submitted that uses it.
  if (std::exchange(state_->carrying, false)) {
    --state_->images;
    --state_->number;
    state_->view = state_->last_view;
  }
  state_->prepared = false;
  for (CrowdModel& member : state_->members) {
    // Where it was taken from may be gone by now.
    if (std::exchange(member.carried_history, false)) member.history = {};
    if (member.pending.replaces()) continue;
    // What changed since goes on top of what was on its way.
    for (std::size_t i = 0; i < member.pending.changes().size(); ++i)
      member.carried.change(member.pending.places()[i], member.pending.changes()[i].instance,
                            member.pending.changes()[i].play);
    std::swap(member.carried, member.pending);
    member.carried.clear();
  }
}

}  // namespace throng::detail::renderer
