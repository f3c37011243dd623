#include "model_resources.h"

#include <algorithm>

#include "model_check.h"
#include "throng/shaders/frame_shapes.h"
#include "throng/shaders/vertex_words.h"
#include "upload.h"

namespace throng {
namespace {

// The shader reads vertices word by word: the words must be where C++ puts them.
static_assert(gpu::kVertexWords * 4 == sizeof(BakedVertex));
static_assert(gpu::kPositionWord * 4 == offsetof(BakedVertex, position));
static_assert(gpu::kNormalWord * 4 == offsetof(BakedVertex, normal));
static_assert(gpu::kUvWord * 4 == offsetof(BakedVertex, uv));
static_assert(gpu::kBonesWord * 4 == offsetof(BakedVertex, bones));
static_assert(gpu::kWeightsWord * 4 == offsetof(BakedVertex, weights));
static_assert(gpu::kColourWord * 4 == offsetof(BakedVertex, colour));

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

Result<ImageResource> upload_atlas(Gpu& gpu, const Atlas& atlas) {
  ImageShape shape{.format = atlas.layout.texel_words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32G32_UINT,
                   .width = atlas.layout.width,
                   .height = atlas.height};
  shape.layers = atlas.layer_count;
  shape.array = true;
  return upload_image(gpu, shape, std::as_bytes(atlas.words));
}

std::vector<ClipRecord> clip_records(const BakedModel& model) {
  std::vector<ClipRecord> records;
  for (const BakedClip& clip : model.clips) records.push_back(clip_record(model, clip));
  return records;
}

// In the order of crowd.glsl's constants.
std::array<std::uint32_t, 7> specialisation_of(const BakedModel& model) {
  std::uint32_t shapes = 0;
  std::uint32_t encodings = 0;
  for (const BakedClip& clip : model.clips) {
    const FrameLayout frames = frame_layout(model, clip);
    if (frames.frames_per_row > 1) shapes |= gpu::kFramesSideBySide;
    if (frames.rows_per_frame > 1) shapes |= gpu::kFramesFolded;
    encodings |= 1u << static_cast<std::uint32_t>(clip.encoding);
  }
  return {model.atlas.layout.width,
          model.atlas.layout.texel_words,
          shapes,
          encodings,
          static_cast<std::uint32_t>(model.bones.size()),
          model.tangents_animated ? 1u : 0u,
          rotation_slots(model)};
}

// A little more than the farthest corner: the shader's own rounding must not cull what touches the edge.
float reach_of(std::span<const Bounds> boxes) {
  double farthest = 0.0;
  for (const Bounds& box : boxes)
    if (!box.empty()) farthest = std::max(farthest, glm::length(glm::max(glm::abs(box.min), glm::abs(box.max))));
  return static_cast<float>(farthest * 1.001);
}

template <class T>
Result<void> put(Gpu& gpu, Buffer& into, std::span<const T> values, VkBufferUsageFlags usage) {
  auto buffer = upload_buffer(gpu, std::as_bytes(values), usage);
  if (!buffer) return fail(std::move(buffer));
  into = std::move(*buffer);
  return {};
}

}  // namespace

Result<void> ModelResources::upload(Gpu& gpu, const BakedModel& model) {
  const std::vector<ClipRecord> clips = clip_records(model);
  const InstanceRecord none{};
  // Vertex mode has no table, but a binding wants something to show.
  const glm::vec4 no_row(0.0f);
  const std::span<const glm::vec4> table = model.table.empty() ? std::span(&no_row, 1) : model.table;
  if (auto done = put(gpu, vertices_, model.vertices, kStorage); !done) return done;
  if (auto done = put(gpu, indices_, model.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT); !done) return done;
  if (auto done = put(gpu, clips_, std::span<const ClipRecord>(clips), kStorage); !done) return done;
  if (auto done = put(gpu, table_, table, kStorage); !done) return done;
  if (auto done = put(gpu, instances_, std::span<const InstanceRecord>(&none, 1), kStorage); !done) return done;
  auto atlas = upload_atlas(gpu, model.atlas);
  if (!atlas) return fail(std::move(atlas));
  atlas_ = std::move(*atlas);
  return {};
}

Result<void> ModelResources::make_set(Gpu& gpu, const BakedModel& model, VkShaderStageFlags stages) {
  VkSamplerCreateInfo nearest{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  nearest.addressModeU = nearest.addressModeV = nearest.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  auto sampler = create_sampler(gpu, nearest);
  if (!sampler) return fail(std::move(sampler));
  atlas_sampler_ = std::move(*sampler);

  const bool local = has_local_clips(model);
  if (local) stages |= VK_SHADER_STAGE_COMPUTE_BIT;
  const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, stages};
  const BindingSpec image{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, stages};
  auto sets = DescriptorSets::create(gpu, std::array{storage, storage, storage, image, storage, storage, storage}, 1);
  if (!sets) return fail(std::move(sets));
  sets_ = std::move(*sets);
  sets_.write_buffer(0, 0, instances_);
  sets_.write_buffer(0, 1, clips_);
  sets_.write_buffer(0, 2, table_);
  sets_.write_image(0, 3, atlas_.view(), atlas_sampler_.get());
  sets_.write_buffer(0, 4, vertices_);
  if (local) {
    auto pose = PosePass::create(gpu, model, sets_.layout(), constants_);
    if (!pose) return fail(std::move(pose));
    pose_ = std::move(*pose);
  }
  bind_poses();
  return {};
}

// Shaders of models without local8 clips name these bindings but never read them.
void ModelResources::bind_poses() {
  sets_.write_buffer(0, 5, pose_ ? pose_->slots() : table_);
  sets_.write_buffer(0, 6, pose_ ? pose_->palette() : table_);
}

Result<ModelResources> ModelResources::create(Gpu& gpu, const BakedModel& model, VkShaderStageFlags stages) {
  if (auto checked = check_model(model, gpu.limits()); !checked) return fail(std::move(checked));
  ModelResources resources;
  resources.constants_ = specialisation_of(model);
  resources.vertex_count_ = static_cast<std::uint32_t>(model.vertices.size());
  for (const BakedClip& clip : model.clips)
    resources.clip_bounds_.push_back(clip.bounds.empty() ? model.bounds : clip.bounds);
  resources.reach_ = reach_of(resources.clip_bounds_);
  if (auto done = resources.upload(gpu, model); !done) return fail(in(model.name, std::move(done).error()));
  if (auto done = resources.make_set(gpu, model, stages); !done) return fail(in(model.name, std::move(done).error()));
  return resources;
}

Result<void> ModelResources::set_instances(Gpu& gpu, std::span<const InstanceRecord> instances) {
  if (auto checked = check_instances(instances, clip_bounds_.size(), gpu.limits()); !checked) return checked;
  PosePass::Change poses;
  if (pose_) {
    auto prepared = pose_->prepare(gpu, instances);
    if (!prepared) return fail(std::move(prepared));
    poses = std::move(*prepared);
  }
  if (instances.size_bytes() > instances_.size()) {
    // Room to grow half as much again, so that a crowd that grows one by one does not reallocate each time.
    const VkDeviceSize room =
        std::min<VkDeviceSize>(instances.size_bytes() + instances.size_bytes() / 2, gpu.limits().maxStorageBufferRange);
    const VkDeviceSize whole =
        std::max<VkDeviceSize>(room / sizeof(InstanceRecord) * sizeof(InstanceRecord), instances.size_bytes());
    auto grown = Buffer::create(gpu, whole, kStorage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::device);
    if (!grown) return fail(std::move(grown));
    // The upload's fence also stands for every earlier use of the old buffer on this queue.
    if (auto done = update_buffer(gpu, *grown, std::as_bytes(instances)); !done) return done;
    instances_ = std::move(*grown);
    sets_.write_buffer(0, 0, instances_);
  } else if (!instances.empty()) {
    if (auto done = update_buffer(gpu, instances_, std::as_bytes(instances)); !done) return done;
  }
  if (pose_) {
    if (auto done = pose_->commit(gpu, std::move(poses)); !done) return done;
    bind_poses();
  }
  instance_count_ = static_cast<std::uint32_t>(instances.size());
  bounds_ = bounds_of(instances, clip_bounds_);
  return {};
}

void ModelResources::record_poses(const Gpu& gpu, VkCommandBuffer commands, std::uint64_t now,
                                  VkPipelineStageFlags2 reader) const {
  if (pose_) pose_->record(gpu, commands, set(), now, reader);
}

}  // namespace throng
