// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values for the codecs to be tried on: random ones, and those at the ends of what they can hold.

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "throng/character/codecs/vertex_codecs.h"

namespace throng::test {

inline constexpr ClipRange kRange{{-1.0, 0.0, -2.0}, {2.0, 3.0, 4.0}, 1.25};

inline glm::dquat random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
}

inline glm::dvec3 random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
}

// q and −q; every axis; ties of two, three and four components with every mixture of signs; nearly ties.
inline std::vector<glm::dquat> extreme_rotations() {
  std::vector<glm::dquat> all;
  const std::array levels{0.0, 1.0, -1.0, 1.0 + 1e-9, -1.0 - 1e-9, 1e-7};
  const auto level = [&](std::size_t i) { return levels[i % levels.size()]; };
  const std::size_t n = levels.size();
  for (std::size_t i = 1; i < n * n * n * n; ++i) {
    const glm::dquat q(level(i / (n * n * n)), level(i), level(i / n), level(i / (n * n)));
    if (glm::length(q) > 0.0) all.push_back(glm::normalize(q));
  }
  return all;
}

inline std::vector<glm::dquat> many_rotations(int random_ones) {
  std::vector<glm::dquat> all = extreme_rotations();
  std::mt19937 random(7);
  for (int i = 0; i < random_ones; ++i) all.push_back(random_rotation(random));
  return all;
}

// The axes, the edges and corners of the octahedron and what lies just beside them, and random ones.
inline std::vector<glm::dvec3> many_directions(int random_ones) {
  std::vector<glm::dvec3> all;
  const std::array levels{0.0, 1.0, -1.0, 1e-9, -1e-9, 1e-3, -1e-3};
  for (const double x : levels)
    for (const double y : levels)
      for (const double z : levels)
        if (x != 0.0 || y != 0.0 || z != 0.0) all.push_back(glm::normalize(glm::dvec3(x, y, z)));
  std::mt19937 random(11);
  for (int i = 0; i < random_ones; ++i) all.push_back(random_direction(random));
  return all;
}

// Fractions of a range: its ends, what lies beside them, and random ones.
inline double some_fraction(std::size_t i, std::mt19937& random) {
  constexpr std::array kEnds{0.0, 1.0, 1e-9, 1.0 - 1e-9, 0.5};
  if (i < kEnds.size()) return kEnds[i];
  return std::uniform_real_distribution<double>(0.0, 1.0)(random);
}

inline glm::dvec3 some_position(std::size_t i, std::mt19937& random, const ClipRange& range) {
  const glm::dvec3 fraction(some_fraction(i, random), some_fraction(i / 5, random), some_fraction(i / 25, random));
  return range.pivot_min + fraction * range.pivot_size;
}

// q and −q are one rotation. Exact for small angles, where a cosine is not.
inline double angle_between(const glm::dquat& a, const glm::dquat& b) {
  const glm::dquat d = glm::conjugate(glm::normalize(a)) * glm::normalize(b);
  return 2.0 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}

inline double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

}  // namespace throng::test
