// SPDX-License-Identifier: Apache-2.0
#include "far/crowd_pipeline.h"

#include <algorithm>
#include <limits>

#include "far/crowd_pipeline_state.h"
#include "far/model_check.h"
#include "throng/base/try.h"
#include "throng/gpu/upload.h"

namespace throng::detail::renderer {
namespace {

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr std::uint32_t kTooMany = std::numeric_limits<std::uint32_t>::max();  // vertices to be counted

}  // namespace

CrowdPipeline::CrowdPipeline(std::unique_ptr<State> state) : state_(std::move(state)) {}
CrowdPipeline::CrowdPipeline(CrowdPipeline&&) noexcept = default;
CrowdPipeline& CrowdPipeline::operator=(CrowdPipeline&&) noexcept = default;
CrowdPipeline::~CrowdPipeline() = default;

Result<CrowdPipeline> CrowdPipeline::create(std::shared_ptr<GpuDevice> gpu, SharedImages& images,
                                            const CrowdPipelineSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  state->images = &images;
  state->settings = settings;
  THRONG_TRY(state->programs, CrowdPrograms::create(*state->gpu));
  return CrowdPipeline(std::move(state));
}

// The buffers that all models share, for as many as there are. Where that fails, the old ones stay.
Result<void> CrowdPipeline::State::arrange_shared() {
  std::array old{std::move(plans), std::move(ranges), std::move(commands), std::move(draw_counts)};
  std::vector<CrowdSlot> old_slots = std::move(slots);
  auto done = make_shared_buffers();
  if (done) return done;
  plans = std::move(old[0]);
  ranges = std::move(old[1]);
  commands = std::move(old[2]);
  draw_counts = std::move(old[3]);
  slots = std::move(old_slots);
  return done;
}

Result<void> CrowdPipeline::State::make_shared_buffers() {
  std::vector<gpu::RangeRecord> all_ranges;
  std::uint32_t command_count = 0;
  std::uint32_t count_count = 0;
  for (CrowdModel& member : members) {
    gpu::ModelRecord& record = member.record;
    record = member.resources.record();
    record.part_count = static_cast<std::uint32_t>(member.draws.materials.size());
    record.command_room = member.draws.command_room;
    record.first_range = static_cast<std::uint32_t>(all_ranges.size());
    record.first_command = command_count;
    record.first_count = count_count;
    record.skin_together = member.programs.skin_together;
    record.pose_together = member.programs.pose_together;
    const std::uint32_t draws = gpu::draw_number(record.part_count, gpu::kMostViews, 0);
    command_count += draws * record.command_room;
    count_count += draws;
    all_ranges.insert(all_ranges.end(), member.draws.ranges.begin(), member.draws.ranges.end());
  }
  if (all_ranges.empty()) all_ranges.emplace_back();
  THRONG_TRY(ranges, upload_buffer(*gpu, std::as_bytes(std::span(all_ranges)), kStorage));
  constexpr VkBufferUsageFlags kIndirect = kStorage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  THRONG_TRY(commands,
             create_bindable_buffer(*gpu, command_count * sizeof(gpu::CommandRecord), kIndirect, MemoryUse::device));
  THRONG_TRY(draw_counts,
             create_bindable_buffer(*gpu, count_count * sizeof(std::uint32_t), kIndirect, MemoryUse::device));
  THRONG_TRY(plans,
             create_bindable_buffer(*gpu, members.size() * sizeof(gpu::PlanRecord),
                                    kIndirect | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                    MemoryUse::device));
  draw_count = count_count;
  std::vector<CrowdSlot> made(images->ring.size());
  for (CrowdSlot& slot : made) THRONG_CHECK(make_slot(slot));
  slots = std::move(made);
  return {};
}

Result<void> CrowdPipeline::State::make_slot(CrowdSlot& slot) const {
  const VkDeviceSize count = members.size();
  constexpr VkBufferUsageFlags kCopied = kStorage | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  const VkDeviceSize model_bytes = count * sizeof(gpu::ModelRecord);
  THRONG_TRY(slot.staging, create_bindable_buffer(*gpu, sizeof(gpu::ImageRecord) + model_bytes,
                                                  VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  THRONG_TRY(slot.image, create_bindable_buffer(*gpu, sizeof(gpu::ImageRecord), kCopied, MemoryUse::device));
  THRONG_TRY(slot.models, create_bindable_buffer(*gpu, model_bytes, kCopied, MemoryUse::device));
  THRONG_TRY(slot.plans, create_bindable_buffer(*gpu, count * sizeof(gpu::PlanRecord), VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                                MemoryUse::readback));
  std::memset(slot.plans.mapped(), 0, count * sizeof(gpu::PlanRecord));
  THRONG_TRY(slot.set, DescriptorSets::create(*gpu, plan_bindings(), 1));
  const auto bind = [&](PlanBinding binding, const Buffer& buffer) {
    slot.set.write_buffer(0, static_cast<std::uint32_t>(binding), buffer);
  };
  bind(PlanBinding::image, slot.image);
  bind(PlanBinding::models, slot.models);
  bind(PlanBinding::plans, plans);
  bind(PlanBinding::ranges, ranges);
  bind(PlanBinding::commands, commands);
  bind(PlanBinding::counts, draw_counts);
  // Something to bind where nobody is near.
  bind(PlanBinding::near_draws, ranges);
  bind(PlanBinding::near_commands, ranges);
  slot.uploads.resize(members.size());
  return {};
}

Result<DescriptorSets> CrowdPipeline::State::make_set(const CrowdBuffers& buffers, const ModelResources& resources,
                                                      const VertexPool& vertices) const {
  DescriptorSets set;
  THRONG_TRY(set, DescriptorSets::create(*gpu, model_bindings(), 1));
  buffers.bind(set, resources);
  set.write_buffer(0, static_cast<std::uint32_t>(ModelBinding::pool), vertices.vertices());
  set.write_buffer(0, static_cast<std::uint32_t>(ModelBinding::pool_tangents), vertices.tangents());
  return set;
}

Result<std::uint32_t> CrowdPipeline::add(const Character& model, const ModelDraws& draws, bool far) {
  State& state = *state_;
  GpuDevice& gpu = *state.gpu;
  CrowdModel member;
  THRONG_TRY(member.resources, ModelResources::create(gpu, model, state.settings.motion));
  member.draws = draws;
  member.far = far;
  if (far) {
    THRONG_TRY(member.programs, ModelPrograms::create(gpu, state.programs, member.resources, state.settings));
  }
  THRONG_TRY(member.buffers, CrowdBuffers::create(gpu, member.resources, 1, state.view_room, state.settings.motion));
  THRONG_TRY(member.set, state.make_set(member.buffers, member.resources, state.images->pool));
  state.members.push_back(std::move(member));
  if (auto done = state.arrange_shared(); !done) {
    state.members.pop_back();
    return fail(std::move(done));
  }
  state.prepared = false;
  return static_cast<std::uint32_t>(state.members.size() - 1);
}

void CrowdPipeline::drop_last_model() { state_->members.pop_back(); }

Result<void> CrowdPipeline::State::check_all(const CrowdModel& member, std::span<const InstanceRecord> instances,
                                             std::span<const PlayRecord> plays) const {
  if (instances.size() != plays.size())
    return fail("there are {} instances and {} records of what they play; each needs one", instances.size(),
                plays.size());
  THRONG_CHECK(check_count(member, instances.size()));
  const std::size_t clip_count = member.resources.clip_bounds().size();
  for (std::size_t i = 0; i < instances.size(); ++i)
    THRONG_CHECK(check_character(instances[i], plays[i], i, clip_count));
  return {};
}

Result<void> CrowdPipeline::State::check_count(const CrowdModel& member, std::size_t count) const {
  if (count > 0 && !member.far)
    return fail("the model was added for near characters only; add it with ModelSettings::far");
  const std::uint32_t most = most_characters(gpu->limits(), member.resources);
  if (count <= most) return {};
  return fail("{} characters of one model, but this device holds {} at most; split the crowd", count, most);
}

void CrowdPipeline::State::take_all(CrowdModel& member, std::span<const InstanceRecord> instances,
                                    std::span<const PlayRecord> plays) {
  member.pending.replace(instances, plays);
  member.count = static_cast<std::uint32_t>(instances.size());
  member.bounds = bounds_of(instances, member.resources.clip_bounds());
}

void CrowdPipeline::State::take_changes(CrowdModel& member, std::span<const std::uint32_t> changed,
                                        std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays) {
  for (const std::uint32_t index : changed) {
    if (index >= instances.size()) continue;
    member.pending.change(index, instances[index], plays[index]);
    member.bounds.add(bounds_of(instances.subspan(index, 1), member.resources.clip_bounds()));
  }
  member.count = static_cast<std::uint32_t>(instances.size());
}

// What of a crowd's model is new: nothing when all of it is.
std::optional<std::span<const std::uint32_t>> CrowdPipeline::State::news_of(const Crowd& crowd, ModelId from,
                                                                            std::uint32_t to) const {
  const CrowdModel& member = members[to];
  if (member.crowd != crowd.identity()) return std::nullopt;
  const bool fits = crowd.instances(from).size() <= member.buffers.capacity || member.pending.replaces();
  return fits ? crowd.changes_since(from, member.version) : std::nullopt;
}

Result<void> CrowdPipeline::State::check_news(const Crowd& crowd, ModelId from, std::uint32_t to) const {
  const CrowdModel& member = members[to];
  const auto instances = crowd.instances(from);
  const auto changed = news_of(crowd, from, to);
  if (!changed) return check_all(member, instances, crowd.plays(from));
  THRONG_CHECK(check_count(member, instances.size()));
  const std::size_t clip_count = member.resources.clip_bounds().size();
  for (const std::uint32_t index : *changed)
    if (index < instances.size())
      THRONG_CHECK(check_character(instances[index], crowd.plays(from)[index], index, clip_count));
  return {};
}

Result<void> CrowdPipeline::update(const Crowd& crowd, std::span<const std::uint32_t> models) {
  State& state = *state_;
  const auto same = [&](std::uint32_t i) {
    const CrowdModel& member = state.members[models[i]];
    return member.crowd == crowd.identity() && member.version == crowd.version(ModelId(i));
  };
  for (std::uint32_t i = 0; i < models.size(); ++i)
    if (!same(i)) THRONG_CHECK(state.check_news(crowd, ModelId(i), models[i]));
  for (std::uint32_t i = 0; i < models.size(); ++i) {
    if (same(i)) continue;
    const ModelId from(i);
    CrowdModel& member = state.members[models[i]];
    if (const auto changed = state.news_of(crowd, from, models[i]))
      state.take_changes(member, *changed, crowd.instances(from), crowd.plays(from));
    else
      state.take_all(member, crowd.instances(from), crowd.plays(from));
    member.crowd = crowd.identity();
    member.version = crowd.version(from);
  }
  return {};
}

Result<void> CrowdPipeline::set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                                          std::span<const PlayRecord> plays) {
  if (model >= state_->members.size())
    return fail("model {} does not exist; {} were added", model, state_->members.size());
  CrowdModel& member = state_->members[model];
  THRONG_CHECK(state_->check_all(member, instances, plays));
  state_->take_all(member, instances, plays);
  member.crowd.reset();
  return {};
}

void CrowdPipeline::bind(VkCommandBuffer commands, VkPipelineLayout layout, std::uint32_t model) const {
  const VkDescriptorSet set = state_->members[model].set[0];
  state_->gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &set, 0, nullptr);
}

void CrowdPipeline::draw(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view, std::uint32_t part) const {
  const gpu::ModelRecord& record = state_->members[model].record;
  const VolkDeviceTable& vk = state_->gpu->vk();
  constexpr std::uint32_t kStride = sizeof(gpu::CommandRecord);
  const VkDeviceSize draw = gpu::draw_number(record.part_count, view, part);
  const VkDeviceSize command = (record.first_command + draw * record.command_room) * kStride;
  const VkDeviceSize count = (record.first_count + draw) * sizeof(std::uint32_t);
  const VkBuffer from = state_->commands.get();
  const VkBuffer counts = state_->draw_counts.get();
  if (part < record.part_count)
    vk.vkCmdDrawIndexedIndirectCount(commands, from, command, counts, count, record.command_room, kStride);
  else
    vk.vkCmdDrawIndirectCount(commands, from, command, counts, count, 1, kStride);
}

VkDescriptorSetLayout CrowdPipeline::model_layout() const { return state_->programs.model_layout.layout(); }
std::uint32_t CrowdPipeline::model_count() const { return static_cast<std::uint32_t>(state_->members.size()); }
const ModelResources& CrowdPipeline::model(std::uint32_t model) const { return state_->members[model].resources; }
VkDescriptorSet CrowdPipeline::model_set(std::uint32_t model) const { return state_->members[model].set[0]; }
std::uint32_t CrowdPipeline::instance_count(std::uint32_t model) const { return state_->members[model].count; }
std::uint32_t CrowdPipeline::prepared_count(std::uint32_t model) const {
  return state_->prepared ? state_->members[model].prepared_count : 0;
}
std::uint32_t CrowdPipeline::view_count() const { return state_->views; }
bool CrowdPipeline::pooled() const { return state_->settings.pooled; }
VertexNeeds CrowdPipeline::vertex_needs() const { return state_->vertex_needs(); }
std::uint32_t CrowdPipeline::draw_count() const { return state_->draw_count; }
std::uint32_t CrowdPipeline::first_draw(std::uint32_t model) const { return state_->members[model].record.first_count; }
const DescriptorSets& CrowdPipeline::plan_set() const { return state_->slot().set; }
const Buffer& CrowdPipeline::plans() const { return state_->plans; }
std::uint32_t CrowdPipeline::capacity(std::uint32_t model) const { return state_->members[model].buffers.capacity; }
const Buffer& CrowdPipeline::drawn(std::uint32_t model) const { return state_->members[model].buffers.drawn; }

Bounds CrowdPipeline::bounds() const {
  Bounds all;
  for (const CrowdModel& member : state_->members)
    if (member.count > 0) all.add(member.bounds);
  return all;
}

const gpu::PlanRecord* CrowdPipeline::plan(std::uint32_t model) const {
  const CrowdSlot& last = state_->slots[state_->images->ring.last_slot()];
  return reinterpret_cast<const gpu::PlanRecord*>(last.plans.mapped()) + model;
}

CrowdCounts CrowdPipeline::counts() const {
  CrowdCounts counts;
  if (state_->images->ring.recorded() == 0) return counts;
  for (std::uint32_t i = 0; i < model_count(); ++i) {
    const gpu::PlanRecord& of = *plan(i);
    const CrowdModel& member = state_->members[i];
    const gpu::ModelRecord& record = member.record;
    counts.drawn += of.drawn_count;
    counts.vertices += of.drawn_vertices - (of.drawn_vertices < kTooMany ? of.unworn_vertices : 0);
    counts.hidden += of.hidden_count;
    for (std::uint32_t level = 0; level <= record.mesh_count; ++level) {
      const std::uint64_t characters = of.totals[gpu::kMostLevels + level];
      counts.in_picture += characters;
      if (level == record.mesh_count) counts.specks += characters;
      for (std::uint32_t part = 0; level < record.mesh_count && part < record.part_count; ++part)
        counts.triangles += characters * (member.draws.ranges[part * gpu::kMostMeshLevels + level].index_count / 3);
    }
  }
  return counts;
}

}  // namespace throng::detail::renderer
