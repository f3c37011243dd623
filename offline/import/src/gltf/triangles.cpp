#include <numeric>

#include "gltf/accessor.h"
#include "gltf/convert.h"

namespace throng::gltf {
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

Result<std::vector<std::uint32_t>> read_triangles(const Document& document, const tinygltf::Primitive& primitive,
                                                  std::size_t vertices, MeshTally& tally) {
  std::vector<std::uint32_t> indices;
  if (primitive.indices >= 0) {
    auto read = read_integers(document, static_cast<std::size_t>(primitive.indices));
    if (!read) return fail(std::move(read));
    indices = std::move(*read);
  } else {
    indices.resize(vertices);
    std::iota(indices.begin(), indices.end(), 0u);
  }
  if (primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP) return from_strip(indices);
  if (primitive.mode == TINYGLTF_MODE_TRIANGLE_FAN) return from_fan(indices);
  tally.spare_indices += indices.size() % 3;
  indices.resize(indices.size() / 3 * 3);
  return indices;
}

}  // namespace throng::gltf
