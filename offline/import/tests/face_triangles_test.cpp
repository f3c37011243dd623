// SPDX-License-Identifier: Apache-2.0
#include "faces/polygons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "cpu_time.h"
#include "faces/exact_orientation.h"

namespace throng {
namespace {

using detail::import::orientation;
using detail::import::triangulate_face;
using Points = std::vector<glm::dvec2>;
using Triangles = std::vector<std::uint32_t>;

double cross(const glm::dvec2& a, const glm::dvec2& b) { return a.x * b.y - a.y * b.x; }

double area(const Points& outline) {
  double twice = 0.0;
  for (std::size_t i = 0; i < outline.size(); ++i)
    twice += cross(outline[i] - outline[0], outline[(i + 1) % outline.size()] - outline[0]);
  return 0.5 * twice;
}

std::vector<glm::dvec3> upright(const Points& outline) {
  std::vector<glm::dvec3> corners;
  for (const glm::dvec2& p : outline) corners.emplace_back(p, 0.0);
  return corners;
}

Triangles cut(const Points& outline) {
  Triangles triangles;
  EXPECT_TRUE(triangulate_face(upright(outline), triangles));
  return triangles;
}

bool inside(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c, const glm::dvec2& p) {
  return cross(b - a, p - a) > 0.0 && cross(c - b, p - b) > 0.0 && cross(a - c, p - c) > 0.0;
}

// How often the outline goes round the point.
int winding(const Points& outline, const glm::dvec2& p) {
  int number = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const glm::dvec2& a = outline[i];
    const glm::dvec2& b = outline[(i + 1) % outline.size()];
    if ((a.y <= p.y) == (b.y <= p.y)) continue;
    const double side = cross(b - a, p - a);
    if (a.y <= p.y && side > 0.0) ++number;
    if (a.y > p.y && side < 0.0) --number;
  }
  return number;
}

// What triangulate_face promises, looked at from outside: the count, every corner, areas that add up without one that
// is negative, the outline's own edges once each and every other edge from both sides, and every sample covered as
// often as the outline goes round it.
void expect_covers(const Points& outline, const Triangles& triangles, double tolerance = 1e-12) {
  const std::size_t n = outline.size();
  ASSERT_EQ(triangles.size(), 3 * (n - 2));
  const double whole = area(outline);
  double sum = 0.0;
  std::vector<bool> used(n);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    const std::uint32_t* t = triangles.data() + i;
    const double part = 0.5 * cross(outline[t[1]] - outline[t[0]], outline[t[2]] - outline[t[0]]);
    EXPECT_GE(part, -tolerance * whole);
    sum += part;
    for (int e = 0; e < 3; ++e) {
      used[t[e]] = true;
      ++edges[{t[e], t[(e + 1) % 3]}];
    }
  }
  EXPECT_NEAR(sum, whole, 1e-9 * whole);
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool b) { return b; }));
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    const bool of_outline = (edge.first + 1) % n == edge.second;
    ASSERT_EQ(edges.contains({edge.second, edge.first}), !of_outline);
  }
  std::mt19937 random(7);
  glm::dvec2 low = outline[0];
  glm::dvec2 high = outline[0];
  for (const glm::dvec2& p : outline) low = glm::min(low, p), high = glm::max(high, p);
  for (int sample = 0; sample < (n > 1000 ? 20 : 100); ++sample) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const glm::dvec2 p = low + (high - low) * glm::dvec2(unit(random), unit(random));
    int covered = 0;
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
      covered += inside(outline[triangles[i]], outline[triangles[i + 1]], outline[triangles[i + 2]], p) ? 1 : 0;
    }
    EXPECT_EQ(covered, winding(outline, p)) << p.x << ' ' << p.y;
  }
}

// Star-shaped around the origin: any radii at rising angles.
Points star(std::size_t n, std::mt19937& random) {
  std::uniform_real_distribution<double> radius(0.1, 1.0);
  Points points;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    points.push_back(radius(random) * glm::dvec2(std::cos(angle), std::sin(angle)));
  }
  return points;
}

