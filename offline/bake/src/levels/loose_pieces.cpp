// SPDX-License-Identifier: Apache-2.0
#include "levels/loose_pieces.h"

#include <algorithm>
#include <numeric>

namespace throng::detail::bake {
namespace {

constexpr double kMostTriangles = 0.1;  // of all

// Places that hang together have one root.
class Joined {
 public:
  explicit Joined(std::size_t places) : above_(places) { std::iota(above_.begin(), above_.end(), 0u); }

  std::uint32_t root(std::uint32_t place) {
    while (above_[place] != place) place = above_[place] = above_[above_[place]];
    return place;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    above_[high] = low;
  }

 private:
  std::vector<std::uint32_t> above_;
};

double size_of(const LoosePiece& piece, const LevelMesh& mesh) {
  double most = 0.0;
  for (const auto& positions : mesh.poses) {
    Bounds box;
    for (const std::uint32_t t : piece.triangles) {
      for (const std::uint32_t place : mesh.places(t)) box.add(positions[place]);
    }
    most = std::max(most, box.diagonal());
  }
  return most;
}

}  // namespace

std::vector<LoosePiece> loose_pieces(const LevelMesh& mesh) {
  Joined joined(mesh.members.size());
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto places = mesh.places(t);
    joined.join(places[0], places[1]);
    joined.join(places[0], places[2]);
  }
  std::vector<LoosePiece> by_root(mesh.members.size());
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    if (!is_degenerate(mesh.places(t))) by_root[joined.root(mesh.places(t)[0])].triangles.push_back(t);
  }
  std::vector<LoosePiece> out;
  const double most = kMostTriangles * static_cast<double>(mesh.triangle_count());
  for (LoosePiece& piece : by_root) {
    if (piece.triangles.empty() || static_cast<double>(piece.triangles.size()) > most) continue;
    piece.size = size_of(piece, mesh);
    out.push_back(std::move(piece));
  }
  std::stable_sort(out.begin(), out.end(), [](const LoosePiece& a, const LoosePiece& b) { return a.size > b.size; });
  return out;
}

}  // namespace throng::detail::bake
