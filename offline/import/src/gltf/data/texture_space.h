// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which texture coordinates a material's textures use, and how KHR_texture_transform moves them. A mesh keeps one
// set for one material, so the transform is applied to the vertices and nobody behind the importer needs to know of it.

#include <glm/glm.hpp>

#include "gltf/file/document.h"

namespace throng::detail::gltf {

struct TextureSpace {
  int set = 0;
  glm::dmat2 linear{1.0};
  glm::dvec2 offset{0.0};

  friend bool operator==(const TextureSpace&, const TextureSpace&) = default;
  glm::vec2 apply(const glm::vec2& uv) const { return glm::vec2(linear * glm::dvec2(uv) + offset); }
};

// Where there is no material, or one without a texture, it is the first set as it is.
TextureSpace base_colour_space(const Document& document, source::Index material);
// The material has a normal map.
TextureSpace normal_space(const Document& document, std::size_t material);

}  // namespace throng::detail::gltf
