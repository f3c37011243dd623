#include "pose_pass.h"

#include <algorithm>
#include <bit>

#include "commands.h"
#include "pipelines.h"
#include "shader_code.h"
#include "throng/shaders/pose_records.h"
#include "upload.h"

namespace throng {
namespace {

using gpu::ColumnRecord;
using gpu::LinkRecord;
using gpu::PaletteRecord;
using gpu::PoseBatch;

static_assert(sizeof(LinkRecord) == 48 && offsetof(LinkRecord, scale) == 28 && offsetof(LinkRecord, parent) == 32);
static_assert(sizeof(ColumnRecord) == 48 && offsetof(ColumnRecord, link) == 32);
static_assert(sizeof(PaletteRecord) == 32 && offsetof(PaletteRecord, position) == 16);
// What the smallest device has for a group to share.
static_assert(gpu::kMostSharedLinks * (2 * sizeof(glm::vec4) + sizeof(std::uint32_t)) <= 16384);
static_assert(sizeof(PoseBatch) == 16 && offsetof(PoseBatch, posed_count) == 8);

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

glm::vec4 to_vec4(const glm::dquat& q) {
  const glm::dquat unit = glm::normalize(q);
  return {unit.x, unit.y, unit.z, unit.w};
}

std::vector<LinkRecord> link_records(const BakedModel& model) {
  std::vector<LinkRecord> records;
  for (const PoseLink& link : model.skeleton) {
    LinkRecord record{};
    record.rotation = to_vec4(link.rest.rotation);
    record.position = glm::vec3(link.rest.position);
    record.scale = static_cast<float>(link.rest.scale);
    record.parent = link.parent.value_or(gpu::kNoLink);
    record.rotation_slot = link.rotation_slot.value_or(gpu::kNoSlot);
    record.translation_slot = link.translation_slot.value_or(gpu::kNoSlot);
    records.push_back(record);
  }
  return records;
}

std::vector<ColumnRecord> column_records(const BakedModel& model) {
  std::vector<ColumnRecord> records;
  for (const BakedBone& bone : model.bones) {
    ColumnRecord record{};
    record.rotation = to_vec4(bone.link_from_mesh.rotation);
    record.position = glm::vec3(bone.link_from_mesh.position);
    record.scale = static_cast<float>(bone.link_from_mesh.scale);
    record.link = bone.link;
    records.push_back(record);
  }
  return records;
}

// A buffer of at least `bytes`, or none when `old` has room. Half as much again, so that a crowd that grows one by one
// does not reallocate each time.
Result<Buffer> with_room(Gpu& gpu, const Buffer& old, VkDeviceSize bytes) {
  if (bytes <= old.size()) return Buffer();
  const VkDeviceSize roomy = std::min<VkDeviceSize>(bytes + bytes / 2, gpu.limits().maxStorageBufferRange) / 4 * 4;
  return Buffer::create(gpu, std::max(roomy, bytes), kStorage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::device);
}

}  // namespace

bool has_local_clips(const BakedModel& model) {
  return std::ranges::any_of(model.clips, [](const BakedClip& c) { return c.encoding == Encoding::local8; });
}

PoseSlots assign_pose_slots(std::span<const InstanceRecord> instances, const std::vector<bool>& clip_is_local) {
  PoseSlots slots;
  slots.instance_count = static_cast<std::uint32_t>(instances.size());
  slots.words.reserve(instances.size() * 2);
  for (const InstanceRecord& instance : instances)
    slots.words.push_back(clip_is_local[instance.clip] ? slots.posed_count++ : 0u);
  for (std::uint32_t i = 0; i < slots.instance_count; ++i)
    if (clip_is_local[instances[i].clip]) slots.words.push_back(i);
  return slots;
}

Result<void> PosePass::upload(Gpu& gpu, const BakedModel& model) {
  const std::vector<LinkRecord> links = link_records(model);
  const std::vector<ColumnRecord> columns = column_records(model);
  auto link_buffer = upload_buffer(gpu, std::as_bytes(std::span(links)), kStorage);
  if (!link_buffer) return fail(std::move(link_buffer));
  links_ = std::move(*link_buffer);
  auto column_buffer = upload_buffer(gpu, std::as_bytes(std::span(columns)), kStorage);
  if (!column_buffer) return fail(std::move(column_buffer));
  columns_buffer_ = std::move(*column_buffer);
  auto slots = with_room(gpu, {}, sizeof(std::uint32_t));
  if (!slots) return fail(std::move(slots));
  slots_ = std::move(*slots);
  auto palette = with_room(gpu, {}, sizeof(PaletteRecord));
  if (!palette) return fail(std::move(palette));
  palette_ = std::move(*palette);
  return {};
}

Result<void> PosePass::make_pipeline(const Gpu& gpu, VkDescriptorSetLayout model_layout,
                                     std::span<const std::uint32_t> model_constants) {
  std::vector<std::uint32_t> constants(model_constants.begin(), model_constants.end());
  constants.push_back(gpu::kPoseGroupSize / together_);
  constants.push_back(shared_links_);
  const std::array layouts{sets_.layout(), model_layout};
  auto layout = create_pipeline_layout(gpu, layouts, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(PoseBatch));
  if (!layout) return fail(std::move(layout));
  layout_ = std::move(*layout);
  auto pipeline = create_compute_pipeline(gpu, layout_.get(), shader_code::pose_compute(), constants);
  if (!pipeline) return fail(std::move(pipeline));
  pipeline_ = std::move(*pipeline);
  return {};
}

Result<PosePass> PosePass::create(Gpu& gpu, const BakedModel& model, VkDescriptorSetLayout model_layout,
                                  std::span<const std::uint32_t> constants) {
  PosePass pass;
  for (const BakedClip& clip : model.clips) pass.clip_is_local_.push_back(clip.encoding == Encoding::local8);
  pass.columns_ = static_cast<std::uint32_t>(model.bones.size());
  const auto links = static_cast<std::uint32_t>(model.skeleton.size());
  const std::uint32_t lanes =
      std::clamp(std::bit_ceil(std::max(links, pass.columns_)), gpu::kFewestPoseLanes, gpu::kPoseGroupSize);
  pass.together_ = gpu::kPoseGroupSize / lanes;
  pass.shared_links_ = std::min(links, gpu::kMostSharedLinks);
  if (auto done = pass.upload(gpu, model); !done) return fail(std::move(done));
  const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
  auto sets = DescriptorSets::create(gpu, std::array{storage, storage, storage}, 1);
  if (!sets) return fail(std::move(sets));
  pass.sets_ = std::move(*sets);
  pass.sets_.write_buffer(0, 0, pass.links_);
  pass.sets_.write_buffer(0, 1, pass.columns_buffer_);
  pass.sets_.write_buffer(0, 2, pass.palette_);
  if (auto done = pass.make_pipeline(gpu, model_layout, constants); !done) return fail(std::move(done));
  return pass;
}

Result<PosePass::Change> PosePass::prepare(Gpu& gpu, std::span<const InstanceRecord> instances) const {
  Change change{.slots = assign_pose_slots(instances, clip_is_local_)};
  const VkDeviceSize most = gpu.limits().maxStorageBufferRange;
  const VkDeviceSize poses = VkDeviceSize{change.slots.posed_count} * columns_ * sizeof(PaletteRecord);
  if (poses > most)
    return fail(
        "the poses of {} instances that play local8 clips take {} bytes but this device binds {} at most; split the "
        "crowd or bake with another encoding",
        change.slots.posed_count, poses, most);
  auto palette = with_room(gpu, palette_, poses);
  if (!palette) return fail(std::move(palette));
  change.palette = std::move(*palette);
  auto words = with_room(gpu, slots_, change.slots.words.size() * sizeof(std::uint32_t));
  if (!words) return fail(std::move(words));
  change.slot_buffer = std::move(*words);
  return change;
}

Result<void> PosePass::commit(Gpu& gpu, Change change) {
  const Buffer& target = change.slot_buffer.size() > 0 ? change.slot_buffer : slots_;
  // The upload's fence also stands for every earlier use of the old buffers on this queue.
  if (!change.slots.words.empty())
    if (auto done = update_buffer(gpu, target, std::as_bytes(std::span(change.slots.words))); !done) return done;
  if (change.slot_buffer.size() > 0) slots_ = std::move(change.slot_buffer);
  if (change.palette.size() > 0) palette_ = std::move(change.palette);
  sets_.write_buffer(0, 2, palette_);
  instance_count_ = change.slots.instance_count;
  posed_count_ = change.slots.posed_count;
  return {};
}

void PosePass::record(const Gpu& gpu, VkCommandBuffer commands, VkDescriptorSet model_set, std::uint64_t now,
                      VkPipelineStageFlags2 reader) const {
  if (posed_count_ == 0) return;
  const VolkDeviceTable& vk = gpu.vk();
  const std::array bound{sets_[0], model_set};
  PoseBatch batch{};
  batch.now = {static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)};
  batch.posed_count = posed_count_;
  batch.instance_count = instance_count_;
  const std::uint32_t groups = (posed_count_ - 1) / together_ + 1;
  const std::uint32_t wide = std::min(groups, gpu.limits().maxComputeWorkGroupCount[0]);
  const std::uint32_t high = (groups - 1) / wide + 1;

  constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  memory_barrier(gpu, commands, {reader | kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, bound.size(), bound.data(), 0,
                             nullptr);
  vk.vkCmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
  vk.vkCmdDispatch(commands, wide, high, 1);
  memory_barrier(gpu, commands, {kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {reader, VK_ACCESS_2_SHADER_STORAGE_READ_BIT});
}

}  // namespace throng
