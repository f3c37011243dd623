// SPDX-License-Identifier: Apache-2.0
#include "faces/polygons.h"

#include <algorithm>
#include <cmath>

#include "faces/exact_orientation.h"
#include "faces/monotone_pieces.h"
#include "throng/math/directions.h"

namespace throng::detail::import {
namespace {

using Points = std::vector<glm::dvec2>;
using Triangles = std::vector<std::uint32_t>;

// How far corners are moved to take a face that touches itself apart, relative to its size. Exact arithmetic tells
// even such neighbours apart, and no renderer can.
constexpr double kNudge = 1e-9;

glm::dvec3 newell_normal(std::span<const glm::dvec3> corners) {
  glm::dvec3 normal(0.0);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    // Relative to the first corner, so that faces far from the origin lose no digits.
    const glm::dvec3 a = corners[i] - corners[0];
    const glm::dvec3 b = corners[(i + 1) % corners.size()] - corners[0];
    normal += glm::cross(a, b);
  }
  return normal;
}

// Whether the corners leave their plane by no more than floats round.
bool is_planar(std::span<const glm::dvec3> corners, const glm::dvec3& unit_normal) {
  constexpr double kRounding = 1e-5;  // of the face's size
  double size = 0.0;
  double above = 0.0;
  for (const glm::dvec3& corner : corners) {
    const glm::dvec3 from_first = corner - corners[0];
    size = std::max(size, glm::length(from_first));
    above = std::max(above, std::abs(glm::dot(from_first, unit_normal)));
  }
  return above <= kRounding * size;
}

// For planar faces: leaves out the axis that the normal is nearest to, which rounds nothing. Anticlockwise seen from
// the normal's side.
Points without_axis(std::span<const glm::dvec3> corners, const glm::dvec3& normal) {
  const glm::dvec3 size = glm::abs(normal);
  const int dropped = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
  int u = (dropped + 1) % 3;
  int v = (dropped + 2) % 3;
  if (normal[dropped] < 0.0) std::swap(u, v);
  Points points;
  points.reserve(corners.size());
  for (const glm::dvec3& corner : corners) points.emplace_back(corner[u], corner[v]);
  return points;
}

// For bent faces, along the normal itself: another direction may show them crossing themselves.
Points along_normal(std::span<const glm::dvec3> corners, const glm::dvec3& normal) {
  const glm::dvec3 n = glm::normalize(normal);
  const glm::dvec3 u = perpendicular(n);
  const glm::dvec3 v = glm::cross(n, u);
  Points points;
  points.reserve(corners.size());
  for (const glm::dvec3& corner : corners) {
    const glm::dvec3 from_first = corner - corners[0];
    points.emplace_back(glm::dot(from_first, u), glm::dot(from_first, v));
  }
  return points;
}

// To a size of about one by a power of two, which rounds nothing. What is then too small for exact arithmetic is zero.
void scale_to_unit(Points& points) {
  constexpr double kTooSmall = 0x1p-400;
  double largest = 0.0;
  for (const glm::dvec2& p : points) largest = std::max({largest, std::abs(p.x), std::abs(p.y)});
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto scaled = [exponent](double value) {
    const double small = std::ldexp(value, -exponent);
    return std::abs(small) < kTooSmall ? 0.0 : small;
  };
  for (glm::dvec2& p : points) p = {scaled(p.x), scaled(p.y)};
}

// Whether all corners lie on one line.
bool is_flat(std::span<const glm::dvec3> corners) {
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    if (glm::cross(corners[i] - corners[0], corners[i + 1] - corners[0]) != glm::dvec3(0.0)) return false;
  }
  return true;
}

void add(Triangles& out, std::size_t a, std::size_t b, std::size_t c) {
  for (const std::size_t corner : {a, b, c}) out.push_back(static_cast<std::uint32_t>(corner));
}

int corner_turn(const Points& points, std::size_t i) {
  const std::size_t n = points.size();
  return orientation(points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
}

// Every turn is to the left, and it goes round once: it has one lowest corner.
bool is_convex(const Points& points) {
  const std::size_t n = points.size();
  std::size_t bottoms = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (corner_turn(points, i) <= 0) return false;
    const glm::dvec2& before = points[(i + n - 1) % n];
    const glm::dvec2& after = points[(i + 1) % n];
    const auto lower = [](const glm::dvec2& a, const glm::dvec2& b) { return a.y < b.y || (a.y == b.y && a.x < b.x); };
    bottoms += lower(points[i], before) && lower(points[i], after) ? 1 : 0;
  }
  return bottoms == 1;
}

void fan_from_last(std::size_t n, Triangles& out) {
  for (std::size_t i = 0; i + 3 < n; ++i) add(out, n - 1, i, i + 1);
  add(out, n - 3, n - 2, n - 1);
}

// How much area a triangle may have on the wrong side: none, or as much as moving its corners by the nudge gives.
bool faces_forward(const Points& points, const Triangles& triangles, double allowed) {
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    const glm::dvec2& a = points[triangles[i]];
    const glm::dvec2& b = points[triangles[i + 1]];
    const glm::dvec2& c = points[triangles[i + 2]];
    if (orientation(a, b, c) >= 0) continue;
    const double longest = std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
    const double twice_area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (twice_area < -allowed * longest) return false;
  }
  return true;
}

