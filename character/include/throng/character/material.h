// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a surface looks: what importers read, the bake keeps and renderers draw with.

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>

namespace throng {

// What a texture shows beyond its edges.
enum class Wrap : std::uint8_t { repeat, clamp, mirror };
// What a material's alpha does.
enum class AlphaMode : std::uint8_t { opaque, mask, blend };

struct Material {
  std::string name;
  glm::vec4 base_colour{1.0f};              // linear
  std::optional<std::uint32_t> base_image;  // sRGB, an index into the images beside the materials
  // Tangent space, linear; it has the uvs, wraps and filter of the base image.
  std::optional<std::uint32_t> normal_image = {};
  float normal_scale = 1.0f;  // of its x and y
  Wrap wrap_u = Wrap::repeat;
  Wrap wrap_v = Wrap::repeat;
  bool nearest_filter = false;
  AlphaMode alpha_mode = AlphaMode::opaque;
  float alpha_cutoff = 0.5f;
  bool double_sided = false;
};

}  // namespace throng
