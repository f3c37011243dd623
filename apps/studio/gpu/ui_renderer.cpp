// SPDX-License-Identifier: Apache-2.0
#include "gpu/ui_renderer.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "gpu/ui_pipeline.h"

namespace throng::studio {
namespace {

std::span<ImDrawList* const> lists_of(const ImDrawData& shapes) {
  return {shapes.CmdLists, static_cast<std::size_t>(shapes.CmdListsCount)};
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

}  // namespace

Result<UiRenderer> UiRenderer::create(const WindowDevice& device, const Pictures& pictures, VkFormat colour,
                                      std::uint32_t images_in_flight) {
  UiRenderer made;
  made.device_ = &device;
  made.buffers_.resize(images_in_flight);
  auto layout = make_ui_layout(device, pictures.layout());
  if (!layout) return fail(std::move(layout));
  made.layout_ = std::move(*layout);
  auto pipeline = make_ui_pipeline(device, made.layout_.get(), colour);
  if (!pipeline) return fail(std::move(pipeline));
  made.pipeline_ = std::move(*pipeline);
  return made;
}

Result<void> UiRenderer::upload(const ImDrawData& shapes, Buffers& buffers) {
  const auto vertex_bytes = static_cast<std::size_t>(shapes.TotalVtxCount) * sizeof(ImDrawVert);
  const auto index_bytes = static_cast<std::size_t>(shapes.TotalIdxCount) * sizeof(ImDrawIdx);
  if (auto done = grow(buffers.vertices, *device_, vertex_bytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT); !done) return done;
  if (auto done = grow(buffers.indices, *device_, index_bytes, VK_BUFFER_USAGE_INDEX_BUFFER_BIT); !done) return done;
  std::byte* vertices = buffers.vertices.data();
  std::byte* indices = buffers.indices.data();
  for (const ImDrawList* list : lists_of(shapes)) {
    const auto list_vertices = static_cast<std::size_t>(list->VtxBuffer.size_in_bytes());
    const auto list_indices = static_cast<std::size_t>(list->IdxBuffer.size_in_bytes());
    std::memcpy(vertices, list->VtxBuffer.Data, list_vertices);
    std::memcpy(indices, list->IdxBuffer.Data, list_indices);
    vertices += list_vertices;
    indices += list_indices;
  }
  return {};
}

void UiRenderer::bind(VkCommandBuffer commands, const ImDrawData& shapes, const Buffers& buffers) {
  const VolkDeviceTable& vk = device_->vk();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.get());
  const VkBuffer vertices = buffers.vertices.get();
  const VkDeviceSize start = 0;
  vk.vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &start);
  vk.vkCmdBindIndexBuffer(commands, buffers.indices.get(), 0, kIndexType);
  const VkViewport viewport{
      0.0f, 0.0f, shapes.DisplaySize.x * shapes.FramebufferScale.x, shapes.DisplaySize.y * shapes.FramebufferScale.y,
      0.0f, 1.0f};
  vk.vkCmdSetViewport(commands, 0, 1, &viewport);
  const ImVec2 size = shapes.DisplaySize;
  const ScreenTransform screen{
      {2.0f / size.x, 2.0f / size.y},
      {-1.0f - shapes.DisplayPos.x * 2.0f / size.x, -1.0f - shapes.DisplayPos.y * 2.0f / size.y}};
  vk.vkCmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof screen, &screen);
}

Result<void> UiRenderer::record(VkCommandBuffer commands, const ImDrawData& shapes, const Pictures& pictures,
                                std::uint32_t slot, VkExtent2D target) {
  if (shapes.TotalIdxCount == 0) return {};
  if (auto done = upload(shapes, buffers_[slot]); !done) return done;
  bind(commands, shapes, buffers_[slot]);
  const VolkDeviceTable& vk = device_->vk();
  std::int32_t first_vertex = 0;
  std::uint32_t first_index = 0;
  for (const ImDrawList* list : lists_of(shapes)) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      const auto scissor = scissor_of(command.ClipRect, shapes, target);
      if (!scissor || command.ElemCount == 0) continue;
      vk.vkCmdSetScissor(commands, 0, 1, &*scissor);
      const VkDescriptorSet set = pictures.set(place_of(command), slot);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.get(), 0, 1, &set, 0, nullptr);
      vk.vkCmdDrawIndexed(commands, command.ElemCount, 1, first_index + command.IdxOffset,
                          first_vertex + static_cast<std::int32_t>(command.VtxOffset), 0);
    }
    first_index += static_cast<std::uint32_t>(list->IdxBuffer.Size);
    first_vertex += list->VtxBuffer.Size;
  }
  return {};
}

}  // namespace throng::studio
