// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mesh of a character as it lies in the file and in the vertex buffer.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <type_traits>
#include <vector>

namespace throng {

struct BakedVertex {
  glm::vec3 position;  // in the baked mesh's space: model space at the bake's reference pose
  glm::vec3 normal;
  glm::vec2 uv;
  std::array<std::uint16_t, 4> bones;    // columns of the animation texture; vertex mode: 0
  std::array<std::uint16_t, 4> weights;  // UNORM16, largest first; they sum to 65535
  std::array<std::uint8_t, 4> colour;    // UNORM8, linear
};
static_assert(sizeof(BakedVertex) == 52 && std::is_trivially_copyable_v<BakedVertex>);

// All triangles of one material: one draw.
struct BakedDraw {
  std::uint32_t material = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
};

// A coarser mesh of the same vertices.
struct BakedLevel {
  double error = 0.0;              // how far its surface is from the full one in any pose of its clips, model units
  std::uint32_t vertex_count = 0;  // it uses no vertex past these: they come first
  std::vector<BakedDraw> draws;
};

// Which vertices came from which primitive of the source file. Numbers count in source order: see
// Character::baked_from_source.
struct BakedSource {
  std::uint32_t node = 0;
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

}  // namespace throng
