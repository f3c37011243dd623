// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mesh of a character as it lies in the file and in the vertex buffer.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace throng {

// A vertex of bone mode.
struct BakedVertex {
  glm::vec3 position;  // in the baked mesh's space: model space at the bake's reference pose
  glm::vec3 normal;
  glm::vec2 uv;
  std::array<std::uint16_t, 4> bones;    // as Character::bones() numbers them
  std::array<std::uint16_t, 4> weights;  // UNORM16, largest first; they sum to 65535
  std::array<std::uint8_t, 4> colour;    // UNORM8, linear
};
static_assert(sizeof(BakedVertex) == 52 && std::is_trivially_copyable_v<BakedVertex>);

// A vertex of vertex mode, whose frames hold where it is and where it faces: what its material needs; and where it
// rests, for viewers that show the mesh alone.
struct SurfaceVertex {
  glm::vec3 position;
  glm::vec2 uv;
  std::array<std::uint8_t, 4> colour;
};
static_assert(sizeof(SurfaceVertex) == 24 && std::is_trivially_copyable_v<SurfaceVertex>);

// What vertex mode keeps of whole vertices.
inline std::vector<SurfaceVertex> surfaces_of(std::span<const BakedVertex> whole) {
  std::vector<SurfaceVertex> surfaces;
  surfaces.reserve(whole.size());
  for (const BakedVertex& vertex : whole) surfaces.push_back({vertex.position, vertex.uv, vertex.colour});
  return surfaces;
}

// A view of the vertices of a character: whole ones in bone mode, surfaces in vertex mode. Either can be read as whole
// ones, one at a time; a surface then has no normal and follows column 0, of which vertex mode has one without meaning.
class MeshVertices {
 public:
  class Iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // it gives values, not references
    using value_type = BakedVertex;
    using difference_type = std::ptrdiff_t;
    using reference = BakedVertex;
    using pointer = void;

    Iterator() = default;
    Iterator(const MeshVertices* of, std::ptrdiff_t at) : of_(of), at_(at) {}
    BakedVertex operator*() const { return (*of_)[static_cast<std::size_t>(at_)]; }
    BakedVertex operator[](std::ptrdiff_t i) const { return *(*this + i); }
    Iterator& operator+=(std::ptrdiff_t i) { return at_ += i, *this; }
    Iterator& operator-=(std::ptrdiff_t i) { return at_ -= i, *this; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return {of_, at_++}; }
    Iterator operator--(int) { return {of_, at_--}; }
    friend Iterator operator+(Iterator a, std::ptrdiff_t i) { return a += i; }
    friend Iterator operator+(std::ptrdiff_t i, Iterator a) { return a += i; }
    friend Iterator operator-(Iterator a, std::ptrdiff_t i) { return a -= i; }
    friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

   private:
    const MeshVertices* of_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };

  MeshVertices() = default;
  // Implicit: whoever fills a draft assigns an array of either kind.
  MeshVertices(std::span<const BakedVertex> whole) : whole_(whole) {}
  MeshVertices(std::span<const SurfaceVertex> surfaces) : surfaces_(surfaces) {}
  MeshVertices(const std::vector<BakedVertex>& whole) : whole_(whole) {}
  MeshVertices(const std::vector<SurfaceVertex>& surfaces) : surfaces_(surfaces) {}

  std::size_t size() const { return whole_.size() + surfaces_.size(); }  // how many vertices there are
  bool empty() const { return size() == 0; }                             // whether there are none
  BakedVertex operator[](std::size_t i) const {
    if (!whole_.empty()) return whole_[i];
    const SurfaceVertex& surface = surfaces_[i];
    return {surface.position, glm::vec3(0.0f), surface.uv, {}, {65535}, surface.colour};
  }
  Iterator begin() const { return {this, 0}; }                                  // the first, read as a whole vertex
  Iterator end() const { return {this, static_cast<std::ptrdiff_t>(size())}; }  // behind the last

  // One of the two is empty.
  std::span<const BakedVertex> whole() const { return whole_; }
  // The vertices of vertex mode; empty in bone mode.
  std::span<const SurfaceVertex> surfaces() const { return surfaces_; }
  // The bytes as they lie in the file and in a vertex buffer.
  std::span<const std::byte> bytes() const { return whole_.empty() ? std::as_bytes(surfaces_) : std::as_bytes(whole_); }
  // Bytes from one vertex to the next.
  std::size_t stride() const { return whole_.empty() ? sizeof(SurfaceVertex) : sizeof(BakedVertex); }

 private:
  std::span<const BakedVertex> whole_;
  std::span<const SurfaceVertex> surfaces_;
};

inline constexpr std::size_t kMostNumberedVertices = std::size_t{1} << 24;  // what floats tell apart

// All triangles of one material: one draw.
struct BakedDraw {
  std::uint32_t material = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
};

// How far vertices are moved, in any pose of the clips, where they follow only their strongest one, two or three bones
// instead of all four; model units.
using FewerBones = std::array<double, 3>;

// A coarser mesh of the same vertices.
struct BakedLevel {
  double error = 0.0;              // how far its surface is from the full one in any pose of its clips, model units
  std::uint32_t vertex_count = 0;  // it uses no vertex past these: they come first
  std::vector<BakedDraw> draws;
  std::optional<FewerBones> fewer_bones = {};  // bone mode; none in files that do not tell
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
