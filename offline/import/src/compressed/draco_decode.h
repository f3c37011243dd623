// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draco's bytes become a mesh again. Draco believes the counts it reads: they are held against what the glTF around
// them says, and against what such a file can reasonably hold, before Draco allocates for them. Nothing it throws gets
// out.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "throng/base/result.h"

namespace draco {
class Mesh;
}

namespace throng::detail::gltf {

// How a glTF accessor wants an attribute's values.
struct DracoFormat {
  int component_type = 0;  // glTF's number for it
  std::size_t components = 0;
};

// What a mesh may claim before Draco is let at it.
struct DracoLimits {
  // Connectivity of a very regular mesh takes a small part of a bit a triangle; less is a claim, not a mesh.
  std::uint64_t triangles_per_byte = 256;
  // Draco keeps a table of the triangles for every attribute with seams of its own; all of them together.
  std::uint64_t table_triangles = std::uint64_t{1} << 24;
  // Attributes of all vertices.
  std::uint64_t attribute_bytes = std::uint64_t{1} << 29;
};

class DracoMesh {
 public:
  // How many triangles the stream says it has, without decoding any; 0 where it does not get so far.
  static std::size_t claimed_triangles(std::span<const std::byte> bytes);

  // `triangles`: what the accessor of the indices promises; any other number is an error.
  static Result<DracoMesh> decode(std::span<const std::byte> bytes, std::size_t triangles,
                                  const DracoLimits& limits = {});

  std::size_t vertices() const;
  // Three a triangle, all below vertices().
  std::vector<std::uint32_t> indices() const;
  // Packed values of the attribute with that id, one element a vertex.
  Result<std::vector<std::byte>> attribute(std::uint32_t id, const DracoFormat& format) const;

 private:
  explicit DracoMesh(std::shared_ptr<const draco::Mesh> mesh) : mesh_(std::move(mesh)) {}
  std::shared_ptr<const draco::Mesh> mesh_;
};

}  // namespace throng::detail::gltf