// A winding corridor: a path of rising x with random heights, and back at a random distance above it.
Points corridor(std::size_t n, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const std::size_t half = n / 2;
  Points points;
  std::vector<double> heights;
  for (std::size_t i = 0; i < half; ++i) {
    heights.push_back(20.0 * unit(random));
    points.emplace_back(static_cast<double>(i), heights.back());
  }
  for (std::size_t i = half; i-- > 0;) points.emplace_back(static_cast<double>(i), heights[i] + 0.01 + unit(random));
  return points;
}

// The corridor turned by a quarter, and by an angle that makes no two coordinates equal.
Points turned(Points points, double angle) {
  const glm::dmat2 turn(std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle));
  for (glm::dvec2& p : points) p = turn * p;
  return points;
}

// A corridor of width one wound up, out along one wall and back along the other.
Points spiral(std::size_t n) {
  const std::size_t half = n / 2;
  Points points;
  const auto at = [](double radius, std::size_t i) {
    const double angle = 0.1 * static_cast<double>(i);
    return radius * glm::dvec2(std::cos(angle), std::sin(angle));
  };
  const auto radius = [](std::size_t i) { return 10.0 + 0.1 * static_cast<double>(i) / std::numbers::pi; };
  for (std::size_t i = 0; i < half; ++i) points.push_back(at(radius(i) + 1.0, i));
  for (std::size_t i = half; i-- > 0;) points.push_back(at(radius(i), i));
  return points;
}

// Square teeth of equal height: nothing but equal coordinates.
Points comb(std::size_t teeth) {
  Points points{{0.0, 0.0}, {2.0 * static_cast<double>(teeth), 0.0}};
  for (std::size_t i = teeth; i-- > 0;) {
    const double x = 2.0 * static_cast<double>(i);
    points.insert(points.end(), {{x + 2.0, 1.0}, {x + 1.0, 1.0}, {x + 1.0, 5.0}, {x, 5.0}, {x, 1.0}});
  }
  points.pop_back();
  return points;
}

TEST(FaceTriangles, CoverRandomStarsOfThreeToTenThousandCorners) {
  std::mt19937 random(1);
  for (const std::size_t n : {3u, 4u, 5u, 6u, 7u, 8u, 12u, 20u, 57u, 300u, 2000u, 10000u}) {
    for (int repeat = 0; repeat < (n < 100 ? 200 : 2); ++repeat) {
      SCOPED_TRACE(n);
      const Points outline = star(n, random);
      if (area(outline) <= 0.0) continue;
      expect_covers(outline, cut(outline));
    }
  }
}

TEST(FaceTriangles, CoverWindingCorridorsInEveryDirection) {
  std::mt19937 random(2);
  for (const std::size_t n : {6u, 10u, 40u, 1000u, 10000u}) {
    for (const double angle : {0.0, std::numbers::pi / 2.0, std::numbers::pi, 1.0}) {
      SCOPED_TRACE(n);
      const Points outline = turned(corridor(n, random), angle);
      expect_covers(outline, cut(outline));
    }
  }
}

TEST(FaceTriangles, CoverACombWhoseCornersShareTheirHeights) {
  for (const double angle : {0.0, std::numbers::pi / 2.0, std::numbers::pi, 0.3}) {
    const Points outline = turned(comb(500), angle);
    expect_covers(outline, cut(outline));
  }
}

TEST(FaceTriangles, OfASpiralOfTwentyThousandCornersTakeWellUnderASecond) {
  const Points outline = spiral(20000);
  const double start = test::cpu_seconds();
  const Triangles triangles = cut(outline);
  EXPECT_LT(test::cpu_seconds() - start, 0.5);
  expect_covers(outline, triangles);
}

