// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices in which very many triangles meet: the hub of a wheel, the tip of a cone. What looks at all pairs of
// triangles around a vertex takes too long there.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::detail::bake {

// Whether more than `most` corners of triangles are of one vertex.
inline bool has_hub(std::span<const std::uint32_t> corners, std::size_t vertex_count, std::uint32_t most) {
  std::vector<std::uint32_t> around(vertex_count, 0);
  return std::ranges::any_of(corners, [&](std::uint32_t v) { return ++around[v] > most; });
}

}  // namespace throng::detail::bake
