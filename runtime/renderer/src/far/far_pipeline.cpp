// SPDX-License-Identifier: Apache-2.0
#include "far/far_pipeline.h"

#include <algorithm>
#include <limits>

#include "far/far_pipeline_state.h"
#include "far/model_check.h"
#include "throng/base/try.h"
#include "throng/gpu/upload.h"

namespace throng::detail::renderer {
namespace {

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr std::uint32_t kTooMany = std::numeric_limits<std::uint32_t>::max();  // vertices to be counted

double largest_scale(std::span<const InstanceRecord> instances) {
  double largest = 0.0;
  for (const InstanceRecord& instance : instances)
    largest = std::max(largest, std::abs(static_cast<double>(instance.scale)));
  return largest;
}

}  // namespace

FarPipeline::FarPipeline(std::unique_ptr<State> state) : state_(std::move(state)) {}
FarPipeline::FarPipeline(FarPipeline&&) noexcept = default;
FarPipeline& FarPipeline::operator=(FarPipeline&&) noexcept = default;
FarPipeline::~FarPipeline() = default;

Result<FarPipeline> FarPipeline::create(std::shared_ptr<GpuDevice> gpu, SharedImages& images,
                                        const FarPipelineSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  state->images = &images;
  state->settings = settings;
  THRONG_TRY(state->programs, FarPrograms::create(*state->gpu, settings));
  return FarPipeline(std::move(state));
}

// The buffers that all models share, for as many as there are. Where that fails, the old ones stay.
Result<void> FarPipeline::State::arrange_shared() {
  std::array old{std::move(plans), std::move(ranges), std::move(commands), std::move(command_counts)};
  std::vector<FarSlot> old_slots = std::move(slots);
  auto done = make_shared_buffers();
  if (done) return done;
  plans = std::move(old[0]);
  ranges = std::move(old[1]);
  commands = std::move(old[2]);
  command_counts = std::move(old[3]);
  slots = std::move(old_slots);
  return done;
}

Result<void> FarPipeline::State::make_shared_buffers() {
  std::vector<gpu::RangeRecord> all_ranges;
  std::uint32_t command_count = 0;
  std::uint32_t calls = 0;
  for (FarModel& model : models) {
    gpu::ModelRecord& record = model.record;
    record = model.resources.record();
    record.draw_count = static_cast<std::uint32_t>(model.draw_table.materials.size());
    record.command_room = model.draw_table.command_room;
    record.first_range = static_cast<std::uint32_t>(all_ranges.size());
    record.first_command = command_count;
    record.first_call = calls;
    record.skin_together = model.programs.skin_together;
    record.pose_together = model.programs.pose_together;
    const std::uint32_t its_calls = gpu::call_number(record.draw_count, gpu::kMostViews, 0);
    command_count += its_calls * record.command_room;
    calls += its_calls;
    all_ranges.insert(all_ranges.end(), model.draw_table.ranges.begin(), model.draw_table.ranges.end());
  }
  if (all_ranges.empty()) all_ranges.emplace_back();
  THRONG_TRY(ranges, upload_buffer(*gpu, std::as_bytes(std::span(all_ranges)), kStorage));
  constexpr VkBufferUsageFlags kIndirect = kStorage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  THRONG_TRY(commands,
             create_bindable_buffer(*gpu, command_count * sizeof(gpu::CommandRecord), kIndirect, MemoryUse::device));
  THRONG_TRY(command_counts, create_bindable_buffer(*gpu, calls * sizeof(std::uint32_t), kIndirect, MemoryUse::device));
  THRONG_TRY(plans,
             create_bindable_buffer(*gpu, models.size() * sizeof(gpu::PlanRecord),
                                    kIndirect | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                    MemoryUse::device));
  call_count = calls;
  std::vector<FarSlot> made(images->ring.size());
  for (FarSlot& slot : made) THRONG_CHECK(make_slot(slot));
  slots = std::move(made);
  ++plans_number;
  return {};
}

Result<void> FarPipeline::State::make_slot(FarSlot& slot) const {
  const VkDeviceSize count = models.size();
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
  bind(PlanBinding::counts, command_counts);
  // Something to bind where nobody is near.
  bind(PlanBinding::near_calls, ranges);
  bind(PlanBinding::near_commands, ranges);
  slot.uploads.resize(models.size());
  return {};
}

Result<ModelSet> FarPipeline::State::make_set(const FarBuffers& buffers, const ModelResources& resources,
                                              const VertexPool& vertices) const {
  THRONG_TRY(ModelSet set, ModelSet::create(*gpu, settings.texels));
  buffers.bind(set.sets, resources);
  set.sets.write_buffer(0, static_cast<std::uint32_t>(ModelBinding::pool), vertices.vertices());
  set.sets.write_buffer(0, static_cast<std::uint32_t>(ModelBinding::pool_tangents), vertices.tangents());
  if (!settings.texels) return set;
  THRONG_CHECK(buffers.bind_texels(*gpu, set, resources));
  THRONG_CHECK(set.write_texels(*gpu, ModelBinding::pool_texels, vertices.vertices(), VK_FORMAT_R32G32B32A32_UINT));
  return set;
}

Result<std::uint32_t> FarPipeline::add(const Character& character, const DrawTable& draw_table, bool far) {
  State& state = *state_;
  GpuDevice& gpu = *state.gpu;
  FarModel model;
  THRONG_TRY(model.resources, ModelResources::create(gpu, character, state.settings.qualities, state.settings.motion));
  model.draw_table = draw_table;
  model.far = far;
  if (far) {
    THRONG_TRY(model.programs, ModelPrograms::create(gpu, state.programs, model.resources, state.settings));
  }
  THRONG_TRY(model.buffers, FarBuffers::create(gpu, model.resources, 1, state.view_room, state.settings.motion));
  THRONG_TRY(model.set, state.make_set(model.buffers, model.resources, state.images->pool));
  state.models.push_back(std::move(model));
  if (auto done = state.arrange_shared(); !done) {
    state.models.pop_back();
    return fail(std::move(done));
  }
  state.prepared = false;
  return static_cast<std::uint32_t>(state.models.size() - 1);
}

Result<void> FarPipeline::sift(std::uint32_t model, const Buffer& triangles, std::span<const std::uint32_t> one_sided) {
  FarModel& of = state_->models[model];
  if (state_->settings.sift_samples == 0 || !of.far || one_sided.empty()) return {};
  const TriangleSift::Description description{.triangles = &triangles,
                                              .one_sided = one_sided,
                                              .vertices = of.record.vertex_counts[0],
                                              .samples = state_->settings.sift_samples};
  THRONG_TRY(of.sift, TriangleSift::create(*state_->gpu, state_->programs, of.draw_table, description));
  return {};
}

void FarPipeline::drop_last_model() { state_->models.pop_back(); }

void FarPipeline::carry(std::uint32_t model, double beyond) {
  double& most = state_->models[model].beyond;
  most = std::max(most, beyond);
}

Result<void> FarPipeline::State::check_all(const FarModel& model, std::span<const InstanceRecord> instances,
                                           std::span<const PlayRecord> plays) const {
  if (instances.size() != plays.size())
    return fail("there are {} instances and {} records of what they play; each needs one", instances.size(),
                plays.size());
  THRONG_CHECK(check_count(model, instances.size()));
  const std::size_t clip_count = model.resources.clip_boxes().size();
  for (std::size_t i = 0; i < instances.size(); ++i)
    THRONG_CHECK(check_character(instances[i], plays[i], i, clip_count));
  return {};
}

Result<void> FarPipeline::State::check_count(const FarModel& model, std::size_t count) const {
  if (count > 0 && !model.far)
    return fail("the model was added for near characters only; add it with ModelSettings::far");
  const std::uint32_t most = most_characters(gpu->limits(), model.resources);
  if (count <= most) return {};
  if (model.resources.posed())
    return fail(
        "{} characters of one model, but this device has room for the poses of {}, which clips in localv and local8 "
        "need; bake it with another encoding, as q16, or split the crowd",
        count, most);
  return fail("{} characters of one model, but this device holds {} at most; split the crowd", count, most);
}

void FarPipeline::State::take_all(FarModel& model, std::span<const InstanceRecord> instances,
                                  std::span<const PlayRecord> plays) {
  model.pending.replace(instances, plays);
  model.count = static_cast<std::uint32_t>(instances.size());
  model.bounds = bounds_of(instances, model.resources.clip_boxes());
  model.largest = largest_scale(instances);
}

void FarPipeline::State::take_changes(FarModel& model, std::span<const std::uint32_t> changed,
                                      std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays) {
  for (const std::uint32_t index : changed) {
    if (index >= instances.size()) continue;
    model.pending.change(index, instances[index], plays[index]);
    model.bounds.add(bounds_of(instances.subspan(index, 1), model.resources.clip_boxes()));
    model.largest = std::max(model.largest, largest_scale(instances.subspan(index, 1)));
  }
  model.count = static_cast<std::uint32_t>(instances.size());
}

// What of a crowd's model is new: nothing when all of it is.
std::optional<std::span<const std::uint32_t>> FarPipeline::State::news_of(const Crowd& crowd, ModelId from,
                                                                          std::uint32_t to) const {
  const FarModel& model = models[to];
  if (model.crowd != crowd.identity()) return std::nullopt;
  const bool fits = crowd.instances(from).size() <= model.buffers.capacity || model.pending.replaces();
  return fits ? crowd.changes_since(from, model.version) : std::nullopt;
}

Result<void> FarPipeline::State::check_news(const Crowd& crowd, ModelId from, std::uint32_t to) const {
  const FarModel& model = models[to];
  const auto instances = crowd.instances(from);
  const auto changed = news_of(crowd, from, to);
  if (!changed) return check_all(model, instances, crowd.plays(from));
  THRONG_CHECK(check_count(model, instances.size()));
  const std::size_t clip_count = model.resources.clip_boxes().size();
  for (const std::uint32_t index : *changed)
    if (index < instances.size())
      THRONG_CHECK(check_character(instances[index], crowd.plays(from)[index], index, clip_count));
  return {};
}

Result<void> FarPipeline::update(const Crowd& crowd, std::span<const std::uint32_t> models) {
  State& state = *state_;
  const auto same = [&](std::uint32_t i) {
    const FarModel& model = state.models[models[i]];
    return model.crowd == crowd.identity() && model.version == crowd.version(ModelId(i));
  };
  for (std::uint32_t i = 0; i < models.size(); ++i)
    if (!same(i)) THRONG_CHECK(state.check_news(crowd, ModelId(i), models[i]));
  for (std::uint32_t i = 0; i < models.size(); ++i) {
    if (same(i)) continue;
    const ModelId from(i);
    FarModel& model = state.models[models[i]];
    if (const auto changed = state.news_of(crowd, from, models[i]))
      state.take_changes(model, *changed, crowd.instances(from), crowd.plays(from));
    else
      state.take_all(model, crowd.instances(from), crowd.plays(from));
    model.crowd = crowd.identity();
    model.version = crowd.version(from);
  }
  return {};
}

Result<void> FarPipeline::set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                                        std::span<const PlayRecord> plays) {
  if (model >= state_->models.size())
    return fail("model {} does not exist; {} were added", model, state_->models.size());
  FarModel& to = state_->models[model];
  THRONG_CHECK(state_->check_all(to, instances, plays));
  state_->take_all(to, instances, plays);
  to.crowd.reset();
  return {};
}

