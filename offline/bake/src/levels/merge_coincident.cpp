// SPDX-License-Identifier: Apache-2.0
#include "levels/merge_coincident.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "throng/character/surface_paint.h"

namespace throng::detail::bake {
namespace {

constexpr double kSeen = 0.5;          // of a level's error, what a triangle's looks may change
constexpr double kShading = 0.5;       // a normal turned by 60° changes a surface's brightness by about so much
constexpr float kTexture = 2.0f;       // how much one texture coordinate from 0 to 1 counts that no picture goes with
constexpr std::size_t kMostHeirs = 8;  // of one place, vertices that are tried

// Where a triangle's looks are taken: their shares of its corners.
constexpr std::array<std::array<float, 3>, 6> kSamples{{{0.7f, 0.15f, 0.15f},
                                                        {0.15f, 0.7f, 0.15f},
                                                        {0.15f, 0.15f, 0.7f},
                                                        {0.1f, 0.45f, 0.45f},
                                                        {0.45f, 0.1f, 0.45f},
                                                        {0.45f, 0.45f, 0.1f}}};

using Corners = std::array<std::uint32_t, 3>;

struct Seen {
  glm::vec4 colour{0.0f};  // as the eye sees it: about the square root of linear light
  glm::vec3 normal{0.0f};
  glm::vec2 uv{0.0f};  // set only where the material has no picture: a game may supply its own
};

using Appearance = std::array<Seen, kSamples.size()>;

class LevelMerger {
 public:
  LevelMerger(const BakedMesh& mesh, const LevelMesh& welded, const LevelPoses& poses)
      : mesh_(mesh), welded_(welded), poses_(poses), taken_(mesh.vertices.size(), 0) {
    for (const BakedDraw& draw : mesh.draws) paints_.emplace_back(mesh.materials[draw.material], mesh.images);
  }

  void merge(CoarseLevel& level) {
    corners_ = &level.mesh.corners;
    draws_ = &level.mesh.draw;
    allowed_ = kSeen * level.error;
    looked_.clear();
    for (std::uint32_t t = 0; t < level.mesh.triangle_count(); ++t) looked_.push_back(looks(t, corners_of(t)));
    // Corners by place and vertex.
    std::vector<std::uint32_t> order(corners_->size());
    std::iota(order.begin(), order.end(), 0u);
    const auto place = [&](std::uint32_t corner) { return welded_.place_of[(*corners_)[corner]]; };
    std::ranges::sort(order, {},
                      [&](std::uint32_t corner) { return std::tuple(place(corner), (*corners_)[corner], corner); });
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
      while (end < order.size() && place(order[end]) == place(order[first])) ++end;
      merge_place({order.begin() + static_cast<std::ptrdiff_t>(first), end - first});
    }
    for (const std::uint32_t v : *corners_) taken_[v] = 1;
  }

 private:
  // The corners of a place at one of its vertices.
  struct PlaceVertex {
    std::uint32_t vertex = 0;
    std::span<const std::uint32_t> corners;
    double area = 0.0;
  };

  Corners corners_of(std::uint32_t t) const {
    return {(*corners_)[3 * t], (*corners_)[3 * t + 1], (*corners_)[3 * t + 2]};
  }

  double width(std::uint32_t t) const {
    const auto& at = welded_.poses[0];
    const auto place = [&](std::size_t k) { return at[welded_.place_of[(*corners_)[3 * t + k]]]; };
    return std::sqrt(glm::length(glm::cross(place(1) - place(0), place(2) - place(0))));
  }

  Appearance looks(std::uint32_t t, const Corners& corners) const {
    Appearance out;
    const SurfacePaint& paint = paints_[(*draws_)[t]];
    for (std::size_t i = 0; i < kSamples.size(); ++i) {
      glm::vec2 uv(0.0f);
      glm::vec4 colour(0.0f);
      glm::vec3 normal(0.0f);
      for (std::size_t k = 0; k < 3; ++k) {
        const BakedVertex& vertex = mesh_.vertices[corners[k]];
        const float share = kSamples[i][k];
        uv += share * vertex.uv;
        normal += share * vertex.normal;
        colour += share / 255.0f * glm::vec4(vertex.colour[0], vertex.colour[1], vertex.colour[2], vertex.colour[3]);
      }
      out[i] = {glm::sqrt(glm::max(paint.at(uv) * colour, 0.0f)), normal,
                paint.has_picture() ? glm::vec2(0.0f) : kTexture * uv};
    }
    return out;
  }

