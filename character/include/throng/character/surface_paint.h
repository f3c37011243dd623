// SPDX-License-Identifier: Apache-2.0
#pragma once
// What colour a material has at a place of its texture, about: for those who must know how a surface looks without
// drawing it.

#include <span>

#include "throng/character/image.h"
#include "throng/character/material.h"

namespace throng {

// A material's base colour, textured. Its picture is kept small, each of its texels the mean of what lies there.
class SurfacePaint {
 public:
  // The images lie beside the materials. One that cannot be decoded counts for white.
  SurfacePaint(const Material& material, std::span<const ImageSource> images);

  // Whether it has a picture that could be decoded.
  bool has_picture() const { return width_ > 0; }
  // Linear light, and alpha. What lies beyond the edges of the picture is as the material wraps it.
  glm::vec4 at(const glm::vec2& uv) const;

 private:
  glm::vec4 base_;
  Wrap wrap_u_;
  Wrap wrap_v_;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  std::vector<glm::vec4> texels_;
};

}  // namespace throng
