// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory for buffers and images, cut from large blocks. Buffers and images never share a block, so
// bufferImageGranularity cannot be broken. What is larger than half a block gets memory of its own.

#include <volk.h>

#include <memory>
#include <vector>

#include "throng/base/result.h"
#include "throng/gpu/range_allocator.h"

namespace throng {

// Who reads and writes the memory.
enum class MemoryUse : std::uint8_t {
  device,    // fast for the GPU
  upload,    // written by the host, mapped and coherent
  readback,  // read by the host, mapped and coherent, cached where there is such memory
};

// What lies in the memory.
enum class ResourceKind : std::uint8_t { buffer, image };

class DeviceMemory;

// A piece of memory; gives itself back.
class Allocation {
 public:
  Allocation() = default;
  Allocation(Allocation&& other) noexcept { *this = std::move(other); }
  Allocation& operator=(Allocation&& other) noexcept;
  ~Allocation() { release(); }

  VkDeviceMemory memory() const { return memory_; }  // the block it was cut from
  VkDeviceSize offset() const { return offset_; }    // bytes from the start of that block
  std::byte* mapped() const { return mapped_; }      // none for MemoryUse::device

 private:
  friend class DeviceMemory;
  void release();

  DeviceMemory* owner_ = nullptr;
  std::size_t block_ = 0;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkDeviceSize offset_ = 0;
  std::byte* mapped_ = nullptr;
};

class DeviceMemory {
 public:
  // `table` and `device` must outlive it.
  DeviceMemory(const VolkDeviceTable& table, VkDevice device, const VkPhysicalDeviceMemoryProperties& properties);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  // A piece that meets these needs. The error says that memory ran out, and what to do.
  Result<Allocation> allocate(const VkMemoryRequirements& needs, MemoryUse use, ResourceKind kind);

  std::size_t block_count() const;  // blocks that are held now

 private:
  friend class Allocation;
  struct Block;

  Result<std::size_t> add_block(std::uint32_t type, ResourceKind kind, VkDeviceSize size, bool map);
  Result<std::uint32_t> find_type(std::uint32_t allowed, MemoryUse use) const;
  VkDeviceSize next_block_size(std::uint32_t type, ResourceKind kind) const;
  void free_block(Block& block);

  const VolkDeviceTable& table_;
  VkDevice device_;
  VkPhysicalDeviceMemoryProperties properties_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace throng