TEST(FaceTriangles, TakeStraightRunsWithoutLosingACorner) {
  Points outline;
  for (int i = 0; i < 50; ++i) outline.emplace_back(i, 0);
  for (int i = 0; i < 50; ++i) outline.emplace_back(50, i);
  for (int i = 50; i > 0; --i) outline.emplace_back(i, 50);
  for (int i = 50; i > 0; --i) outline.emplace_back(0, i);
  const Triangles triangles = cut(outline);
  expect_covers(outline, triangles);
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    EXPECT_GT(orientation(outline[triangles[i]], outline[triangles[i + 1]], outline[triangles[i + 2]]), 0);
  }
}

TEST(FaceTriangles, OfASquareWithACornerInTheMiddleOfAnEdgeAllHaveArea) {
  const Points outline{{0, 0}, {1, 0}, {2, 0}, {2, 2}};
  for (std::size_t first = 0; first < outline.size(); ++first) {
    Points rotated = outline;
    std::rotate(rotated.begin(), rotated.begin() + static_cast<std::ptrdiff_t>(first), rotated.end());
    const Triangles triangles = cut(rotated);
    expect_covers(rotated, triangles);
    for (std::size_t i = 0; i < 6; i += 3)
      EXPECT_GT(orientation(rotated[triangles[i]], rotated[triangles[i + 1]], rotated[triangles[i + 2]]), 0);
  }
}

TEST(FaceTriangles, CoverFacesWithRepeatedCornersAndSpikes) {
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Points plain = star(12, random);
    Points outline;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      outline.push_back(plain[i]);
      for (auto more = random() % 3; more > 0; --more) outline.push_back(plain[i]);
      if (random() % 4 == 0) {
        outline.push_back(plain[i] * 1.5);  // out and back
        outline.push_back(plain[i]);
      }
    }
    if (area(outline) <= 0.0) continue;
    const Triangles triangles = cut(outline);
    ASSERT_EQ(triangles.size(), 3 * (outline.size() - 2));
    double sum = 0.0;
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
      const double part = 0.5 * cross(outline[triangles[i + 1]] - outline[triangles[i]],
                                      outline[triangles[i + 2]] - outline[triangles[i]]);
      EXPECT_GE(part, -1e-12);
      sum += part;
    }
    EXPECT_NEAR(sum, area(outline), 1e-9);
  }
}

// A square with square holes, each joined to the outline by a bridge that is walked twice.
Points square_with_holes(int rows) {
  const double size = 3.0 * rows;
  Points outline{{0, 0}, {size, 0}, {size, size}, {0, size}};
  for (int row = rows; row-- > 0;) {
    const double y = 3.0 * row + 1.0;
    outline.emplace_back(0, y);
    for (int column = 0; column < rows; ++column) {
      const double x = 3.0 * column + 1.0;
      outline.emplace_back(x, y);
      outline.emplace_back(x, y + 1.0);
      outline.emplace_back(x + 1.0, y + 1.0);
      outline.emplace_back(x + 1.0, y);
    }
    for (int column = rows; column-- > 1;) {
      const double x = 3.0 * column + 1.0;
      outline.emplace_back(x, y);
      outline.emplace_back(x - 2.0, y);
    }
    outline.emplace_back(1.0, y);
    outline.emplace_back(0, y);
  }
  return outline;
}

TEST(FaceTriangles, LeaveOutHolesThatABridgeJoinsToTheOutline) {
  for (const int rows : {1, 2, 5, 20}) {
    for (const double angle : {0.0, std::numbers::pi / 2.0, std::numbers::pi, 0.7}) {
      SCOPED_TRACE(fmt::format("{} rows, turned by {}", rows, angle));
      const Points outline = turned(square_with_holes(rows), angle);
      EXPECT_NEAR(area(outline), 9.0 * rows * rows - rows * rows, 1e-6);
      expect_covers(outline, cut(outline), 1e-8);
    }
  }
}

