// SPDX-License-Identifier: Apache-2.0
#include "crowd/square.h"

#include <algorithm>
#include <cmath>

#include "crowd/crowding.h"
#include "crowd/scatter.h"

namespace {

constexpr double kWayClear = 0.7;   // on each side of it nobody stands
constexpr double kLine = 3.2;       // how deep the people stand who line the way
constexpr double kCell = 12.0;      // a dance, at most, in each cell of the square
constexpr double kGroupCell = 4.6;  // of those who stand in groups

struct Dance {
  bool held = false;
  glm::dvec2 centre{0.0};
  double floor = 0.0;  // radius of those who dance
  double ring = 0.0;   // radius at which people stand again
};

std::uint64_t cell_seed(std::uint64_t seed, std::int64_t x, std::int64_t z) {
  return seed * 0xD1342543DE82EF95u ^ static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^
         static_cast<std::uint64_t>(z) * 0xC2B2AE3D27D4EB4Fu;
}

std::int64_t cell_of(double place, double size) { return static_cast<std::int64_t>(std::floor(place / size)); }

Dance dance_in(std::int64_t x, std::int64_t z, std::uint64_t seed, double way_half) {
  Scatter scatter(cell_seed(seed, x, z));
  Dance dance;
  dance.held = scatter.chance(0.6) && z < -1;
  dance.floor = scatter.between(1.2, 2.3);
  dance.ring = dance.floor + 1.1;
  const double slack = 0.5 * kCell - dance.ring;
  dance.centre = {(static_cast<double>(x) + 0.5) * kCell + scatter.between(-slack, slack),
                  (static_cast<double>(z) + 0.5) * kCell + scatter.between(-slack, slack)};
  const double to_way = std::abs(dance.centre.x - way_at(dance.centre.y));
  dance.held = dance.held && to_way > way_half + kLine + dance.ring;
  return dance;
}

struct Group {
  glm::dvec2 centre{0.0};
  std::uint32_t company = 0;
  double apart = 0.0;  // how much nearer this centre is than the next group's
};

// The group whose centre is nearest; centres are scattered one to a cell.
Group group_at(const glm::dvec2& at, std::uint64_t seed) {
  const std::int64_t x = cell_of(at.x, kGroupCell), z = cell_of(at.y, kGroupCell);
  Group nearest;
  double best = 1e30, second = 1e30;
  for (std::int64_t dz = -1; dz <= 1; ++dz)
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      Scatter scatter(cell_seed(seed ^ 0x5A17u, x + dx, z + dz));
      // One after the other: compilers do not agree in which order they work out what a call is given.
      const double far = (static_cast<double>(z + dz) + scatter.between(0.15, 0.85)) * kGroupCell;
      const glm::dvec2 centre((static_cast<double>(x + dx) + scatter.between(0.15, 0.85)) * kGroupCell, far);
      const double distance = glm::distance(centre, at);
      second = std::min(second, std::max(distance, best));
      if (distance >= best) continue;
      best = distance;
      nearest = {centre, 1u + scatter.below(1u << 30), 0.0};
    }
  nearest.apart = second - best;
  return nearest;
}

glm::dvec2 direction(const glm::dvec2& from, const glm::dvec2& to) {
  const glm::dvec2 way = to - from;
  const double length = glm::length(way);
  return length > 1e-6 ? way / length : glm::dvec2(0.0, 1.0);
}

glm::dvec2 rotated(const glm::dvec2& v, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}

struct Wish {
  Person person;
  double chance = 1.0;  // that somebody stands there
  double apart = 0.0;   // from others, at least; less than the room all need counts for nothing
};