void FarPipeline::bind(VkCommandBuffer commands, VkPipelineLayout layout, std::uint32_t model) const {
  const VkDescriptorSet set = state_->models[model].set[0];
  state_->gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &set, 0, nullptr);
}

void FarPipeline::draw(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view, std::uint32_t draw) const {
  const gpu::ModelRecord& record = state_->models[model].record;
  const VolkDeviceTable& vk = state_->gpu->vk();
  constexpr std::uint32_t kStride = sizeof(gpu::CommandRecord);
  const VkDeviceSize call = gpu::call_number(record.draw_count, view, draw);
  const VkDeviceSize command = (record.first_command + call * record.command_room) * kStride;
  const VkDeviceSize count = (record.first_call + call) * sizeof(std::uint32_t);
  const VkBuffer from = state_->commands.get();
  const VkBuffer counts = state_->command_counts.get();
  if (draw < record.draw_count)
    vk.vkCmdDrawIndexedIndirectCount(commands, from, command, counts, count, record.command_room, kStride);
  else
    vk.vkCmdDrawIndirectCount(commands, from, command, counts, count, 1, kStride);
}

bool FarPipeline::is_sifted(std::uint32_t model) const { return state_->models[model].is_sifted; }
const TriangleSift& FarPipeline::sift_of(std::uint32_t model) const { return state_->models[model].sift; }

