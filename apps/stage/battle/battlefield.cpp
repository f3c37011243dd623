// SPDX-License-Identifier: Apache-2.0
#include "battle/battlefield.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "crowd/scatter.h"

using namespace throng;

namespace {

constexpr double kFirstRank = kStairsTop - kPlatformDepth - 3.5;
constexpr std::uint32_t kRanks = 10;
constexpr std::uint32_t kFiles = 14;
constexpr double kLeastSpacing = 1.15;
constexpr double kAlley = 2.6;  // between companies

// Four corners a side, so that edges are sharp.
void add_box(PropMesh& mesh, const Box& box) {
  constexpr std::array<glm::vec3, 6> kSides{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};
  for (const glm::vec3& normal : kSides) {
    const glm::vec3 u(normal.z, normal.x, normal.y);
    const glm::vec3 v = glm::cross(normal, u);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const auto& [a, b] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}}) {
      mesh.positions.push_back(box.centre + box.half * (normal + a * u + b * v));
      mesh.normals.push_back(normal);
      mesh.colours.emplace_back(1.0f);
    }
    for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(first + corner);
  }
}

}  // namespace

std::vector<Box> stairs() {
  const auto half_width = static_cast<float>(kStairsWidth / 2.0);
  const auto top = static_cast<float>(kRise * kSteps);
  const auto depth = static_cast<float>(kPlatformDepth);
  const auto edge = static_cast<float>(kStairsTop);
  std::vector<Box> boxes{{{0.0f, top / 2.0f, edge - depth / 2.0f}, {half_width, top / 2.0f, depth / 2.0f}}};
  for (int i = 1; i < kSteps; ++i) {
    const auto height = static_cast<float>(kRise * (kSteps - i));
    const auto tread = static_cast<float>(kTread);
    const float middle = edge + tread * (static_cast<float>(i) - 0.5f);
    boxes.push_back({{0.0f, height / 2.0f, middle}, {half_width, height / 2.0f, tread / 2.0f}});
  }
  return boxes;
}

double ramp_height(double x, double z) {
  if (std::abs(x) > kStairsWidth / 2.0 || z < kStairsTop - kPlatformDepth) return 0.0;
  const double down = (z - kStairsTop) / kTread + 0.5;
  return kRise * std::clamp(kSteps - std::max(down, 0.0), 0.0, static_cast<double>(kSteps));
}

PropMesh mesh_of(const std::vector<Box>& boxes) {
  PropMesh mesh;
  for (const Box& box : boxes) add_box(mesh, box);
  return mesh;
}

std::vector<Soldier> army(std::uint32_t count, std::uint64_t seed, double room) {
  Scatter scatter(seed);
  std::vector<Soldier> soldiers;
  soldiers.reserve(count);
  const double spacing = std::max(kLeastSpacing, room);
  const double width = kFiles * spacing + kAlley;
  const double depth = kRanks * spacing + kAlley;
  constexpr std::uint32_t kCompany = kRanks * kFiles;
  const double companies = std::ceil(static_cast<double>(count) / kCompany);
  // About as deep again as wide: it fills the picture to the horizon.
  const auto abreast = static_cast<std::uint32_t>(std::ceil(std::sqrt(companies * 0.75)));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t company = i / kCompany;
    const std::uint32_t row = company / abreast;
    // From the middle outwards, so that a last row that is not full stands in the middle.
    const std::uint32_t side = company % abreast;
    const std::uint32_t outwards = (side + 1) / 2;
    const double column = side % 2 == 0 ? outwards : -static_cast<double>(outwards);
    const std::uint32_t rank = i % kCompany / kFiles;
    const std::uint32_t file = i % kCompany % kFiles;
    Soldier soldier;
    soldier.company = company;
    soldier.at.x = column * width + spacing * (file - 0.5 * (kFiles - 1)) + scatter.between(-0.12, 0.12);
    soldier.at.y = kFirstRank - row * depth - spacing * rank + scatter.between(-0.12, 0.12);
    soldiers.push_back(soldier);
  }
  return soldiers;
}
