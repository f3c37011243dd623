// SPDX-License-Identifier: Apache-2.0
#include "crowd/square.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "crowd/scatter.h"

namespace {

constexpr double kWayHalf = 2.5;    // of the procession
constexpr double kWayClear = 1.0;   // on each side of it nobody stands
constexpr double kLine = 3.2;       // how deep the people stand who line the way
constexpr double kCell = 12.0;      // a dance, at most, in each cell of the square
constexpr double kGroupCell = 4.6;  // of those who stand in groups
constexpr double kFrontHalf = 8.5;  // of the square's front
constexpr double kOpening = 0.62;   // how much wider on each side a metre farther back

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

Dance dance_in(std::int64_t x, std::int64_t z, std::uint64_t seed) {
  Scatter scatter(cell_seed(seed, x, z));
  Dance dance;
  dance.held = scatter.chance(0.6) && z < -1;
  dance.floor = scatter.between(1.2, 2.3);
  dance.ring = dance.floor + 1.1;
  const double slack = 0.5 * kCell - dance.ring;
  dance.centre = {(static_cast<double>(x) + 0.5) * kCell + scatter.between(-slack, slack),
                  (static_cast<double>(z) + 0.5) * kCell + scatter.between(-slack, slack)};
  const double to_way = std::abs(dance.centre.x - way_at(dance.centre.y));
  dance.held = dance.held && to_way > kWayHalf + kLine + dance.ring;
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
      const glm::dvec2 centre((static_cast<double>(x + dx) + scatter.between(0.15, 0.85)) * kGroupCell,
                              (static_cast<double>(z + dz) + scatter.between(0.15, 0.85)) * kGroupCell);
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

glm::dvec2 turned(const glm::dvec2& v, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}

// The people placed so far, no two closer than `least`: squares so small that each holds one at most.
class Room {
 public:
  explicit Room(double least) : side_(least / std::sqrt(2.0)) {}

  bool free(const glm::dvec2& at, double apart) const {
    const std::int64_t x = cell_of(at.x, side_), z = cell_of(at.y, side_);
    const auto reach = static_cast<std::int64_t>(std::ceil(apart / side_));
    for (std::int64_t dz = -reach; dz <= reach; ++dz)
      for (std::int64_t dx = -reach; dx <= reach; ++dx) {
        const auto found = taken_.find(key(x + dx, z + dz));
        if (found != taken_.end() && glm::distance(found->second, at) < apart) return false;
      }
    return true;
  }
  void take(const glm::dvec2& at) { taken_.emplace(key(cell_of(at.x, side_), cell_of(at.y, side_)), at); }

 private:
  static std::uint64_t key(std::int64_t x, std::int64_t z) {
    return static_cast<std::uint64_t>(x) << 32 ^ (static_cast<std::uint64_t>(z) & 0xFFFFFFFFu);
  }
  double side_;
  std::unordered_map<std::uint64_t, glm::dvec2> taken_;
};

struct Wish {
  Person person;
  double chance = 1.0;  // that somebody stands there
  double apart = 0.0;   // from others, at least; less than the room all need counts for nothing
};

Wish in_procession(const glm::dvec2& at, double aside, Scatter& scatter) {
  constexpr double kStep = 0.2;
  const glm::dvec2 ahead = direction({way_at(at.y), at.y}, {way_at(at.y + kStep), at.y + kStep});
  Wish wish{{at, turned(ahead, scatter.between(-0.12, 0.12)), Part::procession, 0, aside < 0.9}, 0.8, 1.05};
  if (!wish.person.leads) wish.person.facing = -wish.person.facing;
  return wish;
}

Wish wish_at(const glm::dvec2& at, double room, std::uint64_t seed, Scatter& scatter) {
  const double aside = at.x - way_at(at.y);
  if (std::abs(aside) < kWayHalf) return in_procession(at, aside, scatter);
  if (std::abs(aside) < kWayHalf + kWayClear) return {{}, 0.0, 0.0};
  const glm::dvec2 way(way_at(at.y + 1.2), at.y + 1.2);  // watchers look at who is coming
  if (std::abs(aside) < kWayHalf + kWayClear + kLine) {
    const double behind = (std::abs(aside) - kWayHalf - kWayClear) / kLine;
    const glm::dvec2 facing = turned(direction(at, way), scatter.between(-0.3, 0.3));
    return {{at, facing, Part::watcher, 1, false}, 1.0 - 0.35 * behind, room * (1.0 + 0.3 * behind)};
  }
  for (std::int64_t dz = -1; dz <= 1; ++dz)
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      const std::int64_t x = cell_of(at.x, kCell) + dx, z = cell_of(at.y, kCell) + dz;
      const Dance dance = dance_in(x, z, seed);
      const double distance = glm::distance(at, dance.centre);
      if (!dance.held || distance > dance.ring + 2.2) continue;
      const auto company = static_cast<std::uint32_t>(cell_seed(seed, x, z) >> 40);
      const glm::dvec2 inwards = turned(direction(at, dance.centre), scatter.between(-0.4, 0.4));
      if (distance < dance.floor) return {{at, inwards, Part::dancer, company, false}, 0.8, 1.35};
      if (distance < dance.ring) return {{}, 0.0, 0.0};
      return {{at, inwards, Part::watcher, company, false}, 0.95, room};
    }
  const Group group = group_at(at, seed);
  // Talking in a round, or, every third group, all looking towards the way.
  const bool rounds = group.company % 3 != 0;
  const glm::dvec2 facing =
      turned(rounds ? direction(at, group.centre) : direction(at, way), scatter.between(-0.5, 0.5));
  const double density = 0.4 + 0.6 * static_cast<double>(group.company % 97) / 97.0;
  return {{at, facing, Part::group, group.company, false},
          density * std::clamp((group.apart - 0.45) / 0.8, 0.0, 1.0),
          1.08 * room};
}

}  // namespace

double way_at(double z) { return 9.0 * std::sin(z / 21.0 + 0.35) * std::min(1.0, -z / 30.0 + 0.25) - 1.0; }

std::vector<Person> people_on_square(std::uint32_t count, double room, std::uint64_t seed) {
  Scatter scatter(seed);
  Room taken(room);
  std::vector<Person> people;
  people.reserve(count);
  const double pitch = 0.62 * room;
  for (std::uint64_t row = 0; people.size() < count; ++row) {
    const double z = -pitch * static_cast<double>(row);
    const double half = kFrontHalf - kOpening * z;
    const auto columns = static_cast<std::uint64_t>(2.0 * half / pitch);
    for (std::uint64_t column = 0; column < columns && people.size() < count; ++column) {
      const double x = pitch * static_cast<double>(column) - half;
      const glm::dvec2 at(x + scatter.between(-0.5, 0.5) * pitch, z + scatter.between(-0.5, 0.5) * pitch);
      Wish wish = wish_at(at, room, seed, scatter);
      if (!scatter.chance(wish.chance) || !taken.free(at, std::max(room, wish.apart))) continue;
      taken.take(at);
      people.push_back(wish.person);
    }
  }
  return people;
}
