// SPDX-License-Identifier: Apache-2.0
#include "upload/prepare.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "throng/base/keep.h"
#include "throng/character/codecs/packed_direction.h"

namespace throng::detail::character {
namespace {

constexpr float kNormalAgreement = 0.999f;  // cosine; packing is off by a thousandth of that

bool falls(const BakedVertex& vertex) { return std::ranges::is_sorted(vertex.weights, std::greater{}); }

void sort(BakedVertex& vertex) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return vertex.weights[i]; });
  const BakedVertex before = vertex;
  for (std::size_t i = 0; i < order.size(); ++i) {
    vertex.weights[i] = before.weights[order[i]];
    vertex.bones[i] = before.bones[order[i]];
  }
}

std::uint32_t pair(std::uint16_t low, std::uint16_t high) { return std::uint32_t{low} | std::uint32_t{high} << 16; }

glm::uvec4 influences_of(const BakedVertex& vertex) {
  return {pair(vertex.bones[0], vertex.bones[1]), pair(vertex.bones[2], vertex.bones[3]),
          pair(vertex.weights[0], vertex.weights[1]), pair(vertex.weights[2], vertex.weights[3])};
}

glm::uvec3 place_of(const BakedVertex& vertex) {
  const glm::vec3& p = vertex.position;
  return {std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y), std::bit_cast<std::uint32_t>(p.z)};
}

bool normal_agrees(const glm::vec3& normal, std::uint32_t packed) {
  const float length = glm::length(normal);
  return length == 0.0f || glm::dot(unpacked_direction(packed), normal) >= kNormalAgreement * length;
}

}  // namespace

void finish_vertices(CharacterDraft& draft) {
  const std::span<const BakedVertex> whole = draft.vertices.whole();
  if (draft.mode == BakeMode::vertices) {
    if (draft.tangents_animated) draft.tangents = {};
    if (!whole.empty()) draft.vertices = keep(draft.storage, surfaces_of(whole));
    return;
  }
  if (std::ranges::all_of(whole, falls)) return;
  std::vector<BakedVertex> sorted(whole.begin(), whole.end());
  for (BakedVertex& vertex : sorted) sort(vertex);
  draft.vertices = keep(draft.storage, std::move(sorted));
}

std::vector<glm::uvec4> skin_vertices(std::span<const BakedVertex> vertices) {
  std::vector<glm::uvec4> words;
  words.reserve(vertices.size() * 2);
  for (const BakedVertex& vertex : vertices) {
    words.emplace_back(place_of(vertex), packed_direction(vertex.normal));
    words.push_back(influences_of(vertex));
  }
  return words;
}

Result<void> check_skin_vertices(std::span<const BakedVertex> vertices, std::span<const glm::uvec4> stored) {
  if (stored.size() != 2 * vertices.size()) {
    return fail("{} skin vertices for {} vertices; two each are right", stored.size(), vertices.size());
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const BakedVertex& vertex = vertices[v];
    const glm::uvec4& first = stored[2 * v];
    if (!falls(vertex)) return fail("vertex {} does not have its strongest bone first", v);
    if (glm::uvec3(first) != place_of(vertex) || stored[2 * v + 1] != influences_of(vertex) ||
        !normal_agrees(vertex.normal, first.w)) {
      return fail("skin vertex {} is not what the vertex is", v);
    }
  }
  return {};
}

}  // namespace throng::detail::character
