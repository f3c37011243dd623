// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the battle is: a flight of stairs that comes down towards the camera, an army behind it. Metres; +Z is towards
// the camera.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "throng/renderer/prop.h"

inline constexpr double kRise = 0.17;  // of a step
inline constexpr double kTread = 0.36;
inline constexpr int kSteps = 8;
inline constexpr double kStairsWidth = 11.0;
inline constexpr double kStairsTop = -2.2;  // z of the edge of the platform; the steps go down from there
inline constexpr double kPlatformDepth = 4.5;

struct Box {
  glm::vec3 centre{0.0f};
  glm::vec3 half{0.5f};
};

// The platform and its steps, each from the ground up.
std::vector<Box> stairs();

// How high one stands there: on the stairs as if they were a ramp through the middle of their steps.
double ramp_height(double x, double z);

// Boxes as one mesh, in metres.
throng::PropMesh mesh_of(const std::vector<Box>& boxes);

struct Soldier {
  glm::dvec2 at{0.0};  // x, z
  std::uint32_t company = 0;
};

// The army, in companies of ten ranks. `room`: how far apart they stand, 1.15 m at least.
std::vector<Soldier> army(std::uint32_t count, std::uint64_t seed, double room);