VkDescriptorSetLayout FarPipeline::model_layout() const { return state_->programs.model_layout.layout(); }
std::uint32_t FarPipeline::model_count() const { return static_cast<std::uint32_t>(state_->models.size()); }
const ModelResources& FarPipeline::model(std::uint32_t model) const { return state_->models[model].resources; }
VkDescriptorSet FarPipeline::model_set(std::uint32_t model) const { return state_->models[model].set[0]; }
std::uint32_t FarPipeline::instance_count(std::uint32_t model) const { return state_->models[model].count; }
std::uint32_t FarPipeline::prepared_count(std::uint32_t model) const {
  return state_->prepared ? state_->models[model].prepared_count : 0;
}
std::uint32_t FarPipeline::view_count() const { return state_->views; }
bool FarPipeline::pooled() const { return state_->settings.pooled; }
VertexNeeds FarPipeline::vertex_needs() const { return state_->vertex_needs(); }
std::uint32_t FarPipeline::call_count() const { return state_->call_count; }
std::uint32_t FarPipeline::first_call(std::uint32_t model) const { return state_->models[model].record.first_call; }
NumberedBuffer FarPipeline::plans() const { return {state_->plans.get(), state_->plans_number}; }
std::uint32_t FarPipeline::capacity(std::uint32_t model) const { return state_->models[model].buffers.capacity; }
const Buffer& FarPipeline::drawn(std::uint32_t model) const { return state_->models[model].buffers.drawn; }