// Four corners: the diagonal from the first that is not convex, else from the first.
bool cut_quad(const Points& points, Triangles& out) {
  std::size_t start = 0;
  while (start < 4 && corner_turn(points, start) > 0) ++start;
  for (const std::size_t first : {start % 4, (start + 1) % 4}) {
    Triangles cut;
    add(cut, first, (first + 1) % 4, (first + 2) % 4);
    add(cut, first, (first + 2) % 4, (first + 3) % 4);
    if (!faces_forward(points, cut, 0.0)) continue;
    out.insert(out.end(), cut.begin(), cut.end());
    return true;
  }
  return false;
}

// A corner on the one before it, and one that the outline returns from the way it came, are cut off first: as
// triangles without area. What is left is where the sweep can tell inside from outside.
std::vector<std::uint32_t> cut_spikes(const Points& points, Triangles& out) {
  std::vector<std::uint32_t> kept;
  const auto is_spike = [&points](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (points[a] == points[b] || points[b] == points[c]) return true;
    return orientation(points[a], points[b], points[c]) == 0 &&
           glm::dot(points[b] - points[a], points[c] - points[b]) < 0.0;
  };
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    while (kept.size() >= 2 && is_spike(kept[kept.size() - 2], kept.back(), i)) {
      add(out, kept[kept.size() - 2], kept.back(), i);
      kept.pop_back();
    }
    kept.push_back(i);
  }
  // The same where the end meets the start.
  std::size_t first = 0;
  while (kept.size() - first > 3) {
    const std::uint32_t last = kept.back();
    if (is_spike(kept[kept.size() - 2], last, kept[first])) {
      add(out, kept[kept.size() - 2], last, kept[first]);
      kept.pop_back();
    } else if (is_spike(last, kept[first], kept[first + 1])) {
      add(out, last, kept[first], kept[first + 1]);
      ++first;
    } else {
      break;
    }
  }
  kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(first));
  return kept;
}

// Every corner moved into the face (or out of it, for a negative distance): what touches comes apart.
Points nudged(const Points& points, double distance) {
  const std::size_t n = points.size();
  const auto inward = [&](std::size_t from, std::size_t to) {
    const glm::dvec2 along = points[to] - points[from];
    const double length = glm::length(along);
    return length > 0.0 ? glm::dvec2(-along.y, along.x) / length : glm::dvec2(0.0);
  };
  Points moved(n);
  for (std::size_t i = 0; i < n; ++i) {
    const glm::dvec2 a = inward((i + n - 1) % n, i);
    const glm::dvec2 b = inward(i, (i + 1) % n);
    // Both edges move by the distance; a corner as sharp as a needle moves no further than four times that.
    const double spread = std::max(1.0 + glm::dot(a, b), 0.25);
    moved[i] = points[i] + (a + b) * (distance / spread);
  }
  return moved;
}

// Triangulates by the sweep, with the face as `shape` has it. Kept only if all triangles face forward in `points`:
// being n − 2 and joined along the outline, they then cover what the outline goes round once, and nothing twice.
bool sweep(const Points& points, const Points& shape, double allowed, Triangles& out) {
  const auto triangles = cut_monotone(shape);
  if (!triangles || !faces_forward(points, *triangles, allowed)) return false;
  out.insert(out.end(), triangles->begin(), triangles->end());
  return true;
}

bool cut_outline(const Points& points, Triangles& out) {
  if (points.size() < 3) return true;
  if (sweep(points, points, 0.0, out)) return true;
  for (const double distance : {kNudge, -kNudge}) {
    if (sweep(points, nudged(points, distance), 16.0 * kNudge, out)) return true;
  }
  return false;
}

bool cut(Points points, Triangles& out) {
  scale_to_unit(points);
  if (points.size() == 4) return cut_quad(points, out);
  if (is_convex(points)) {
    fan_from_last(points.size(), out);
    return true;
  }
  Triangles triangles;
  const std::vector<std::uint32_t> kept = cut_spikes(points, triangles);
  Points outline;
  outline.reserve(kept.size());
  for (const std::uint32_t corner : kept) outline.push_back(points[corner]);
  Triangles inner;
  if (!cut_outline(outline, inner)) return false;
  for (const std::uint32_t corner : inner) triangles.push_back(kept[corner]);
  out.insert(out.end(), triangles.begin(), triangles.end());
  return true;
}

}  // namespace

bool triangulate_face(std::span<const glm::dvec3> corners, Triangles& triangles) {
  const std::size_t n = corners.size();
  if (n < 3) return true;
  if (n == 3) {
    add(triangles, 0, 1, 2);
    return true;
  }
  const glm::dvec3 normal = newell_normal(corners);
  const double size = glm::length(normal);
  if (size > 0.0 && std::isfinite(size)) {
    const bool planar = is_planar(corners, normal / size);
    for (const bool drop_axis : {planar, !planar}) {
      if (cut(drop_axis ? without_axis(corners, normal) : along_normal(corners, normal), triangles)) return true;
    }
  }
  for (std::size_t i = 1; i + 1 < n; ++i) add(triangles, 0, i, i + 1);
  // A face without area on either side is covered by anything; one whose halves cancel is not.
  return is_flat(corners);
}

}  // namespace throng::detail::import
