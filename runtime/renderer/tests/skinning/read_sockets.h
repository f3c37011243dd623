// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sockets of a model's far characters as the GPU finds them, read back.

#include <gtest/gtest.h>

#include <vector>

#include "throng/gpu/commands.h"
#include "throng/gpu/resources.h"
#include "throng/renderer/character_renderer.h"
#include "throng/shaders/shared/sockets.h"

namespace throng::test {

// In an image of their own. `find`: what records them, given its command buffer; `places`: how many there are to be.
template <class Find>
Result<std::vector<gpu::SocketPlace>> read_sockets(GpuDevice& gpu, CharacterRenderer& renderer, std::size_t places,
                                                   Ticks now, const Find& find) {
  const VkDeviceSize bytes = sizeof(gpu::SocketPlace) * places;
  const Buffer host = Buffer::create(gpu, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback).value();
  Result<SocketBuffer> found;
  const auto done = gpu.run([&](VkCommandBuffer commands) {
    const auto prepared = renderer.record_prepare(commands, {.now = now});
    EXPECT_TRUE(prepared) << prepared.error().message;
    found = find(commands);
    if (!found) return;
    EXPECT_EQ(std::size_t{found->sockets} * found->characters, places);
    const VkBufferCopy all{0, 0, bytes};
    gpu.vk().vkCmdCopyBuffer(commands, found->buffer, host.get(), 1, &all);
    memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  });
  if (!found) return fail(std::move(found));
  EXPECT_TRUE(done) << done.error().message;
  const auto* read = reinterpret_cast<const gpu::SocketPlace*>(host.mapped());
  return std::vector(read, read + places);
}

// The sockets of the first model.
inline Result<std::vector<gpu::SocketPlace>> read_sockets(GpuDevice& gpu, CharacterRenderer& renderer,
                                                          std::size_t places, Ticks now) {
  return read_sockets(gpu, renderer, places, now,
                      [&](VkCommandBuffer commands) { return renderer.record_sockets(commands, ModelId(0), now); });
}

}  // namespace throng::test