TEST(FaceTriangles, CoverFacesThatTouchThemselvesAtAPoint) {
  const Points neck{{0, 0}, {2, 1}, {4, 0}, {4, 2}, {2, 1}, {0, 2}};                  // the inside has no width there
  const Points ring{{0, 0}, {4, 0}, {4, 4}, {2, 4}, {3, 2}, {1, 2}, {2, 4}, {0, 4}};  // a hole that meets the outline
  const Points wedge{{0, 0}, {4, 0}, {4, 4}, {3, 4}, {2, 0}, {1, 4}, {0, 4}};         // a notch down to an edge
  for (const Points& outline : {neck, ring, wedge}) {
    for (const double angle : {0.0, 0.7, std::numbers::pi / 2.0, std::numbers::pi}) {
      const Points shown = turned(outline, angle);
      expect_covers(shown, cut(shown), 1e-8);
    }
  }
}

// Diamonds in a row that share their tips: the inside has no width where they meet.
TEST(FaceTriangles, CoverAChainOfDiamondsThatMeetAtTheirTips) {
  for (const int diamonds : {2, 3, 10, 100}) {
    Points outline;
    for (int i = 0; i < diamonds; ++i) outline.insert(outline.end(), {{2.0 * i, 0.0}, {2.0 * i + 1.0, -1.0}});
    for (int i = diamonds; i > 0; --i) outline.insert(outline.end(), {{2.0 * i, 0.0}, {2.0 * i - 1.0, 1.0}});
    for (int step = 0; step < 16; ++step) {
      SCOPED_TRACE(fmt::format("{} diamonds, turned by {} sixteenths", diamonds, step));
      const Points shown = turned(outline, step * std::numbers::pi / 8.0);
      expect_covers(shown, cut(shown), 1e-8);
    }
  }
}

// Whatever the outline, crossing itself or not: what is said to be covered has no triangle that faces backwards.
TEST(FaceTriangles, NeverFaceBackwardsWhereTheFaceIsSaidToBeCovered) {
  std::mt19937 random(13);
  int covered = 0;
  int crossed = 0;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    Points outline;
    for (auto corners = 4 + random() % 5; corners > 0; --corners)
      outline.emplace_back(static_cast<double>(random() % 6), static_cast<double>(random() % 6));
    if (area(outline) < 0.0) std::reverse(outline.begin(), outline.end());
    Triangles triangles;
    const bool once = triangulate_face(upright(outline), triangles);
    ASSERT_EQ(triangles.size(), 3 * (outline.size() - 2));
    (once ? covered : crossed) += 1;
    for (std::size_t i = 0; once && i < triangles.size(); i += 3) {
      const glm::dvec2& a = outline[triangles[i]];
      EXPECT_GE(cross(outline[triangles[i + 1]] - a, outline[triangles[i + 2]] - a), -1e-6);
    }
  }
  EXPECT_GT(covered, 500);
  EXPECT_GT(crossed, 500);
}

