// What a muster records for one image.
#include <algorithm>

#include "image_check.h"
#include "muster_state.h"
#include "throng/gpu/commands.h"
#include "view_planes.h"

namespace throng {
namespace {

constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr Scope kComputeWrites{kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
constexpr Scope kComputeUses{kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};

// The most vertices that are kept for one image unless a budget asks for more: half a gigabyte.
constexpr std::uint64_t kLargestPool = std::uint64_t{32} << 20;
constexpr VkDeviceSize kPoolVertexBytes = 16;

gpu::uvec2 split(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

Result<void> grow(Gpu& gpu, Buffer& buffer, VkDeviceSize bytes, VkBufferUsageFlags usage) {
  if (bytes <= buffer.size()) return {};
  auto larger = Buffer::create(gpu, bytes + bytes / 2, usage, MemoryUse::upload);
  if (!larger) return fail(std::move(larger));
  buffer = std::move(*larger);
  return {};
}

template <class T>
void put(const Buffer& buffer, std::span<const T> values, VkDeviceSize at = 0) {
  if (!values.empty()) std::memcpy(buffer.mapped() + at, values.data(), values.size_bytes());
}

bool hides(const CrowdImage& image) { return image.culling && image.occluders.pyramid != VK_NULL_HANDLE; }

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

void Muster::State::drop_retired() {
  std::erase_if(retired, [&](const MusterRetired& old) { return old.image + settings.images_in_flight <= images; });
}

// For every character that was taken over, in every view.
Result<void> Muster::State::make_room(std::uint32_t view_count) {
  view_room = std::max(view_room, view_count);
  for (MusterMember& member : members) {
    if (member.count <= member.buffers.capacity && view_room <= member.buffers.views) continue;
    // Views alone may grow: then what is there is uploaded nowhere else, and must come along.
    const bool moves = !member.pending.replaces();
    const std::uint32_t capacity = member.count <= member.buffers.capacity
                                       ? member.buffers.capacity
                                       : roomy(member.count, most_characters(gpu->limits(), member.resources));
    auto made = CrowdBuffers::create(*gpu, member.resources, capacity, view_room, settings.motion);
    if (!made) return fail(std::move(made));
    const bool keeps_shown = capacity == member.buffers.capacity;
    const auto swap_characters = [&] {
      if (keeps_shown) std::swap(made->shown, member.buffers.shown);
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
    if (!keeps_shown) {
      const Buffer& shown = member.buffers.shown;
      member.shown =
          member.shown.is_new ? MusterMember::NewShown{} : MusterMember::NewShown{true, shown.get(), shown.size()};
    }
    MusterRetired old{
        .image = images, .buffers = std::exchange(member.buffers, std::move(*made)), .sets = {}, .others = {}};
    old.sets.push_back(std::exchange(member.set, std::move(*set)));
    retired.push_back(std::move(old));
  }
  return {};
}

// Vertices that all characters could take at full detail, or as many of them as may be kept.
Result<void> Muster::State::make_pool_room(const CrowdImage& image) {
  if (!settings.pooled) return {};
  std::uint64_t wanted = 0;
  std::uint64_t least = 0;
  bool with_tangents = false;
  for (const MusterMember& member : members) {
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
    auto made = Buffer::create(*gpu, bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                               MemoryUse::device);
    if (!made) return fail(std::move(made));
    into = std::move(*made);
    return {};
  };
  if (!enough)
    if (auto done = make(vertex_room, vertices * kPoolVertexBytes); !done) return done;
  if (!tangents_enough)
    if (auto done = make(tangent_room, vertices * sizeof(std::uint32_t)); !done) return done;
  std::vector<DescriptorSets> sets;
  for (const MusterMember& member : members) {
    auto set = make_set(member.buffers, member.resources, enough ? pool : vertex_room,
                        tangents_enough ? pool_tangents : tangent_room);
    if (!set) return fail(std::move(set));
    sets.push_back(std::move(*set));
  }
  MusterRetired old{.image = images, .buffers = {}, .sets = {}, .others = {}};
  if (!enough) old.others.push_back(std::exchange(pool, std::move(vertex_room)));
  if (!tangents_enough) old.others.push_back(std::exchange(pool_tangents, std::move(tangent_room)));
  for (std::size_t i = 0; i < members.size(); ++i)
    old.sets.push_back(std::exchange(members[i].set, std::move(sets[i])));
  retired.push_back(std::move(old));
  return {};
}

// What was asked for, or what there is room for; 0 when all fit anyway.
std::uint32_t Muster::State::budget(const CrowdImage& image) const {
  if (!settings.pooled) return image.vertex_budget;
  std::uint64_t room = std::min<std::uint64_t>(pool.size() / kPoolVertexBytes, 0xFFFFFFFEu);
  if (std::ranges::any_of(members, [](const MusterMember& member) { return member.resources.tangents(); }))
    room = std::min<std::uint64_t>(room, pool_tangents.size() / sizeof(std::uint32_t));
  const std::uint64_t asked = image.vertex_budget == 0 ? room : std::min<std::uint64_t>(image.vertex_budget, room);
  std::uint64_t most = 0;
  for (const MusterMember& member : members) most += std::uint64_t{member.count} * member.record.vertex_counts[0];
  return most <= asked ? 0 : static_cast<std::uint32_t>(asked);
}

Result<void> Muster::State::upload_member(VkCommandBuffer into, MusterMember& member, MusterSlot::Upload& to) {
  const VolkDeviceTable& vk = gpu->vk();
  const PendingChanges& pending = member.pending;
  if (pending.replaces()) {
    const auto instances = pending.instances().first(std::min<std::size_t>(member.count, pending.instances().size()));
    const auto plays = pending.plays().first(instances.size());
    if (instances.empty()) return {};
    if (auto done = grow(*gpu, to.whole, instances.size_bytes() + plays.size_bytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
        !done)
      return done;
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
  if (auto done = grow(*gpu, to.changes, pending.changes().size_bytes(), kStorage); !done) return done;
  if (auto done = grow(*gpu, to.places, pending.places().size_bytes(), kStorage); !done) return done;
  if (to.set.size() == 0) {
    const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
    auto set = DescriptorSets::create(*gpu, std::array{storage, storage}, 1);
    if (!set) return fail(std::move(set));
    to.set = std::move(*set);
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
void Muster::State::bring_shown(VkCommandBuffer into) {
  for (MusterMember& member : members) {
    member.carried_shown = settings.motion && member.shown.is_new;
    if (!member.carried_shown) continue;
    const VkBuffer to = member.buffers.shown.get();
    const VkBufferCopy all{0, 0, member.shown.bytes};
    if (all.size > 0) gpu->vk().vkCmdCopyBuffer(into, member.shown.from, to, 1, &all);
    gpu->vk().vkCmdFillBuffer(into, to, all.size, VK_WHOLE_SIZE, 0);
    member.shown.is_new = false;
  }
}

Result<void> Muster::State::upload(VkCommandBuffer into) {
  for (std::size_t i = 0; i < members.size(); ++i)
    if (auto done = upload_member(into, members[i], slot().uploads[i]); !done) return done;
  for (MusterMember& member : members) {
    std::swap(member.carried, member.pending);
    member.pending.clear();
  }
  bring_shown(into);
  return {};
}

void Muster::State::write_image(VkCommandBuffer into, const CrowdImage& image) {
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
  put(slot().asked, std::span<const gpu::ImageRecord>(&record, 1));
  std::vector<gpu::ModelRecord> records;
  for (const MusterMember& member : members) {
    records.push_back(member.record);
    records.back().capacity = member.buffers.capacity;
  }
  put(slot().asked, std::span<const gpu::ModelRecord>(records), sizeof(record));
  const VkBufferCopy of_image{0, 0, sizeof(record)};
  const VkBufferCopy of_models{sizeof(record), 0, records.size() * sizeof(gpu::ModelRecord)};
  gpu->vk().vkCmdCopyBuffer(into, slot().asked.get(), slot().image.get(), 1, &of_image);
  gpu->vk().vkCmdCopyBuffer(into, slot().asked.get(), slot().models.get(), 1, &of_models);
}

Result<void> Muster::State::bind_occluders(const CrowdImage& image) {
  if (!hides(image)) return {};
  DescriptorSets& set = slot().occluders;
  if (set.size() == 0) {
    auto made = DescriptorSets::create(*gpu, occluder_bindings(), 1);
    if (!made) return fail(std::move(made));
    set = std::move(*made);
  }
  set.write_image(0, 0, image.occluders.pyramid, VK_NULL_HANDLE);
  return {};
}

void Muster::State::cull(VkCommandBuffer into, const CrowdImage& image) {
  const VolkDeviceTable& vk = gpu->vk();
  const bool hiding = hides(image);
  const VkPipelineLayout layout = hiding ? programs.hiding.get() : programs.layout.get();
  vk.vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_COMPUTE, hiding ? programs.cull_hidden.get() : programs.cull.get());
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const MusterMember& member = members[i];
    if (member.count == 0) continue;
    const std::array sets{slot().set[0], member.set[0], hiding ? slot().occluders[0] : VK_NULL_HANDLE};
    vk.vkCmdBindDescriptorSets(into, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, hiding ? 3 : 2, sets.data(), 0,
                               nullptr);
    const gpu::CullBatch batch{i, member.count, cull_groups(member.count), 1 + views};
    vk.vkCmdPushConstants(into, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(into, batch.group_count, 1, 1);
  }
}

void Muster::State::plan(VkCommandBuffer into, const CrowdImage& image) {
  const VolkDeviceTable& vk = gpu->vk();
  const auto bind = [&](const MusterMember* member, VkPipeline pipeline) {
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
  const auto groups = [](const MusterMember& member) { return cull_groups(member.count); };
  const auto buckets = [&](const MusterMember&) { return (1 + views) * gpu::kMostLevels; };
  const gpu::PlanSettings planning{image.pixel_error, image.speck_pixels, budget(image),
                                   static_cast<std::uint32_t>(members.size())};

  cull(into, image);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  bind(nullptr, programs.plan.get());
  push(planning);
  vk.vkCmdDispatch(into, 1, 1, 1);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for_each([&](const MusterMember&) { return programs.count.get(); }, groups);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for_each([&](const MusterMember&) { return programs.scan.get(); }, buckets);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  bind(nullptr, programs.arrange.get());
  push(planning);
  vk.vkCmdDispatch(into, planning.model_count, 1, 1);
  memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for_each([](const MusterMember& member) { return member.programs.gather.get(); }, groups);
}

void Muster::State::animate(VkCommandBuffer into) {
  const VolkDeviceTable& vk = gpu->vk();
  const auto bind = [&](const MusterMember& member, VkPipeline pipeline) {
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
    const MusterMember& member = members[i];
    if (member.count == 0 || member.programs.pose_together == 0) continue;
    posed = true;
    bind(member, member.programs.pose.get());
    push(gpu::CullBatch{i, member.count, 0, 1 + views});
    vk.vkCmdDispatchIndirect(into, plans.get(), i * sizeof(gpu::PlanRecord) + offsetof(gpu::PlanRecord, pose_dispatch));
  }
  if (posed && settings.pooled) memory_barrier(*gpu, into, kComputeWrites, kComputeUses);
  for (std::uint32_t i = 0; settings.pooled && i < members.size(); ++i) {
    const MusterMember& member = members[i];
    for (std::uint32_t level = 0; member.count > 0 && level < member.record.mesh_count; ++level) {
      bind(member, member.programs.skin[level].get());
      push(gpu::SkinBatch{i, level, member.record.vertex_counts[level]});
      vk.vkCmdDispatchIndirect(
          into, plans.get(),
          i * sizeof(gpu::PlanRecord) + offsetof(gpu::PlanRecord, skin_dispatch) + level * 3 * sizeof(std::uint32_t));
    }
  }
}

Result<void> Muster::record(VkCommandBuffer commands, const CrowdImage& image) {
  State& state = *state_;
  if (state.members.empty()) return fail("the crowd has no model; add one first");
  if (1 + image.shadows.size() > gpu::kMostViews)
    return fail("{} shadow passes, but an image has {} at most", image.shadows.size(), gpu::kMostViews - 1);
  if (auto checked = check_image(image); !checked) return checked;
  state.drop_retired();
  const auto views = static_cast<std::uint32_t>(1 + image.shadows.size());
  if (auto done = state.make_room(views); !done) return done;
  if (auto done = state.make_pool_room(image); !done) return done;
  if (auto done = state.bind_occluders(image); !done) return done;
  state.views = views;
  state.prepared = false;

  constexpr VkPipelineStageFlags2 kReaders = kCompute | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                                             VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
  constexpr VkPipelineStageFlags2 kUploads = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
  const Gpu& gpu = *state.gpu;
  // What the last image left must have been read before this one is written over it.
  memory_barrier(gpu, commands, {kReaders, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kUploads | kCompute, VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                                           VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
  if (auto done = state.upload(commands); !done) return done;
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
  for (MusterMember& member : state.members) member.prepared_count = member.count;
  return {};
}

void Muster::drop_image() {
  // Its slot is free again: nothing was submitted that uses it.
  if (std::exchange(state_->carrying, false)) {
    --state_->images;
    --state_->number;
    state_->view = state_->last_view;
  }
  state_->prepared = false;
  for (MusterMember& member : state_->members) {
    // Where it was taken from may be gone by now.
    if (std::exchange(member.carried_shown, false)) member.shown = {};
    if (member.pending.replaces()) continue;
    // What changed since goes on top of what was on its way.
    for (std::size_t i = 0; i < member.pending.changes().size(); ++i)
      member.carried.change(member.pending.places()[i], member.pending.changes()[i].instance,
                            member.pending.changes()[i].play);
    std::swap(member.carried, member.pending);
    member.carried.clear();
  }
}

}  // namespace throng
