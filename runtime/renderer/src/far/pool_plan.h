// SPDX-License-Identifier: Apache-2.0
#pragma once
// How large a crowd's vertex pool is, and whether an image may need more. Pure.

#include <cstdint>

namespace throng::detail::renderer {

// What all characters would take, whether seen or not.
struct VertexNeeds {
  std::uint64_t most = 0;   // at full detail
  std::uint64_t least = 0;  // at the coarsest level
  bool tangents = false;    // of any model
};

// `budget`: RendererImage::vertex_budget; `largest`: the most that the settings and the device allow.
std::uint64_t pool_size(const VertexNeeds& needs, std::uint32_t budget, std::uint64_t largest);

// Whether levels of detail may ask for more vertices than the pool has room for. What does not fit is skinned by the
// vertex shaders. False is a promise.
bool may_overflow(const VertexNeeds& needs, std::uint64_t room, std::uint32_t budget, float speck_pixels);

}  // namespace throng::detail::renderer
