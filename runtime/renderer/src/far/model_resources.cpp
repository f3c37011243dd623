// SPDX-License-Identifier: Apache-2.0
#include "far/model_resources.h"

#include <algorithm>
#include <bit>

#include "draw_table.h"
#include "far/model_check.h"
#include "far/pose_table.h"
#include "throng/base/try.h"
#include "throng/gpu/upload.h"
#include "throng/plan/model_record.h"
#include "throng/shaders/shared/pose_records.h"
#include "throng/shaders/shared/vertex_words.h"

namespace throng::detail::renderer {
namespace {

// The shader reads vertices word by word: the words must be where C++ puts them.
static_assert(gpu::kVertexWords * 4 == sizeof(BakedVertex));
static_assert(gpu::kPositionWord * 4 == offsetof(BakedVertex, position));
static_assert(gpu::kNormalWord * 4 == offsetof(BakedVertex, normal));
static_assert(gpu::kUvWord * 4 == offsetof(BakedVertex, uv));
static_assert(gpu::kBonesWord * 4 == offsetof(BakedVertex, bones));
static_assert(gpu::kWeightsWord * 4 == offsetof(BakedVertex, weights));
static_assert(gpu::kColourWord * 4 == offsetof(BakedVertex, colour));
static_assert(gpu::kSurfaceWords * 4 == sizeof(SurfaceVertex));
static_assert(gpu::kPositionWord * 4 == offsetof(SurfaceVertex, position));
static_assert(gpu::kSurfaceUvWord * 4 == offsetof(SurfaceVertex, uv));
static_assert(gpu::kSurfaceColourWord * 4 == offsetof(SurfaceVertex, colour));

// Words as they are, whatever they hold.
VkFormat format_of(const Layout& layout) {
  if (layout.texel_words == 1) return VK_FORMAT_R32_UINT;
  return layout.texel_words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32G32_UINT;
}

Result<ImageResource> upload_atlas(GpuDevice& gpu, const Atlas& atlas) {
  // Where no clip has frames there, a binding wants something to show all the same.
  if (atlas.words.empty()) {
    const glm::uvec4 nothing(0);
    return upload_image(gpu, {.format = VK_FORMAT_R32G32B32A32_UINT, .width = 1, .height = 1, .array = true},
                        std::as_bytes(std::span(&nothing, 1)));
  }
  ImageShape shape{.format = format_of(atlas.layout), .width = atlas.layout.width, .height = atlas.height};
  shape.layers = atlas.layer_count;
  shape.array = true;
  return upload_image(gpu, shape, std::as_bytes(atlas.words));
}

std::vector<ClipRecord> clip_records(const Character& model) {
  std::vector<ClipRecord> records;
  for (const BakedClip& clip : model.clips()) records.push_back(clip_record(model, clip));
  return records;
}

// Four to a word.
std::vector<std::uint32_t> packed_parts(std::span<const std::uint8_t> parts) {
  std::vector<std::uint32_t> words((parts.size() + 3) / 4);
  for (std::size_t v = 0; v < parts.size(); ++v) words[v / 4] |= std::uint32_t{parts[v]} << (8 * (v % 4));
  return words;
}

ModelConstants constants_of(const Character& model, bool motion) {
  ModelConstants constants;
  constants.atlas_width = std::max(model.atlas().layout.width, 1u);
  constants.texel_words = model.atlas().layout.texel_words;
  constants.frame_shapes = frame_shapes(model);
  for (const BakedClip& clip : model.clips()) constants.encodings |= 1u << static_cast<std::uint32_t>(clip.encoding);
  constants.columns = static_cast<std::uint32_t>(model.bones().size());
  constants.animated_tangents = model.tangents_animated() ? 1 : 0;
  constants.rotation_slots = rotation_slots(model);
  if (model.has_tangents()) constants.mesh_has |= gpu::kMeshTangents;
  if (!model.vertex_parts().empty()) constants.mesh_has |= gpu::kMeshParts;
  if (!model.morphs().empty()) constants.mesh_has |= gpu::kMeshMorphs;
  if (motion) constants.mesh_has |= gpu::kMeshHistory;
  return constants;
}

}  // namespace

std::vector<BindingSpec> model_bindings(bool texels) {
  constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
  constexpr VkShaderStageFlags kBoth = kCompute | VK_SHADER_STAGE_VERTEX_BIT;
  std::vector<BindingSpec> specs(static_cast<std::size_t>(ModelBinding::count),
                                 {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBoth});
  const auto at = [&](ModelBinding binding) -> BindingSpec& { return specs[static_cast<std::size_t>(binding)]; };
  at(ModelBinding::atlas).type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  for (const ModelBinding binding :
       {ModelBinding::codes, ModelBinding::group_counts, ModelBinding::links, ModelBinding::columns,
        ModelBinding::skin_vertices, ModelBinding::history, ModelBinding::part_vertices, ModelBinding::pose_table})
    at(binding).stages = kCompute;
  at(ModelBinding::speck).stages = VK_SHADER_STAGE_VERTEX_BIT;
  constexpr auto kFirstTexels = static_cast<std::size_t>(ModelBinding::instance_texels);
  for (std::size_t i = kFirstTexels; i < specs.size(); ++i) specs[i].type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  if (!texels) specs.resize(kFirstTexels);
  return specs;
}

Result<ModelSet> ModelSet::create(const GpuDevice& gpu, bool texels) {
  ModelSet made;
  THRONG_TRY(made.sets, DescriptorSets::create(gpu, model_bindings(texels), 1));
  return made;
}

Result<void> ModelSet::write_texels(const GpuDevice& gpu, ModelBinding binding, const Buffer& buffer, VkFormat format) {
  THRONG_TRY(auto view, create_texel_view(gpu, buffer, format));
  sets.write_texels(0, static_cast<std::uint32_t>(binding), view.get());
  texels.push_back(std::move(view));
  return {};
}

std::uint32_t ModelResources::palette_rows() const {
  return (constants_.encodings & gpu::kAffineEncodings) != 0 ? 3 : 2;
}

namespace {

// The speck, and behind it what each part adds.
std::vector<glm::vec4> speck_rows(const UploadData& upload) {
  std::vector<glm::vec4> rows(std::begin(upload.speck.bands), std::end(upload.speck.bands));
  for (const gpu::SpeckSums& part : upload.speck_parts) {
    rows.insert(rows.end(), std::begin(part.painted), std::end(part.painted));
    rows.push_back(part.reach);
  }
  return rows;
}

}  // namespace

Result<void> ModelResources::upload(GpuDevice& gpu, const Character& model) {
  const std::vector<ClipRecord> clips = clip_records(model);
  const std::vector<glm::vec4> boxes = box_records(model.bounds(), clip_boxes_);
  // Vertex mode has no table, but a binding wants something to show.
  const glm::vec4 no_row(0.0f);
  const std::span<const glm::vec4> table = model.table().empty() ? std::span(&no_row, 1) : model.table();
  constexpr VkBufferUsageFlags kTexels = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  THRONG_TRY(vertices_, upload_values(gpu, model.vertices().bytes(), kTexels));
  THRONG_TRY(clips_, upload_values(gpu, std::span<const ClipRecord>(clips)));
  THRONG_TRY(table_, upload_values(gpu, table, kTexels));
  THRONG_TRY(boxes_, upload_values(gpu, std::span<const glm::vec4>(boxes)));
  THRONG_TRY(speck_, upload_values(gpu, std::span<const glm::vec4>(speck_rows(model.upload()))));
  if (!stores_vertices_) {
    THRONG_TRY(skin_vertices_, upload_values(gpu, model.upload().skin_vertices, kTexels));
  }
  if (parts()) {
    const std::vector<std::uint32_t> words = packed_parts(model.vertex_parts());
    THRONG_TRY(vertex_parts_, upload_values(gpu, std::span<const std::uint32_t>(words)));
    const std::vector<std::uint32_t> counts = counted_parts(model);
    THRONG_TRY(part_vertices_, upload_values(gpu, std::span<const std::uint32_t>(counts)));
  }
  if (!model.tangents().empty()) {
    THRONG_TRY(tangents_, upload_values(gpu, model.tangents()));
  }
  if (morphs()) {
    const std::vector<std::uint32_t> words = morph_words(model.draft());
    THRONG_TRY(morphs_, upload_values(gpu, std::span<const std::uint32_t>(words)));
  }
  THRONG_TRY(atlas_, upload_atlas(gpu, model.atlas()));
  VkSamplerCreateInfo nearest{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  nearest.addressModeU = nearest.addressModeV = nearest.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  THRONG_TRY(atlas_sampler_, create_sampler(gpu, nearest));
  return {};
}

// What the smallest device has for a group to share.
static_assert(gpu::kMostSharedLinks * (2 * sizeof(glm::vec4) + sizeof(std::uint32_t)) <= 16384);

Result<void> ModelResources::upload_skeleton(GpuDevice& gpu, const Character& model) {
  if (model.skeleton().empty()) return {};
  const auto links = static_cast<std::uint32_t>(model.skeleton().size());
  pose_lanes_ = std::clamp(std::bit_ceil(std::max(links, columns())), gpu::kFewestPoseLanes, gpu::kPoseGroupSize);
  shared_links_ = std::min(links, gpu::kMostSharedLinks);
  const std::vector<gpu::LinkRecord> link_list = link_records(model);
  const std::vector<gpu::ColumnRecord> column_list = column_records(model);
  THRONG_TRY(links_, upload_values(gpu, std::span<const gpu::LinkRecord>(link_list)));
  THRONG_TRY(columns_, upload_values(gpu, std::span<const gpu::ColumnRecord>(column_list)));
  if (!model.channel_words().empty()) {
    THRONG_TRY(channels_, upload_values(gpu, model.channel_words()));
  }
  const std::uint32_t most = std::max(links, columns()), threads = gpu.shuffled_threads();
  if (const PoseTable table = pose_table(model, most <= threads ? threads : 0); !table.rows.empty()) {
    THRONG_TRY(pose_table_, upload_values(gpu, std::span<const glm::uvec4>(table.rows)));
    jumps_ = table.jumps;
    pose_shapes_ = table.shapes;
    pose_width_ = table.width;
    pose_in_subgroups_ = most <= threads;
    pose_lanes_ =
        most <= gpu::kFewestPoseLanes ? gpu::kFewestPoseLanes : std::clamp(std::bit_ceil(most) / 2, 32u, 128u);
    if (pose_in_subgroups_) pose_lanes_ = threads;
  }
  return {};
}

Result<ModelResources> ModelResources::create(GpuDevice& gpu, const Character& model, const LevelQualities& asked,
                                              bool motion) {
  THRONG_CHECK(check_model(model, gpu.limits()));
  ModelResources resources;
  resources.constants_ = constants_of(model, motion);
  resources.stores_vertices_ = model.mode() == BakeMode::vertices;
  resources.uniform_scale_ = model.upload().uniform_scale;
  resources.clip_boxes_ = throng::clip_boxes(model);
  resources.qualities_ = qualities_of(model, asked);
  resources.record_ = model_record(model, resources.clip_boxes_, resources.qualities_);
  THRONG_CHECK(resources.upload(gpu, model));
  THRONG_CHECK(resources.upload_skeleton(gpu, model));
  return resources;
}

void ModelResources::bind(const DescriptorSets& sets) const {
  const auto write = [&](ModelBinding binding, const Buffer& buffer) {
    sets.write_buffer(0, static_cast<std::uint32_t>(binding), buffer);
  };
  write(ModelBinding::clips, clips_);
  write(ModelBinding::table, table_);
  write(ModelBinding::vertices, vertices_);
  write(ModelBinding::tangents, tangents_.size() > 0 ? tangents_ : nothing());
  write(ModelBinding::vertex_parts, parts() ? vertex_parts_ : nothing());
  write(ModelBinding::part_vertices, parts() ? part_vertices_ : nothing());
  write(ModelBinding::boxes, boxes_);
  write(ModelBinding::links, posed() ? links_ : nothing());
  write(ModelBinding::columns, posed() ? columns_ : nothing());
  write(ModelBinding::speck, speck_);
  write(ModelBinding::skin_vertices, stores_vertices_ ? nothing() : skin_vertices_);
  write(ModelBinding::morphs, morphs() ? morphs_ : nothing());
  write(ModelBinding::channels, channels_.size() > 0 ? channels_ : nothing());
  write(ModelBinding::pose_table, jumps_ ? pose_table_ : nothing());
  sets.write_image(0, static_cast<std::uint32_t>(ModelBinding::atlas), atlas_.view(), atlas_sampler_.get());
}

Result<void> ModelResources::bind_texels(const GpuDevice& gpu, ModelSet& set) const {
  THRONG_CHECK(set.write_texels(gpu, ModelBinding::vertex_texels, vertices_, VK_FORMAT_R32_UINT));
  return set.write_texels(gpu, ModelBinding::skin_vertex_texels, stores_vertices_ ? nothing() : skin_vertices_,
                          VK_FORMAT_R32G32B32A32_UINT);
}

}  // namespace throng::detail::renderer
