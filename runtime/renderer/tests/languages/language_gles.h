// SPDX-License-Identifier: Apache-2.0
#pragma once
// OpenGL ES 3 without a window, for running shaders as a browser would and reading what they give. Where the build
// found no EGL, or the machine has no driver, there is none.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace throng::test {

class Gles {
 public:
  // Null where there is no such context; `why_not` then says why.
  static std::unique_ptr<Gles> create(std::string& why_not);
  virtual ~Gles() = default;

  // Unsigned integers, so many a vertex; or the bits of floats.
  struct Attribute {
    std::string name = {};
    std::uint32_t size = 1;
    std::vector<std::uint32_t> values = {};
    bool floats = false;
  };

  struct Uniform {
    std::string name = {};
    std::variant<std::uint32_t, glm::uvec2, glm::vec4> value = {};
  };

  struct Texture {
    std::string name = {};
    std::uint32_t width = 1, height = 1;
    std::uint32_t layers = 0;       // 0: no array
    std::uint32_t texel_words = 4;  // of whole numbers: 1, 2 or 4
    // Words: whole numbers. The others are read as numbers: RGBA32F, RGBA16F, RGBA8.
    enum class Kind : std::uint8_t { words, floats, halves, bytes } kind = Kind::words;
    std::span<const std::uint32_t> words = {};
  };

  struct Run {
    std::string source = {};  // of the vertex shader, in ESSL 300 or 100
    std::vector<Attribute> attributes = {};
    std::vector<Uniform> uniforms = {};
    std::vector<Texture> textures = {};
    std::vector<std::string> outputs = {};  // of four words each
    std::uint32_t vertices = 0;
    std::uint32_t instances = 1;
  };
  // Every output of every vertex of every instance, in that order. What the shader does not use after all may be given
  // still. A failure fails the test and gives nothing.
  virtual std::vector<std::uint32_t> run(const Run& what) = 0;

  struct Picture {
    std::string source = {};  // of the fragment shader, in ESSL 300
    std::vector<Uniform> uniforms = {};
    std::vector<Texture> textures = {};
    std::uint32_t outputs = 1;  // at locations 0, 1 …, of four whole numbers each
    std::uint32_t width = 1, height = 1;
  };
  // What a fragment shader draws into RGBA32UI textures of that size, the words of each row by row. A failure fails the
  // test.
  virtual std::vector<std::vector<std::uint32_t>> draw(const Picture& what) = 0;
};

}  // namespace throng::test
