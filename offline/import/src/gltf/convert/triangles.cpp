// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/triangles.h"

#include <numeric>

#include "gltf/data/accessor.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

// A strip turns every second triangle around to keep its winding.
std::vector<std::uint32_t> from_strip(const std::vector<std::uint32_t>& strip) {
  std::vector<std::uint32_t> triangles;
  for (std::size_t i = 0; i + 2 < strip.size(); ++i) {
    const std::size_t odd = i % 2;
    triangles.insert(triangles.end(), {strip[i], strip[i + 1 + odd], strip[i + 2 - odd]});
  }
  return triangles;
}

std::vector<std::uint32_t> from_fan(const std::vector<std::uint32_t>& fan) {
  std::vector<std::uint32_t> triangles;
  for (std::size_t i = 1; i + 1 < fan.size(); ++i) triangles.insert(triangles.end(), {fan[i], fan[i + 1], fan[0]});
  return triangles;
}

}  // namespace

Result<std::vector<std::uint32_t>> read_triangles(const Document& document, const source::Primitive& primitive,
                                                  std::size_t vertices, MeshTally& tally) {
  std::vector<std::uint32_t> indices;
  if (primitive.indices) {
    THRONG_TRY(auto read, read_integers(document, *primitive.indices));
    indices = std::move(read);
  } else {
    indices.resize(vertices);
    std::iota(indices.begin(), indices.end(), 0u);
  }
  if (primitive.mode == kTriangleStrip) return from_strip(indices);
  if (primitive.mode == kTriangleFan) return from_fan(indices);
  tally.spare_indices += indices.size() % 3;
  indices.resize(indices.size() / 3 * 3);
  return indices;
}

}  // namespace throng::detail::gltf
