#pragma once
// 64-bit numbers as shaders hold them: (low, high).

#include <cstdint>

#include "throng/asset/records.h"

namespace throng {

constexpr gpu::uvec2 split(std::uint64_t value) {
  return {static_cast<gpu::uint>(value), static_cast<gpu::uint>(value >> 32)};
}
constexpr std::uint64_t join(gpu::uvec2 value) { return std::uint64_t{value.y} << 32 | value.x; }

}  // namespace throng
