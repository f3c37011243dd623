// SPDX-License-Identifier: Apache-2.0
#include "gpu/ui_renderer.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"

namespace throng::studio {
namespace {

std::span<ImDrawList* const> lists_of(const ImDrawData& shapes) {
  return {shapes.CmdLists, static_cast<std::size_t>(shapes.CmdListsCount)};
}

template <class T>
std::span<const T> values_of(const ImVector<T>& values) {
  return {values.Data, static_cast<std::size_t>(values.Size)};
}

// A shape's clip rectangle in pixels of the target; nothing when none of it is inside.
std::optional<VkRect2D> scissor_of(const ImVec4& clip, const ImDrawData& shapes, VkExtent2D target) {
  const auto width = static_cast<float>(target.width);
  const auto height = static_cast<float>(target.height);
  const float left = std::max((clip.x - shapes.DisplayPos.x) * shapes.FramebufferScale.x, 0.0f);
  const float top = std::max((clip.y - shapes.DisplayPos.y) * shapes.FramebufferScale.y, 0.0f);
  const float right = std::min((clip.z - shapes.DisplayPos.x) * shapes.FramebufferScale.x, width);
  const float bottom = std::min((clip.w - shapes.DisplayPos.y) * shapes.FramebufferScale.y, height);
  if (right <= left || bottom <= top) return std::nullopt;
  return VkRect2D{{static_cast<std::int32_t>(left), static_cast<std::int32_t>(top)},
                  {static_cast<std::uint32_t>(right - left), static_cast<std::uint32_t>(bottom - top)}};
}

Place place_of(const ImDrawCmd& command) {
  const auto id = reinterpret_cast<std::uintptr_t>(command.GetTexID());
  return static_cast<Place>(std::min<std::uintptr_t>(id, kPlaces - 1));
}

constexpr VkIndexType kIndexType = sizeof(ImDrawIdx) == 2 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;

// ui.vert reads vertices as five words each.
static_assert(sizeof(ImDrawVert) == 20 && offsetof(ImDrawVert, uv) == 8 && offsetof(ImDrawVert, col) == 16);

// Pushed to the vertex shader: pixels → clip space.
struct ScreenTransform {
  std::array<float, 2> scale;
  std::array<float, 2> offset;
};

}  // namespace

Result<UiRenderer> UiRenderer::create(GpuDevice& gpu, const Pictures& pictures, VkFormat colour,
                                      std::uint32_t images_in_flight) {
  UiRenderer made;
  made.gpu_ = &gpu;
  made.buffers_.resize(images_in_flight);
  constexpr std::array kBindings{BindingSpec{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_VERTEX_BIT}};
  THRONG_TRY(made.vertex_sets_, DescriptorSets::create(gpu, kBindings, images_in_flight));
  const std::array layouts{made.vertex_sets_.layout(), pictures.layout()};
  THRONG_TRY(made.layout_, pipeline_layout(gpu, layouts, VK_SHADER_STAGE_VERTEX_BIT, sizeof(ScreenTransform)));
  THRONG_TRY(made.pipeline_, graphics_pipeline(gpu, {.layout = made.layout_,
                                                     .vertex_code = shader_code::ui_vertex(),
                                                     .fragment_code = shader_code::ui_fragment(),
                                                     .colour = colour,
                                                     .depth_write = false,
                                                     .blend = true}));
  return made;
}

Result<void> UiRenderer::upload(const ImDrawData& shapes, std::size_t slot) {
  auto& [vertices, indices] = buffers_[slot];
  const auto vertex_bytes = static_cast<std::size_t>(shapes.TotalVtxCount) * sizeof(ImDrawVert);
  const auto index_bytes = static_cast<std::size_t>(shapes.TotalIdxCount) * sizeof(ImDrawIdx);
  THRONG_CHECK(grow_buffer(*gpu_, vertices, vertex_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::upload));
  THRONG_CHECK(grow_buffer(*gpu_, indices, index_bytes, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, MemoryUse::upload));
  std::size_t vertices_at = 0;
  std::size_t indices_at = 0;
  for (const ImDrawList* list : lists_of(shapes)) {
    write_values(vertices, values_of(list->VtxBuffer), vertices_at);
    write_values(indices, values_of(list->IdxBuffer), indices_at);
    vertices_at += static_cast<std::size_t>(list->VtxBuffer.size_in_bytes());
    indices_at += static_cast<std::size_t>(list->IdxBuffer.size_in_bytes());
  }
  vertex_sets_.write_buffer(slot, 0, vertices);
  return {};
}

void UiRenderer::bind_set(VkCommandBuffer commands, std::uint32_t number, VkDescriptorSet set) {
  gpu_->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, number, 1, &set, 0, nullptr);
}

void UiRenderer::bind(VkCommandBuffer commands, const ImDrawData& shapes, std::size_t slot) {
  const VolkDeviceTable& vk = gpu_->vk();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  bind_set(commands, 0, vertex_sets_[slot]);
  vk.vkCmdBindIndexBuffer(commands, buffers_[slot].indices.get(), 0, kIndexType);
  const VkViewport viewport{
      0.0f, 0.0f, shapes.DisplaySize.x * shapes.FramebufferScale.x, shapes.DisplaySize.y * shapes.FramebufferScale.y,
      0.0f, 1.0f};
  vk.vkCmdSetViewport(commands, 0, 1, &viewport);
  const ImVec2 size = shapes.DisplaySize;
  const ScreenTransform screen{
      {2.0f / size.x, 2.0f / size.y},
      {-1.0f - shapes.DisplayPos.x * 2.0f / size.x, -1.0f - shapes.DisplayPos.y * 2.0f / size.y}};
  vk.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof screen, &screen);
}

Result<void> UiRenderer::record(VkCommandBuffer commands, const ImDrawData& shapes, const Pictures& pictures,
                                std::size_t slot, VkExtent2D target) {
  if (shapes.TotalIdxCount == 0) return {};
  THRONG_CHECK(upload(shapes, slot));
  bind(commands, shapes, slot);
  const VolkDeviceTable& vk = gpu_->vk();
  std::int32_t first_vertex = 0;
  std::uint32_t first_index = 0;
  for (const ImDrawList* list : lists_of(shapes)) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      const auto scissor = scissor_of(command.ClipRect, shapes, target);
      if (!scissor || command.ElemCount == 0) continue;
      vk.vkCmdSetScissor(commands, 0, 1, &*scissor);
      bind_set(commands, 1, pictures.set(place_of(command), slot));
      vk.vkCmdDrawIndexed(commands, command.ElemCount, 1, first_index + command.IdxOffset,
                          first_vertex + static_cast<std::int32_t>(command.VtxOffset), 0);
    }
    first_index += static_cast<std::uint32_t>(list->IdxBuffer.Size);
    first_vertex += list->VtxBuffer.Size;
  }
  return {};
}

}  // namespace throng::studio
