// SPDX-License-Identifier: Apache-2.0
#pragma once
// Streams of EXT_meshopt_compression and KHR_meshopt_compression become bytes again. Nothing about a stream is trusted:
// its size is checked against what its count needs at the very least before anything is allocated.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::gltf {

enum class MeshoptMode : std::uint8_t { attributes, triangles, indices };
enum class MeshoptFilter : std::uint8_t { none, octahedral, quaternion, exponential, colour };

// `count` elements of `stride` bytes.
struct MeshoptStream {
  std::span<const std::byte> bytes = {};
  std::size_t count = 0;
  std::size_t stride = 0;
  MeshoptMode mode = MeshoptMode::attributes;
  MeshoptFilter filter = MeshoptFilter::none;

  std::size_t decoded_size() const { return count * stride; }
};

// Whether mode, filter, count and stride go together, and the stream is long enough to hold so many elements.
Result<void> check_meshopt(const MeshoptStream& stream);

// The elements, unfiltered. The stream has been checked.
Result<std::vector<std::byte>> decode_meshopt(const MeshoptStream& stream);

// How the attribute codec lays a stream out.
inline constexpr std::size_t kMeshoptGroup = 16;  // elements that share a bit width
std::size_t meshopt_block_elements(std::size_t stride);
// Baseline element and, in version 1, channel modes, padded in front.
std::size_t meshopt_tail_size(std::size_t stride, unsigned version);

}  // namespace throng::detail::gltf
