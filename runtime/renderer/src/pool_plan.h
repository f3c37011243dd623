// SPDX-License-Identifier: Apache-2.0
#pragma once
// How large the vertex pool is, how near and far characters divide it, and whether an image may need more. Pure.

#include <cstdint>
#include <optional>

namespace throng::detail::renderer {

// What all far characters would take, whether seen or not.
struct VertexNeeds {
  std::uint64_t most = 0;   // at full detail
  std::uint64_t least = 0;  // at the coarsest level
  bool tangents = false;    // of any model
};

// What one image asks of the pool.
struct PoolNeeds {
  std::optional<VertexNeeds> far = {};  // none: far characters are skinned as they are drawn
  std::uint64_t near_vertices = 0;      // these come first and are never left out
  bool near_tangents = false;
  std::uint32_t vertex_budget = 0;  // RendererImage's
  float speck_pixels = 0.0f;        // RendererImage's

  bool tangents() const { return near_tangents || (far && far->tangents); }
};

// Vertices, at most.
struct PoolLimits {
  std::uint64_t far = 0;  // of far characters: RendererSettings::pool_vertices
  std::uint64_t all = 0;  // that the device can bind
};

struct PoolShares {
  std::uint64_t near = 0;  // vertices, from 0 on
  std::uint64_t far = 0;   // behind them
  // Levels of detail may ask for more vertices of far characters than there is room for. What does not fit is skinned
  // by the vertex shaders. False is a promise.
  bool overflows = false;
};

// How many vertices the pool is to have room for; `room`: what it has, which is what it keeps where that is enough.
// Near vertices are fewer than limits.all.
std::uint64_t pool_room(const PoolNeeds& needs, const PoolLimits& limits, std::uint64_t room);

// How that room is divided.
PoolShares divide_pool(const PoolNeeds& needs, const PoolLimits& limits, std::uint64_t room);

}  // namespace throng::detail::renderer