TEST(FaceTriangles, OfConvexFacesComeFromTheLastCornerAndOfFourFromTheFirst) {
  EXPECT_EQ(cut({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), (Triangles{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(cut({{0, 0}, {2, 0}, {3, 1}, {1, 3}, {-1, 1}}), (Triangles{4, 0, 1, 4, 1, 2, 2, 3, 4}));
}

TEST(FaceTriangles, OfFourCornersStartAtTheOneThatIsNotConvex) {
  EXPECT_EQ(cut({{0, 0}, {4, 0}, {1, 1}, {0, 4}}), (Triangles{2, 3, 0, 2, 0, 1}));
}

TEST(FaceTriangles, KeepTheWindingOfAFaceSeenFromAnySide) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Points outline = star(17, random);
    if (area(outline) <= 0.0) continue;
    const glm::dvec3 n = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
    const glm::dvec3 u = glm::normalize(glm::cross(n, glm::dvec3(normal(random), normal(random), normal(random))));
    const glm::dvec3 v = glm::cross(n, u);
    std::vector<glm::dvec3> corners;
    for (const glm::dvec2& p : outline) corners.push_back(glm::dvec3(5, 6, 7) + u * p.x + v * p.y);
    Triangles triangles;
    ASSERT_TRUE(triangulate_face(corners, triangles));
    expect_covers(outline, triangles, 1e-9);
  }
}

// Corners above and below the plane, as far as the face is wide: seen along an axis many cross themselves, seen along
// the normal none does.
TEST(FaceTriangles, CoverBentFacesAsTheirNormalSeesThem) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> height(-1.0, 1.0);
  const glm::dvec3 n = glm::normalize(glm::dvec3(1.0, 1.1, 1.2));
  const glm::dvec3 u = glm::normalize(glm::cross(n, glm::dvec3(0, 0, 1)));
  const glm::dvec3 v = glm::cross(n, u);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Points outline = star(6, random);
    std::vector<glm::dvec3> corners;
    // Opposite corners are lifted alike, which leaves the normal as it is.
    std::array<double, 3> lifts{height(random), height(random), height(random)};
    Points even = outline;
    for (std::size_t i = 0; i < 3; ++i) even[i + 3] = -even[i];
    for (std::size_t i = 0; i < 6; ++i) corners.push_back(u * even[i].x + v * even[i].y + n * lifts[i % 3]);
    Triangles triangles;
    EXPECT_TRUE(triangulate_face(corners, triangles));
    expect_covers(even, triangles, 1e-9);
  }
}

TEST(FaceTriangles, OfAFaceWithoutAreaAreAsManyAndItCountsAsCovered) {
  for (const Points& outline : {Points(7, {1, 1}), Points{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 1}}}) {
    EXPECT_EQ(cut(outline).size(), 3 * (outline.size() - 2));
  }
  Triangles none;
  EXPECT_TRUE(triangulate_face(upright({{0, 0}, {1, 0}}), none));
  EXPECT_TRUE(none.empty());
}

TEST(FaceTriangles, OfAFaceThatCrossesItselfAreAFanAndSaidToBe) {
  Points pentagram;
  for (int i = 0; i < 5; ++i) {
    const double angle = 0.8 * std::numbers::pi * i;
    pentagram.emplace_back(std::cos(angle), std::sin(angle));
  }
  Points tangle;
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i)
    tangle.emplace_back(static_cast<double>(random() % 1000), static_cast<double>(random() % 1000));
  for (const Points& outline : {Points{{0, 0}, {1, 1}, {1, 0}, {0, 2}}, pentagram, tangle}) {
    Triangles triangles;
    EXPECT_FALSE(triangulate_face(upright(outline), triangles));
    EXPECT_EQ(triangles.size(), 3 * (outline.size() - 2));
  }
}

TEST(FaceTriangles, AreTheSameHoweverLargeTheFace) {
  std::mt19937 random(9);
  const Points outline = star(40, random);
  const Triangles triangles = cut(outline);
  for (const double scale : {0x1p-100, 0x1p100}) {
    Points scaled = outline;
    for (glm::dvec2& p : scaled) p *= scale;
    EXPECT_EQ(cut(scaled), triangles);
  }
}

TEST(ExactOrientation, TellsSidesThatRoundingHides) {
  const glm::dvec2 a(0.5, 0.5);
  const glm::dvec2 b(12.0, 12.0);
  const glm::dvec2 c(24.0, 24.0);
  EXPECT_EQ(orientation(a, b, c), 0);
  for (int i = 1; i < 100; ++i) {
    glm::dvec2 above = a;
    above.y += i * 0x1p-53;
    EXPECT_EQ(orientation(above, b, c), 1);
    EXPECT_EQ(orientation(b, above, c), -1);
    above.y -= 2 * i * 0x1p-53;
    EXPECT_EQ(orientation(above, b, c), -1);
  }
}

}  // namespace
}  // namespace throng