Wish wish_at(const glm::dvec2& at, const SquareSettings& settings, Scatter& scatter) {
  const double room = settings.room;
  const std::uint64_t seed = settings.seed;
  const bool has_way = settings.way_half > 0.0;
  const double aside = at.x - way_at(at.y);
  const double from_way = std::abs(aside) - settings.way_half - kWayClear;
  if (has_way && from_way < 0.0) return {{}, 0.0, 0.0};
  const glm::dvec2 way(way_at(at.y + 1.2), at.y + 1.2);  // watchers look at who is coming
  if (has_way && from_way < kLine) {
    const double behind = from_way / kLine;
    const glm::dvec2 facing = rotated(direction(at, way), scatter.between(-0.3, 0.3));
    return {{at, facing, Part::watcher, 1}, 1.0 - 0.35 * behind, room * (1.0 + 0.3 * behind)};
  }
  for (std::int64_t dz = -1; dz <= 1; ++dz)
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      const std::int64_t x = cell_of(at.x, kCell) + dx, z = cell_of(at.y, kCell) + dz;
      const Dance dance = dance_in(x, z, seed, settings.way_half);
      const double distance = glm::distance(at, dance.centre);
      if (!dance.held || distance > dance.ring + 2.2) continue;
      const auto company = static_cast<std::uint32_t>(cell_seed(seed, x, z) >> 40);
      const glm::dvec2 inwards = rotated(direction(at, dance.centre), scatter.between(-0.4, 0.4));
      if (distance < dance.floor) return {{at, inwards, Part::dancer, company}, 0.8, 1.35};
      if (distance < dance.ring) return {{}, 0.0, 0.0};
      return {{at, inwards, Part::watcher, company}, 0.95, room};
    }
  const Group group = group_at(at, seed);
  // Talking in a round, or, every third group, all looking towards the way.
  const bool rounds = group.company % 3 != 0;
  const glm::dvec2 facing =
      rotated(rounds ? direction(at, group.centre) : direction(at, way), scatter.between(-0.5, 0.5));
  const double density = 0.4 + 0.6 * static_cast<double>(group.company % 97) / 97.0;
  return {{at, facing, Part::group, group.company},
          density * std::clamp((group.apart - 0.45) / 0.8, 0.0, 1.0),
          1.08 * room};
}

// Whether it reaches into the way.
bool on_way(const GroundBox& box, double half) {
  for (const double left : {-1.0, 1.0})
    for (const double front : {-1.0, 1.0}) {
      const glm::dvec2 corner = box.corner(left, front);
      if (std::abs(corner.x - way_at(corner.y)) < half) return true;
    }
  return false;
}

}  // namespace

double way_at(double z) { return 9.0 * std::sin(z / 21.0 + 0.35) * std::min(1.0, -z / 30.0 + 0.25) - 1.0; }

Square people_on_square(const SquareSettings& settings, const Enlist& enlist) {
  constexpr std::uint64_t kMostRows = 1'000'000;  // no square that has any room is so deep
  Scatter scatter(settings.seed);
  Crowding taken(settings.room);
  Square square;
  square.people.reserve(settings.count);
  const double pitch = 0.62 * settings.room;
  const auto enough = [&](double z) {
    return static_cast<double>(square.people.size()) - settings.walkers_a_metre * z >= settings.count;
  };
  for (std::uint64_t row = 0; row < kMostRows; ++row) {
    const double z = -pitch * static_cast<double>(row);
    square.depth = -z;
    if (enough(z)) break;
    const double half = settings.region.half_at(z);
    const auto columns = static_cast<std::uint64_t>(2.0 * half / pitch);
    for (std::uint64_t column = 0; column < columns && !enough(z); ++column) {
      const double x = settings.region.middle_at(z) + pitch * static_cast<double>(column) - half;
      const double far = z + scatter.between(-0.5, 0.5) * pitch;
      const glm::dvec2 at(x + scatter.between(-0.5, 0.5) * pitch, far);
      Wish wish = wish_at(at, settings, scatter);
      if (!scatter.chance(wish.chance)) continue;
      const GroundBox box = ground_box(at, wish.person.facing, enlist(wish.person));
      if (on_way(box, settings.way_half)) continue;
      if (!taken.has_room(at, box, std::max(settings.room, wish.apart))) continue;
      taken.take(at, box);
      square.people.push_back(wish.person);
    }
  }
  return square;
}
