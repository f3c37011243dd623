// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/device_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "throng/base/try.h"
#include "throng/gpu/functions.h"

namespace throng {
namespace {

// Small programs stay small; large ones need few blocks.
constexpr VkDeviceSize kFirstBlock = VkDeviceSize{8} << 20;
constexpr VkDeviceSize kLargestBlock = VkDeviceSize{64} << 20;

// Best first; the first that some allowed memory type has is taken.
std::array<VkMemoryPropertyFlags, 2> preferences(MemoryUse use) {
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (use) {
    case MemoryUse::upload:
      return {kHost, kHost};
    case MemoryUse::readback:
      return {kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kHost};
    case MemoryUse::device:
      break;
  }
  return {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
}

}  // namespace

struct DeviceMemory::Block {
  std::uint32_t type = 0;
  ResourceKind kind = ResourceKind::buffer;
  bool shared = true;  // others may be put in it
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
  RangeAllocator ranges{0};
};

Allocation& Allocation::operator=(Allocation&& other) noexcept {
  if (this == &other) return *this;
  release();
  owner_ = std::exchange(other.owner_, nullptr);
  block_ = other.block_;
  memory_ = other.memory_;
  offset_ = other.offset_;
  mapped_ = other.mapped_;
  return *this;
}

void Allocation::release() {
  if (owner_ == nullptr) return;
  DeviceMemory::Block& block = *owner_->blocks_[block_];
  block.ranges.free(offset_);
  if (block.ranges.empty()) owner_->free_block(block);
  owner_ = nullptr;
}

DeviceMemory::DeviceMemory(const VolkDeviceTable& table, VkDevice device,
                           const VkPhysicalDeviceMemoryProperties& properties)
    : table_(table), device_(device), properties_(properties) {}

DeviceMemory::~DeviceMemory() {
  for (const auto& block : blocks_) free_block(*block);
}

// The slot stays, so that indices held by allocations remain right; add_block uses it again.
void DeviceMemory::free_block(Block& block) {
  table_.vkFreeMemory(device_, block.memory, nullptr);  // unmaps
  block = Block{};
}

std::size_t DeviceMemory::block_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(blocks_, [](const auto& block) { return block->memory != VK_NULL_HANDLE; }));
}

Result<std::uint32_t> DeviceMemory::find_type(std::uint32_t allowed, MemoryUse use) const {
  for (const VkMemoryPropertyFlags wanted : preferences(use)) {
    for (std::uint32_t type = 0; type < properties_.memoryTypeCount; ++type) {
      const bool has_all = (properties_.memoryTypes[type].propertyFlags & wanted) == wanted;
      if ((allowed >> type & 1u) != 0 && has_all) return type;
    }
  }
  return fail("Vulkan: the device has no memory type for this resource (allowed types {:#x})", allowed);
}

VkDeviceSize DeviceMemory::next_block_size(std::uint32_t type, ResourceKind kind) const {
  VkDeviceSize size = kFirstBlock;
  for (const auto& block : blocks_) {
    if (block->shared && block->memory != VK_NULL_HANDLE && block->type == type && block->kind == kind) size *= 2;
    if (size >= kLargestBlock) return kLargestBlock;
  }
  return size;
}

Result<std::size_t> DeviceMemory::add_block(std::uint32_t type, ResourceKind kind, VkDeviceSize size, bool map) {
  VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = size;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  THRONG_CHECK(check(table_.vkAllocateMemory(device_, &info, nullptr, &memory), "allocate {} bytes of memory", size));
  void* mapped = nullptr;
  if (map) {
    if (auto done = check(table_.vkMapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "map memory"); !done) {
      table_.vkFreeMemory(device_, memory, nullptr);
      return fail(std::move(done));
    }
  }
  auto slot = std::ranges::find_if(blocks_, [](const auto& block) { return block->memory == VK_NULL_HANDLE; });
  if (slot == blocks_.end()) slot = blocks_.insert(blocks_.end(), std::make_unique<Block>());
  **slot = Block{type, kind, true, memory, static_cast<std::byte*>(mapped), RangeAllocator(size)};
  return static_cast<std::size_t>(slot - blocks_.begin());
}

Result<Allocation> DeviceMemory::allocate(const VkMemoryRequirements& needs, MemoryUse use, ResourceKind kind) {
  THRONG_TRY(auto type, find_type(needs.memoryTypeBits, use));
  // Mapped and unmapped blocks of one type are kept apart by mapping every block the host could see.
  const bool map = (properties_.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;

  const auto take = [&](std::size_t index, VkDeviceSize offset) {
    Allocation result;
    result.owner_ = this;
    result.block_ = index;
    result.memory_ = blocks_[index]->memory;
    result.offset_ = offset;
    if (use != MemoryUse::device) result.mapped_ = blocks_[index]->mapped + offset;
    return result;
  };

  const VkDeviceSize block_size = next_block_size(type, kind);
  bool own = needs.size > block_size / 2;
  for (std::size_t i = 0; !own && i < blocks_.size(); ++i) {
    Block& block = *blocks_[i];
    if (block.memory == VK_NULL_HANDLE || !block.shared || block.type != type || block.kind != kind) continue;
    if (const auto offset = block.ranges.allocate(needs.size, needs.alignment)) return take(i, *offset);
  }
  auto index = add_block(type, kind, own ? needs.size : block_size, map);
  // Where there is no room for a whole block there may still be enough for this one resource.
  if (!index && !std::exchange(own, true)) index = add_block(type, kind, needs.size, map);
  if (!index) return fail(std::move(index));
  blocks_[*index]->shared = !own;
  const auto offset = blocks_[*index]->ranges.allocate(needs.size, needs.alignment);
  return take(*index, *offset);
}

}  // namespace throng
