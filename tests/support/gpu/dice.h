// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers that are the same on every machine.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <random>

namespace throng::test {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
  std::uint32_t below(std::uint32_t count) { return bits() % count; }
  double between(double low, double high) { return low + (high - low) * (bits() / 4294967296.0); }
  glm::dvec3 point(double reach) { return {between(-reach, reach), between(-reach, reach), between(-reach, reach)}; }
  glm::dvec3 fractions() { return {between(0, 1), between(0, 1), between(0, 1)}; }
  glm::dquat turn() {
    return glm::normalize(glm::dquat(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)));
  }
  glm::dvec3 direction() { return turn() * glm::dvec3(0, 0, 1); }

 private:
  std::mt19937 engine_;
};

}  // namespace throng::test
