// SPDX-License-Identifier: Apache-2.0
// The crowd of the pictures: where its people stand, and whether what they play suits it.
#include "crowd/square.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "built_character.h"
#include "crowd/crowding.h"
#include "crowd/families.h"

namespace {

using throng::BakedClip;
using throng::Character;

constexpr double kRoom = 0.65;
constexpr double kWayHalf = 2.4;

// All the same size: longer than wide.
const Footprint kBox{{-0.3, -0.25}, {0.3, 0.4}};

Square square_of(std::uint32_t count, std::uint64_t seed, double way_half = kWayHalf) {
  return people_on_square({.count = count, .seed = seed, .room = kRoom, .way_half = way_half},
                          [](Person&) { return kBox; });
}

TEST(Square, HoldsAsManyAsAskedForAndNoTwoInsideOneAnother) {
  for (const std::uint32_t count : {60u, 200u, 1152u, 10000u}) {
    std::vector<Person> people = square_of(count, 1).people;
    EXPECT_EQ(people.size(), count);
    std::ranges::sort(people, {}, [](const Person& person) { return person.at.x; });
    for (std::size_t i = 0; i < people.size(); ++i)
      for (std::size_t j = i + 1; j < people.size() && people[j].at.x - people[i].at.x < 1.2; ++j) {
        ASSERT_GE(glm::distance(people[i].at, people[j].at), kRoom);
        ASSERT_TRUE(
            apart(ground_box(people[i].at, people[i].facing, kBox), ground_box(people[j].at, people[j].facing, kBox)));
      }
  }
}

TEST(Square, LeavesRoomForThoseWhoWalk) {
  const Square square = people_on_square({.count = 1152, .room = kRoom, .way_half = kWayHalf, .walkers_a_metre = 3.0},
                                         [](Person&) { return kBox; });
  EXPECT_NEAR(static_cast<double>(square.people.size()) + 3.0 * square.depth, 1152.0, 4.0);
  for (const Person& person : square.people) {
    const GroundBox box = ground_box(person.at, person.facing, kBox);
    for (const double left : {-1.0, 1.0}) {
      const glm::dvec2 toe = box.corner(left, 1.0);
      ASSERT_GE(std::abs(toe.x - way_at(toe.y)), kWayHalf);
    }
  }
}

TEST(Square, StaysWithinItsRegion) {
  const Region region{.front_half = 5.0, .opening = 0.4};
  const Square square =
      people_on_square({.count = 1000, .region = region, .room = kRoom}, [](Person&) { return kBox; });
  for (const Person& person : square.people)
    ASSERT_LE(std::abs(person.at.x - region.middle_at(person.at.y)), region.half_at(person.at.y) + kRoom);
}

TEST(Square, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const auto first = square_of(2000, 7).people;
  const auto again = square_of(2000, 7).people;
  const auto other = square_of(2000, 8).people;
  const auto at = [](const Person& person) { return std::pair(person.at.x, person.at.y); };
  EXPECT_TRUE(std::ranges::equal(first, again, {}, at, at));
  EXPECT_FALSE(std::ranges::equal(first, other, {}, at, at));
}

TEST(Square, HasWatchersWhoFaceTheWayDancersAndGroups) {
  std::map<Part, int> parts;
  int watchers_facing = 0, watchers_of_the_way = 0;
  for (const Person& person : square_of(10000, 1).people) {
    ++parts[person.part];
    EXPECT_NEAR(glm::length(person.facing), 1.0, 1e-9);
    const double aside = person.at.x - way_at(person.at.y);
    if (person.part == Part::watcher && person.company == 1) {
      ++watchers_of_the_way;
      watchers_facing += person.facing.x * aside < 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(parts[Part::watcher], 1000);
  EXPECT_GT(parts[Part::dancer], 20);
  EXPECT_GT(parts[Part::group], 3000);
  EXPECT_GT(watchers_facing, 0.9 * watchers_of_the_way);
}

Character with_clips(std::initializer_list<const char*> names) {
  throng::CharacterDraft model;
  for (const char* name : names) {
    BakedClip clip;
    clip.name = name;
    model.clips.push_back(clip);
  }
  return throng::test::built_from_clips(std::move(model));
}

TEST(ClipFamilies, GiveEachWhatItsNameSuits) {
  const ClipFamilies families(with_clips({"Death", "Walk_Forward", "IDLE", "Cheer", "Breakdance", "Attack1"}));
  Scatter scatter(3);
  for (std::uint32_t company = 0; company < 40; ++company) {
    EXPECT_EQ(families.clip_for(Part::procession, company, scatter), throng::ClipId(1));
    EXPECT_EQ(families.clip_for(Part::dancer, company, scatter), throng::ClipId(company % 4 == 0 ? 5 : 4));
    const throng::ClipId watching = families.clip_for(Part::watcher, company, scatter);
    EXPECT_TRUE(watching == throng::ClipId(2) || watching == throng::ClipId(3));
    EXPECT_NE(families.clip_for(Part::group, company, scatter), throng::ClipId(0)) << "nobody lies dead among friends";
  }
}

TEST(ClipFamilies, KnowTheNamesOfOtherLanguages) {
  for (const auto& names : {std::array{"Tod", "Gehen", "Stehen"}, std::array{"mort", "marche", "attente"},
                            std::array{"muerte", "caminar", "espera"}, std::array{"shibou", "aruki", "taiki"}}) {
    const ClipFamilies families(with_clips({names[0], names[1], names[2]}));
    Scatter scatter(3);
    EXPECT_EQ(families.clip_for(Part::procession, 7, scatter), throng::ClipId(1)) << names[1];
    EXPECT_EQ(families.calm(), throng::ClipId(2)) << names[2];
    for (std::uint32_t company = 0; company < 20; ++company)
      EXPECT_NE(families.clip_for(Part::group, company, scatter), throng::ClipId(0)) << names[0];
  }
}

TEST(ClipFamilies, ReadWordsNotLetters) {
  EXPECT_TRUE(names_any("CharacterArmature|HitReact", {"hit"}));
  EXPECT_FALSE(names_any("White_Flag", {"hit"}));
  EXPECT_TRUE(names_any("mixamo.com|Catwalk", {"walk"})) << "four letters tell, wherever they are";
  EXPECT_TRUE(names_a_walk("Walking_A"));
  EXPECT_TRUE(names_a_walk("TRex_Run"));
  EXPECT_FALSE(names_a_walk("Walking_Backwards"));
  EXPECT_FALSE(names_a_walk("Running_Strafe_Left"));
}

TEST(ClipFamilies, CalmOnesAreNeitherCorpsesNorPhasesOfAJump) {
  const auto calm = [](std::initializer_list<const char*> names) { return ClipFamilies(with_clips(names)).calm(); };
  EXPECT_EQ(calm({"Death", "Duck", "Idle"}), throng::ClipId(2));
  EXPECT_EQ(calm({"Lie_Idle", "Jump_Idle", "Sit_Chair_Idle", "Unarmed_Idle"}), throng::ClipId(3));
  EXPECT_EQ(calm({"Death", "Walk"}), throng::ClipId(1));
  EXPECT_EQ(calm({"Death_A", "Spin"}), throng::ClipId(1));
  EXPECT_EQ(calm({"Death"}), throng::ClipId(0));
}

TEST(ClipFamilies, MakeDoWithTheClipsThereAre) {
  Scatter scatter(3);
  const ClipFamilies unnamed(with_clips({"clip 0", "clip 1"}));
  const ClipFamilies only_death(with_clips({"Death"}));
  for (const Part part : {Part::procession, Part::watcher, Part::dancer, Part::group, Part::posing}) {
    EXPECT_LT(unnamed.clip_for(part, 5, scatter), throng::ClipId(2));
    EXPECT_EQ(only_death.clip_for(part, 5, scatter), throng::ClipId(0));
  }
}

}  // namespace