Bounds FarPipeline::bounds() const {
  Bounds all;
  for (const FarModel& model : state_->models) {
    if (model.count == 0 || model.bounds.empty()) continue;
    const double beyond = model.largest * model.beyond;
    all.add(Bounds{model.bounds.min - beyond, model.bounds.max + beyond});
  }
  return all;
}

const gpu::PlanRecord* FarPipeline::plan(std::uint32_t model) const {
  const FarSlot& last = state_->slots[state_->images->ring.last_slot()];
  return reinterpret_cast<const gpu::PlanRecord*>(last.plans.mapped()) + model;
}

CrowdCounts FarPipeline::counts() const {
  CrowdCounts counts;
  if (state_->images->ring.recorded() == 0) return counts;
  for (std::uint32_t i = 0; i < model_count(); ++i) {
    const gpu::PlanRecord& of = *plan(i);
    const FarModel& model = state_->models[i];
    const gpu::ModelRecord& record = model.record;
    counts.drawn += of.drawn_count;
    counts.vertices += of.drawn_vertices - (of.drawn_vertices < kTooMany ? of.unworn_vertices : 0);
    counts.hidden += of.hidden_count;
    for (std::uint32_t level = 0; level <= record.mesh_count; ++level) {
      const std::uint64_t characters = of.totals[gpu::kMostLevels + level];
      counts.in_picture += characters;
      if (level == record.mesh_count) counts.specks += characters;
      for (std::uint32_t draw = 0; level < record.mesh_count && draw < record.draw_count; ++draw)
        counts.triangles += characters * (model.draw_table.ranges[draw * gpu::kMostMeshLevels + level].index_count / 3);
    }
  }
  return counts;
}

}  // namespace throng::detail::renderer