  // How much a triangle with these corners looks unlike what it did at first: 0 to about 1.
  double contrast(std::uint32_t t, const Corners& corners) const {
    const Appearance now = looks(t, corners);
    double sum = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const glm::vec4 off = glm::abs(now[i].colour - looked_[t][i].colour);
      const float texture = std::min(1.0f, glm::distance(now[i].uv, looked_[t][i].uv));
      sum += static_cast<double>(std::max({off.r, off.g, off.b, off.a, texture}));
      sum += kShading * static_cast<double>(glm::distance(now[i].normal, looked_[t][i].normal));
    }
    return sum / static_cast<double>(now.size());
  }

  // What is seen of it when its corners take another vertex, as a length.
  double seen(const PlaceVertex& one, std::uint32_t heir) const {
    double most = 0.0;
    for (const std::uint32_t corner : one.corners) {
      const std::uint32_t t = corner / 3;
      Corners corners = corners_of(t);
      corners[corner % 3] = heir;
      most = std::max(most, width(t) * contrast(t, corners));
      if (most > allowed_) break;
    }
    return most;
  }

  void merge_place(std::span<const std::uint32_t> corners) {
    std::vector<PlaceVertex> vertices;
    for (std::size_t first = 0, end = 0; first < corners.size(); first = end) {
      const std::uint32_t vertex = (*corners_)[corners[first]];
      double area = 0.0;
      for (; end < corners.size() && (*corners_)[corners[end]] == vertex; ++end) {
        area += width(corners[end] / 3) * width(corners[end] / 3);
      }
      vertices.push_back({vertex, corners.subspan(first, end - first), area});
    }
    if (vertices.size() < 2) return;
    std::ranges::stable_sort(vertices, [&](const PlaceVertex& a, const PlaceVertex& b) {
      return std::pair(taken_[a.vertex], a.area) > std::pair(taken_[b.vertex], b.area);
    });
    std::vector<std::uint32_t> kept;
    for (const PlaceVertex& one : vertices) {
      if (taken_[one.vertex] == 0 && give_away(one, kept)) continue;
      if (kept.size() < kMostHeirs) kept.push_back(one.vertex);
    }
  }

  bool give_away(const PlaceVertex& one, const std::vector<std::uint32_t>& kept) {
    double least = allowed_;
    const std::uint32_t* best = nullptr;
    for (const std::uint32_t& heir : kept) {
      if (!may_be_one(one.vertex, heir)) continue;
      const double cost = seen(one, heir);
      if (cost > least) continue;
      least = cost;
      best = &heir;
    }
    if (best == nullptr) return false;
    for (const std::uint32_t corner : one.corners) (*corners_)[corner] = *best;
    return true;
  }

  bool may_be_one(std::uint32_t a, std::uint32_t b) const {
    if (mesh_.parts[a] != mesh_.parts[b] || !poses_.alike(a, b)) return false;
    return mesh_.tangents.empty() || mesh_.tangents[a].w == mesh_.tangents[b].w;
  }

  const BakedMesh& mesh_;
  const LevelMesh& welded_;
  const LevelPoses& poses_;
  std::vector<SurfacePaint> paints_;  // per draw
  std::vector<std::uint8_t> taken_;   // per vertex: a coarser level has it
  // State of the level being merged:
  std::vector<std::uint32_t>* corners_ = nullptr;
  const std::vector<std::uint32_t>* draws_ = nullptr;
  double allowed_ = 0.0;
  std::vector<Appearance> looked_;  // per triangle: as it was
};

}  // namespace

void merge_coincident(const BakedMesh& mesh, const LevelMesh& welded, const LevelPoses& poses,
                      std::vector<CoarseLevel>& levels) {
  LevelMerger merger(mesh, welded, poses);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) merger.merge(*level);
}

}  // namespace throng::detail::bake
