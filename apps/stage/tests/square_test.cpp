// SPDX-License-Identifier: Apache-2.0
// The crowd of the pictures: where its people stand, and whether what they play suits it.
#include "crowd/square.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "built_character.h"
#include "crowd/families.h"

namespace {

using throng::BakedClip;
using throng::Character;

constexpr double kRoom = 0.68;

double least_distance(std::vector<Person> people) {
  std::ranges::sort(people, {}, [](const Person& person) { return person.at.x; });
  double least = 1e30;
  for (std::size_t i = 0; i < people.size(); ++i)
    for (std::size_t j = i + 1; j < people.size() && people[j].at.x - people[i].at.x < least; ++j)
      least = std::min(least, glm::distance(people[i].at, people[j].at));
  return least;
}

TEST(Square, HoldsAsManyAsAskedForAndNoTwoInsideOneAnother) {
  for (const std::uint32_t count : {200u, 1152u, 10000u}) {
    const auto people = people_on_square(count, kRoom, 1);
    EXPECT_EQ(people.size(), count);
    EXPECT_GE(least_distance(people), kRoom);
  }
}

TEST(Square, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const auto first = people_on_square(2000, kRoom, 7);
  const auto again = people_on_square(2000, kRoom, 7);
  const auto other = people_on_square(2000, kRoom, 8);
  const auto at = [](const Person& person) { return std::pair(person.at.x, person.at.y); };
  EXPECT_TRUE(std::ranges::equal(first, again, {}, at, at));
  EXPECT_FALSE(std::ranges::equal(first, other, {}, at, at));
}

TEST(Square, HasAProcessionThatWalksAlongItsWayAndWatchersWhoFaceIt) {
  std::map<Part, int> parts;
  int watchers_facing = 0, watchers_of_the_way = 0;
  for (const Person& person : people_on_square(10000, kRoom, 1)) {
    ++parts[person.part];
    EXPECT_NEAR(glm::length(person.facing), 1.0, 1e-9);
    const double aside = person.at.x - way_at(person.at.y);
    if (person.part == Part::procession) {
      const glm::dvec2 ahead = glm::normalize(glm::dvec2(way_at(person.at.y + 0.1) - way_at(person.at.y), 0.1));
      EXPECT_GT(std::abs(glm::dot(ahead, person.facing)), 0.95);
      EXPECT_GT(glm::dot(ahead, person.facing) * (person.leads ? 1.0 : -1.0), 0.0);
    }
    if (person.part == Part::watcher && person.company == 1) {
      ++watchers_of_the_way;
      watchers_facing += person.facing.x * aside < 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(parts[Part::procession], 300);
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

TEST(ClipFamilies, MakeDoWithTheClipsThereAre) {
  Scatter scatter(3);
  const ClipFamilies unnamed(with_clips({"clip 0", "clip 1"}));
  const ClipFamilies only_death(with_clips({"Death"}));
  for (const Part part : {Part::procession, Part::watcher, Part::dancer, Part::group}) {
    EXPECT_LT(unnamed.clip_for(part, 5, scatter), throng::ClipId(2));
    EXPECT_EQ(only_death.clip_for(part, 5, scatter), throng::ClipId(0));
  }
}

}  // namespace
