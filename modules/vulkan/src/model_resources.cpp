#include "model_resources.h"

#include <algorithm>

#include "model_check.h"
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
  ImageShape shape{.format = VK_FORMAT_R32G32B32A32_UINT, .width = atlas.layout.width, .height = atlas.height};
  shape.layers = atlas.layer_count;
  shape.array = true;
  return upload_image(gpu, shape, std::as_bytes(atlas.texels));
}

std::vector<ClipRecord> clip_records(const BakedModel& model) {
  std::vector<ClipRecord> records;
  for (const BakedClip& clip : model.clips) records.push_back(clip_record(clip));
  return records;
}

std::vector<glm::vec4> pivots(const BakedModel& model) {
  std::vector<glm::vec4> result;
  for (const BakedBone& bone : model.bones) result.emplace_back(bone.pivot, 0.0f);
  return result;
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
  const std::vector<glm::vec4> bone_pivots = pivots(model);
  const InstanceRecord none{};
  if (auto done = put(gpu, vertices_, model.vertices, kStorage); !done) return done;
  if (auto done = put(gpu, indices_, model.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT); !done) return done;
  if (auto done = put(gpu, clips_, std::span<const ClipRecord>(clips), kStorage); !done) return done;
  if (auto done = put(gpu, pivots_, std::span<const glm::vec4>(bone_pivots), kStorage); !done) return done;
  if (auto done = put(gpu, instances_, std::span<const InstanceRecord>(&none, 1), kStorage); !done) return done;
  auto atlas = upload_atlas(gpu, model.atlas);
  if (!atlas) return fail(std::move(atlas));
  atlas_ = std::move(*atlas);
  return {};
}

Result<ModelResources> ModelResources::create(Gpu& gpu, const BakedModel& model, VkShaderStageFlags stages) {
  if (auto checked = check_model(model, gpu.limits()); !checked) return fail(std::move(checked));
  ModelResources resources;
  resources.constants_ = {model.atlas.layout.width, model.atlas.layout.rows_per_frame};
  resources.vertex_count_ = static_cast<std::uint32_t>(model.vertices.size());
  for (const BakedClip& clip : model.clips)
    resources.clip_bounds_.push_back(clip.bounds.empty() ? model.bounds : clip.bounds);
  resources.reach_ = reach_of(resources.clip_bounds_);
  if (auto done = resources.upload(gpu, model); !done) return fail(in(model.name, std::move(done).error()));

  VkSamplerCreateInfo nearest{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  nearest.addressModeU = nearest.addressModeV = nearest.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  auto sampler = create_sampler(gpu, nearest);
  if (!sampler) return fail(std::move(sampler));
  resources.atlas_sampler_ = std::move(*sampler);

  const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, stages};
  const std::array bindings{storage, storage, storage, BindingSpec{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, stages},
                            storage};
  auto sets = DescriptorSets::create(gpu, bindings, 1);
  if (!sets) return fail(std::move(sets));
  resources.sets_ = std::move(*sets);
  resources.sets_.write_buffer(0, 0, resources.instances_);
  resources.sets_.write_buffer(0, 1, resources.clips_);
  resources.sets_.write_buffer(0, 2, resources.pivots_);
  resources.sets_.write_buffer(0, 4, resources.vertices_);
  resources.sets_.write_image(0, 3, resources.atlas_.view(), resources.atlas_sampler_.get());
  return resources;
}

Result<void> ModelResources::set_instances(Gpu& gpu, std::span<const InstanceRecord> instances) {
  if (auto checked = check_instances(instances, clip_bounds_.size(), gpu.limits()); !checked) return checked;
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
  instance_count_ = static_cast<std::uint32_t>(instances.size());
  bounds_ = bounds_of(instances, clip_bounds_);
  return {};
}

}  // namespace throng
