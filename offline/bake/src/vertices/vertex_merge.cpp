// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_merge.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace throng::detail::bake {
namespace {

constexpr std::uint32_t kVerticesAtOnce = 4096;
constexpr std::uint32_t kNoPart = 0xFFFFFFFFu;  // of vertices that no triangle uses

std::vector<std::uint32_t> materials_of(const BakedMesh& mesh) {
  std::vector<std::uint32_t> materials(mesh.vertices.size(), kNoPart);
  for (const BakedDraw& draw : mesh.draws) {
    for (std::uint32_t i = 0; i < draw.index_count; ++i) {
      materials[mesh.indices[draw.first_index + i]] = draw.material;
    }
  }
  return materials;
}

std::uint64_t stirred(std::uint64_t hash, std::uint64_t value) {
  return std::rotl((hash ^ value) * 0x9E3779B97F4A7C15u, 29);
}

struct Looks {
  std::uint32_t material = 0;
  std::uint32_t part = 0;
  glm::vec2 uv{0.0f};
  std::array<std::uint8_t, 4> colour{};

  friend bool operator==(const Looks&, const Looks&) = default;
};

class Merger {
 public:
  Merger(const BakedMesh& mesh, const AllFrames& frames, std::uint32_t words_per_vertex)
      : mesh_(mesh),
        frames_(frames),
        words_(words_per_vertex),
        materials_(materials_of(mesh)),
        hashes_(mesh.vertices.size()) {}

  void hash_all(Executor& executor) {
    const auto count = static_cast<std::uint32_t>(hashes_.size());
    executor.run((count + kVerticesAtOnce - 1) / kVerticesAtOnce, [&](std::size_t job) {
      const auto first = static_cast<std::uint32_t>(job) * kVerticesAtOnce;
      hash_some(first, std::min(first + kVerticesAtOnce, count));
    });
  }

  bool nearly_equal(std::uint32_t a, std::uint32_t b) const {
    if (hashes_[a] != hashes_[b] || !(looks_of(a) == looks_of(b))) return false;
    return std::all_of(frames_.begin(), frames_.end(), [&](std::span<const std::uint32_t> words) {
      const auto of_a = words.subspan(std::size_t{a} * words_, words_);
      return std::equal(of_a.begin(), of_a.end(), words.begin() + static_cast<std::ptrdiff_t>(std::size_t{b} * words_));
    });
  }

  std::uint64_t hash_of(std::uint32_t v) const { return hashes_[v]; }

 private:
  Looks looks_of(std::uint32_t v) const {
    return {materials_[v], mesh_.parts[v], mesh_.vertices[v].uv, mesh_.vertices[v].colour};
  }

  void hash_some(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t v = first; v < end; ++v) {
      const Looks looks = looks_of(v);
      hashes_[v] =
          stirred(stirred(looks.material, std::bit_cast<std::uint32_t>(looks.uv.x)),
                  stirred(std::bit_cast<std::uint32_t>(looks.uv.y), std::bit_cast<std::uint32_t>(looks.colour)));
    }
    for (const std::span<const std::uint32_t> words : frames_) {
      for (std::uint32_t v = first; v < end; ++v) {
        for (std::uint32_t w = 0; w < words_; ++w) hashes_[v] = stirred(hashes_[v], words[std::size_t{v} * words_ + w]);
      }
    }
  }

  const BakedMesh& mesh_;
  const AllFrames& frames_;
  std::uint32_t words_;
  std::vector<std::uint32_t> materials_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace

MergedVertices merge_alike(const BakedMesh& mesh, const AllFrames& frames, std::uint32_t words_per_vertex,
                           Executor& executor) {
  Merger merger(mesh, frames, words_per_vertex);
  merger.hash_all(executor);
  MergedVertices out;
  std::unordered_multimap<std::uint64_t, std::uint32_t> kept;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto [begin, end] = kept.equal_range(merger.hash_of(v));
    const auto first =
        std::find_if(begin, end, [&](const auto& other) { return merger.nearly_equal(other.second, v); });
    if (first != end) {
      out.place.push_back(out.place[first->second]);
      continue;
    }
    kept.emplace(merger.hash_of(v), v);
    out.place.push_back(out.count++);
  }
  return out;
}

}  // namespace throng::detail::bake
