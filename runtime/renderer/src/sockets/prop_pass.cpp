// SPDX-License-Identifier: Apache-2.0
#include "sockets/prop_pass.h"

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/upload.h"
#include "throng/shaders/shared/prop.h"
#include "throng/shaders/shared/scene.h"

namespace throng::detail::renderer {
namespace {

static_assert(sizeof(gpu::PropVertex) == 48);

constexpr VkShaderStageFlags kDrawStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr std::array<BindingSpec, 2> kBindings{
    BindingSpec{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_VERTEX_BIT},
    BindingSpec{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_VERTEX_BIT}};

// Behind the commands: how many a draw takes, which is one. Mesa's software driver remembers the count of the last draw
// that had one in a buffer, and so every draw here has.
constexpr VkDeviceSize kCountOffset = sizeof(gpu::CommandRecord) * gpu::kMostViews;

Result<void> check_mesh(const PropMesh& mesh) {
  if (mesh.positions.empty() || mesh.indices.empty()) return fail("the prop has no triangles");
  if (mesh.normals.size() != mesh.positions.size() || mesh.colours.size() != mesh.positions.size())
    return fail("the prop has {} positions, {} normals and {} colours; each vertex needs one of each",
                mesh.positions.size(), mesh.normals.size(), mesh.colours.size());
  for (const std::uint32_t index : mesh.indices)
    if (index >= mesh.positions.size())
      return fail("a triangle of the prop uses vertex {} of {}", index, mesh.positions.size());
  return {};
}

}  // namespace

Result<void> PropPass::upload(GpuDevice& gpu, const PropMesh& mesh) {
  std::vector<gpu::PropVertex> vertices;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    gpu::PropVertex vertex{};
    vertex.position = mesh.positions[i];
    vertex.normal = mesh.normals[i];
    vertex.colour = mesh.colours[i];
    vertices.push_back(vertex);
  }
  THRONG_TRY(vertices_, upload_buffer(gpu, std::as_bytes(std::span(vertices)), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
  THRONG_TRY(indices_, upload_buffer(gpu, std::as_bytes(std::span(mesh.indices)), VK_BUFFER_USAGE_INDEX_BUFFER_BIT));
  index_count_ = static_cast<std::uint32_t>(mesh.indices.size());
  THRONG_TRY(commands_,
             Buffer::create(gpu, kCountOffset + sizeof(std::uint32_t),
                            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::device));
  return {};
}

Result<PropPass> PropPass::create(GpuDevice& gpu, const Description& description, VkDescriptorSetLayout scene,
                                  const FarPipeline& far, GraphicsPipelineInfo colour, GraphicsPipelineInfo shadow) {
  THRONG_CHECK(check_mesh(*description.mesh));
  PropPass pass;
  pass.model_ = description.model;
  THRONG_CHECK(pass.upload(gpu, *description.mesh));
  const Material white;
  THRONG_TRY(pass.material_, Materials::create(gpu, std::span(&white, 1), {}));
  THRONG_TRY(pass.sets_, DescriptorSets::create(gpu, kBindings, 0));
  const std::array layouts{scene, far.model_layout(), pass.material_.set_layout(), pass.sets_.layout()};
  THRONG_TRY(pass.layout_, pipeline_layout(gpu, layouts, kDrawStages, sizeof(gpu::DrawUniforms)));
  const std::array constants{description.socket, description.sockets, far.model(description.model).motion() ? 2u : 1u};
  colour.layout = shadow.layout = pass.layout_;
  const bool motion = colour.motion != VK_FORMAT_UNDEFINED;
  colour.vertex_code = motion ? shader_code::prop_motion_vertex() : shader_code::prop_vertex();
  shadow.vertex_code = shader_code::prop_vertex();
  shadow.fragment_code = {};
  colour.constants = shadow.constants = constants;
  // Whichever side a prop turns outwards is seen.
  colour.cull = VK_CULL_MODE_NONE;
  THRONG_TRY(pass.colour_, graphics_pipeline(gpu, colour));
  THRONG_TRY(pass.shadow_, graphics_pipeline(gpu, shadow));
  return pass;
}

Result<void> PropPass::record_prepare(GpuDevice& gpu, VkCommandBuffer commands, FrameRing& ring, const FarPipeline& far,
                                      const NumberedBuffer& places) {
  if (places.number == 0) return {};
  if (bound_places_ != places.number) {
    THRONG_TRY(auto sets, DescriptorSets::create(gpu, kBindings, 1));
    sets.write_buffer(0, 0, vertices_);
    sets.write_buffer(0, 1, BufferRange{places.buffer});
    ring.retire(std::exchange(sets_, std::move(sets)));
    bound_places_ = places.number;
  }
  const VolkDeviceTable& vk = gpu.vk();
  memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_NONE},
                 {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT});
  std::vector<gpu::CommandRecord> draws;
  for (std::uint32_t view = 0; view < far.view_count(); ++view)
    draws.push_back({index_count_, 0, 0, 0, view * far.capacity(model_)});
  constexpr std::uint32_t kOne = 1;
  vk.vkCmdUpdateBuffer(commands, commands_.get(), kCountOffset, sizeof(kOne), &kOne);
  vk.vkCmdUpdateBuffer(commands, commands_.get(), 0, draws.size() * sizeof(gpu::CommandRecord), draws.data());
  memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT});
  // How many of a view have triangles: where its specks begin.
  const std::uint32_t speck = far.model(model_).record().mesh_count;
  for (std::uint32_t view = 0; view < far.view_count(); ++view) {
    const VkDeviceSize from = model_ * sizeof(gpu::PlanRecord) + offsetof(gpu::PlanRecord, bases) +
                              ((view + 1) * gpu::kMostLevels + speck) * sizeof(std::uint32_t);
    const VkBufferCopy region{from, view * sizeof(gpu::CommandRecord) + offsetof(gpu::CommandRecord, instance_count),
                              sizeof(std::uint32_t)};
    vk.vkCmdCopyBuffer(commands, far.plans().buffer, commands_.get(), 1, &region);
  }
  memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT});
  return {};
}

void PropPass::record_draw(const GpuDevice& gpu, VkCommandBuffer commands, const FarPipeline& far, std::uint32_t view,
                           const glm::mat4& clip_from_world, VkDescriptorSet scene) const {
  if (bound_places_ == 0) return;
  const VolkDeviceTable& vk = gpu.vk();
  gpu::DrawUniforms uniforms{};
  uniforms.clip_from_world = clip_from_world;
  uniforms.base_colour = glm::vec4(1.0f);
  uniforms.alpha_cutoff = -1.0f;
  const std::array rest{far.model_set(model_), material_.set(0), sets_[0]};
  constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
  vk.vkCmdBindPipeline(commands, kGraphics, view == 0 ? colour_ : shadow_);
  if (view == 0) vk.vkCmdBindDescriptorSets(commands, kGraphics, layout_, 0, 1, &scene, 0, nullptr);
  vk.vkCmdBindDescriptorSets(commands, kGraphics, layout_, 1, rest.size(), rest.data(), 0, nullptr);
  vk.vkCmdBindIndexBuffer(commands, indices_.get(), 0, VK_INDEX_TYPE_UINT32);
  vk.vkCmdPushConstants(commands, layout_, kDrawStages, 0, sizeof(uniforms), &uniforms);
  vk.vkCmdDrawIndexedIndirectCount(commands, commands_.get(), view * sizeof(gpu::CommandRecord), commands_.get(),
                                   kCountOffset, 1, sizeof(gpu::CommandRecord));
}

}  // namespace throng::detail::renderer
