// SPDX-License-Identifier: Apache-2.0
// Who is in a crowd, and what of it has changed.
#include "throng/playback/crowd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "throng/shaders/shared/parts.h"
#include "two_clips.h"

namespace throng {
namespace {

Spawn at_x(float x) {
  Spawn spawn;
  spawn.placement.position.x = x;
  return spawn;
}

TEST(Crowd, GivesTheLastOfAModelTheRemovedOnesPlaceAndKeepsHandles) {
  Crowd crowd(two_clips());
  std::vector<InstanceId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(crowd.add(at_x(static_cast<float>(i)), 0).value());
  ASSERT_TRUE(crowd.remove(ids[0]));
  ASSERT_EQ(crowd.size(), 2u);
  EXPECT_EQ(crowd.instances(ModelId(0))[0].position.x, 2.0f);
  EXPECT_EQ(crowd.find(ids[2])->index, 0u);
  EXPECT_EQ(crowd.find(ids[1])->index, 1u);
}

TEST(Crowd, NeverMistakesAnotherForOneThatWasRemoved) {
  Crowd crowd(two_clips());
  const InstanceId gone = crowd.add({}, 0).value();
  ASSERT_TRUE(crowd.remove(gone));
  const InstanceId other = crowd.add({}, 0).value();
  EXPECT_EQ(other.slot, gone.slot);
  const auto refused = crowd.place(gone, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "instance 0 was removed");
  EXPECT_FALSE(crowd.remove(gone));
  EXPECT_FALSE(crowd.paint(gone, {}));
  EXPECT_FALSE(crowd.play(gone, {}, 0));
  EXPECT_TRUE(crowd.remove(other));
  EXPECT_EQ(crowd.remove(InstanceId{7, 0}).error().message, "instance 7 does not exist; the crowd never had one");
}

// A body from 0 to 2 m, a sword that reaches from there to 6 m aside, and a hat or a hood; bounds 8 m wide.
Character with_parts() {
  static const std::vector<std::uint8_t> of_vertices(two_clips().vertices().size(), 0);
  CharacterDraft draft = two_clips().draft();
  draft.bounds = {{-2.0, 0.0, -1.0}, {6.0, 2.0, 1.0}};
  const Bounds small{{0.0, 0.0, -1.0}, {2.0, 2.0, 1.0}};
  draft.parts = {{"body", small}, {"sword", {{2.0, 0.0, 0.0}, {6.0, 1.0, 1.0}}}, {"hat", small}, {"hood", small}};
  draft.part_groups = {{"head", true, {PartId(3), PartId(2)}}};
  draft.vertex_parts = of_vertices;
  return test::built(std::move(draft));
}

TEST(Crowd, WearsWhatItIsToldAndUsuallyTheFirstOfAGroup) {
  Crowd crowd(with_parts());
  const InstanceId id = crowd.add({}, 0).value();
  const auto hidden = [&] { return crowd.plays(ModelId())[0].hidden_parts; };
  EXPECT_EQ(hidden(), glm::uvec2(4u, 0u)) << "the hood, not the hat";
  const std::uint64_t version = crowd.version(ModelId());
  PartMask mask;
  mask.take_off(PartId(1));
  mask.take_off(PartId(40));
  ASSERT_TRUE(crowd.wear(id, mask));
  EXPECT_EQ(hidden(), glm::uvec2(2u, 256u));
  EXPECT_EQ(crowd.worn(id).value(), mask);
  EXPECT_EQ(crowd.changes_since(ModelId(), version)->size(), 1u) << "a renderer hears of it";
  ASSERT_TRUE(crowd.paint(id, {}));
  EXPECT_EQ(hidden(), glm::uvec2(2u, 256u)) << "a look without parts leaves on what is worn";
  ASSERT_TRUE(crowd.wear(id, PartMask()));
  ASSERT_TRUE(crowd.paint(id, {.parts = mask}));
  EXPECT_EQ(crowd.worn(id).value(), mask);
  ASSERT_TRUE(crowd.remove(id));
  EXPECT_FALSE(crowd.wear(id, mask));
  EXPECT_FALSE(crowd.worn(id));
  EXPECT_FALSE(crowd.dress(id, 1));
}

TEST(Crowd, DressesBySeed) {
  Crowd crowd(with_parts());
  const InstanceId id = crowd.add({}, 0).value();
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ASSERT_TRUE(crowd.dress(id, seed));
    EXPECT_EQ(crowd.worn(id).value(), dressed_parts(crowd.character(ModelId()).part_groups(), seed));
    seen.insert(crowd.worn(id)->hidden());
  }
  EXPECT_EQ(seen, (std::set<std::uint64_t>{4, 8, 12})) << "hood, hat or neither";
  const PartMask worn = crowd.worn(id).value();
  ASSERT_TRUE(crowd.paint(id, {.variation = 7}));
  EXPECT_EQ(crowd.worn(id).value(), worn) << "paint changes no clothes";
  ASSERT_TRUE(crowd.paint(id, {.parts = PartMask()}));
  EXPECT_EQ(crowd.worn(id).value(), PartMask());
}

// In steps of a 31st of the bounds, rounded outwards.
TEST(Crowd, KnowsHowFarWhatIsWornReaches) {
  Crowd crowd(with_parts());
  const InstanceId id = crowd.add({}, 0).value();
  PartMask no_sword;
  no_sword.take_off(PartId(1));
  ASSERT_TRUE(crowd.wear(id, no_sword));
  const std::uint32_t box = crowd.plays(ModelId())[0].parts_box;
  EXPECT_NEAR(-2.0f + 8.0f * gpu::drawn_in_below(box).x, -0.13f, 0.13f);
  EXPECT_NEAR(6.0f - 8.0f * gpu::drawn_in_above(box).x, 2.13f, 0.13f);
  EXPECT_EQ(gpu::drawn_in_below(box).y, 0.0f);
  EXPECT_EQ(gpu::drawn_in_above(box).z, 0.0f);
  ASSERT_TRUE(crowd.wear(id, PartMask(~no_sword.hidden())));
  const std::uint32_t aside = crowd.plays(ModelId())[0].parts_box;
  EXPECT_NEAR(-2.0f + 8.0f * gpu::drawn_in_below(aside).x, 1.87f, 0.13f);
  EXPECT_EQ(gpu::drawn_in_below(aside).y, 0.0f);
  EXPECT_NEAR(-1.0f + 2.0f * gpu::drawn_in_below(aside).z, -0.03f, 0.04f);
  EXPECT_EQ(gpu::drawn_in_above(aside).x, 0.0f);
  EXPECT_NEAR(2.0f - 2.0f * gpu::drawn_in_above(aside).y, 1.03f, 0.04f);
  EXPECT_EQ(gpu::drawn_in_above(aside).z, 0.0f);
  ASSERT_TRUE(crowd.wear(id, PartMask()));
  EXPECT_EQ(crowd.plays(ModelId())[0].parts_box, 0u) << "all of it";
  ASSERT_TRUE(crowd.wear(id, PartMask(~std::uint64_t{0})));
  EXPECT_EQ(crowd.plays(ModelId())[0].parts_box, gpu::kNothingWorn);
}

TEST(Crowd, HidesOneWhoStaysWhereAndWhatItIs) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add(at_x(1.0f), 0).value();
  const std::uint64_t version = crowd.version(ModelId(0));
  ASSERT_TRUE(crowd.show(id, false));
  EXPECT_FALSE(crowd.is_shown(id).value());
  EXPECT_EQ(crowd.changes_since(ModelId(0), version)->size(), 1u);
  EXPECT_LT(crowd.instances(ModelId(0))[0].scale, 0.0f);
  EXPECT_EQ(crowd.placement(id)->scale, 1.0f);
  EXPECT_EQ(glm::determinant(glm::dmat3(world_from_model(crowd.instances(ModelId(0))[0]))), 1.0);
  ASSERT_TRUE(crowd.place(id, {.position = glm::vec3(2.0f), .scale = 3.0f}));
  EXPECT_FALSE(crowd.is_shown(id).value());
  ASSERT_TRUE(crowd.show(id, true));
  ASSERT_TRUE(crowd.show(id, true));
  EXPECT_EQ(crowd.instances(ModelId(0))[0].scale, 3.0f);
  EXPECT_FALSE(crowd.show(InstanceId{9, 0}, true));
}

TEST(Crowd, GivesEveryCharacterANumberThatNoOtherHasOrHad) {
  Crowd crowd(two_clips());
  crowd.add(two_clips());
  std::vector<std::uint32_t> seen;
  for (int i = 0; i < 40; ++i) {
    Spawn spawn;
    spawn.model = ModelId(static_cast<std::uint32_t>(i % 2));
    const InstanceId id = crowd.add(spawn, 0).value();
    const std::uint32_t identity = crowd.plays(spawn.model).back().identity;
    EXPECT_NE(identity, 0u);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), identity), 0);
    seen.push_back(identity);
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(1), .fade = 0.5}, 5));
    EXPECT_EQ(crowd.plays(spawn.model).back().identity, identity) << "whatever it plays";
    if (i % 3 == 0) {
      ASSERT_TRUE(crowd.remove(id));
    }
  }
}

TEST(Crowd, KnowsACharacterItHasHoweverOftenItIsAdded) {
  const Character walker = two_clips();
  const Character alike = two_clips();
  Crowd crowd;
  EXPECT_FALSE(crowd.find(walker));
  const ModelId first = crowd.add(walker);
  const ModelId second = crowd.add(alike);
  EXPECT_NE(first, second) << "built apart from each other, they are two";
  const Character copy = walker;
  EXPECT_EQ(crowd.add(copy), first);
  EXPECT_EQ(crowd.model_count(), 2u);
  EXPECT_EQ(crowd.find(walker), first);
  EXPECT_EQ(crowd.find(alike), second);
  EXPECT_TRUE(crowd.character(first).same_as(walker));
  EXPECT_TRUE(crowd.character(second).same_as(alike));
  EXPECT_FALSE(crowd.character(second).same_as(walker));
}

TEST(Crowd, FindsAModelByItsNameAndSaysWhichItMayHaveBeen) {
  CharacterDraft knight = two_clips_draft();
  knight.name = "knight";
  CharacterDraft archer = two_clips_draft();
  archer.name = "archer";
  Crowd crowd;
  const ModelId knights = crowd.add(test::built_from_clips(knight));
  const ModelId archers = crowd.add(test::built_from_clips(std::move(archer)));
  EXPECT_EQ(crowd.find_model("knight").value(), knights);
  EXPECT_EQ(crowd.find_model("archer").value(), archers);
  EXPECT_NE(crowd.add(test::built_from_clips(knight)), knights);
  EXPECT_EQ(crowd.find_model("knight").value(), knights) << "the first of that name";
  EXPECT_EQ(crowd.find_model("knihgt").error().message, "model 'knihgt' does not exist; did you mean 'knight'?");
}

TEST(Crowd, IsToldFromEveryOtherAndFromItsCopies) {
  Crowd crowd;
  const auto identity = crowd.identity();
  EXPECT_EQ(crowd.identity(), identity);
  Crowd copy = crowd;
  EXPECT_NE(copy.identity(), identity);
  EXPECT_NE(Crowd().identity(), identity);
  copy = crowd;
  EXPECT_NE(copy.identity(), identity);
  const Crowd moved = std::move(crowd);
  EXPECT_EQ(moved.identity(), identity) << "it is still that crowd";
}

TEST(Crowd, KeepsAPairOfArraysForEveryModel) {
  Crowd crowd(two_clips());
  const ModelId second = crowd.add(two_clips());
  Spawn spawn = at_x(5.0f);
  spawn.model = second;
  const InstanceId first = crowd.add({}, 0).value();
  const InstanceId other = crowd.add(spawn, 0).value();
  EXPECT_EQ(crowd.model_count(), 2u);
  EXPECT_EQ(crowd.instances(ModelId(0)).size(), 1u);
  EXPECT_EQ(crowd.instances(second).size(), 1u);
  EXPECT_EQ(crowd.instances(second)[0].position.x, 5.0f);
  ASSERT_TRUE(crowd.remove(first));
  EXPECT_EQ(crowd.find(other)->model, second);
  EXPECT_EQ(crowd.find(other)->index, 0u);
  EXPECT_EQ(crowd.plays(ModelId(0)).size(), 0u);
  EXPECT_EQ(crowd.plays(second).size(), 1u);
}

TEST(Crowd, WritesTintVariationClipAndRotation) {
  Crowd crowd(two_clips());
  Spawn spawn;
  spawn.placement.rotation = glm::quat(2.0f, 0.0f, 0.0f, 0.0f);
  spawn.placement.scale = 1.5f;
  spawn.play.clip = ClipId(1);
  spawn.look = {Tint{1, 2, 3, 4}, 77};
  const InstanceId id = crowd.add(spawn, 9).value();
  const InstanceRecord& record = crowd.instances(ModelId(0))[0];
  EXPECT_EQ(record.tint, 0x04030201u);
  EXPECT_EQ(record.clips, 1u | gpu::kNoClip << 16);
  EXPECT_EQ(record.scale, 1.5f);
  EXPECT_EQ(gpu::unpack_rotation(record.rotation), glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));
  EXPECT_EQ(crowd.plays(ModelId(0))[0].variation, 77u);
  ASSERT_TRUE(crowd.paint(id, {Tint{5, 6, 7, 8}, 78}));
  EXPECT_EQ(crowd.instances(ModelId(0))[0].tint, 0x08070605u);
  EXPECT_EQ(crowd.plays(ModelId(0))[0].variation, 78u);
}

struct BadSpawn {
  const char* what;
  Spawn spawn;
  bool of_play = false;
};

std::vector<BadSpawn> bad_spawns() {
  std::vector<BadSpawn> bad{{"model 3", {.model = ModelId(3)}},
                            {"clip 3", {.play = {.clip = ClipId(3)}}, true},
                            {"speed", {.play = {.speed = INFINITY}}, true},
                            {"offset", {.play = {.offset = NAN}}, true},
                            {"fade", {.play = {.fade = -1.0}}, true},
                            {"fade", {.play = {.fade = NAN}}, true},
                            {"fade", {.play = {.fade = 5000.0}}, true}};
  for (const float scale : {0.0f, -1.0f, NAN, INFINITY}) bad.push_back({"scale", {.placement = {.scale = scale}}});
  for (const float x : {NAN, INFINITY}) bad.push_back({"position", {.placement = {.position = {0.0f, x, 0.0f}}}});
  for (const float w : {0.0f, NAN, INFINITY}) {
    bad.push_back({"rotation", {.placement = {.rotation = glm::quat(w, 0.0f, 0.0f, 0.0f)}}});
  }
  return bad;
}

TEST(Crowd, RefusesWhatCannotBeDrawnAndChangesNothing) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add(at_x(1.0f), 0).value();
  const std::uint64_t version = crowd.version(ModelId(0));
  for (const BadSpawn& bad : bad_spawns()) {
    const auto added = crowd.add(bad.spawn, 0);
    ASSERT_FALSE(added) << bad.what;
    EXPECT_NE(added.error().message.find(bad.what), std::string::npos) << added.error().message;
    if (bad.of_play) {
      EXPECT_FALSE(crowd.play(id, bad.spawn.play, 0)) << bad.what;
    } else if (bad.spawn.model == ModelId(0)) {
      EXPECT_FALSE(crowd.place(id, bad.spawn.placement)) << bad.what;
    }
  }
  EXPECT_EQ(crowd.version(ModelId(0)), version);
  EXPECT_EQ(crowd.size(), 1u);
  EXPECT_EQ(crowd.instances(ModelId(0))[0].position.x, 1.0f);
}

// A copy that follows changes_since() is the crowd, whatever happens to it.
struct Copy {
  std::vector<InstanceRecord> instances;
  std::vector<PlayRecord> plays;
  std::uint64_t version = 0;
  int whole = 0;

  void follow(const Crowd& crowd) {
    const auto all = crowd.instances(ModelId(0));
    instances.resize(all.size());
    plays.resize(all.size());
    const auto changes = crowd.changes_since(ModelId(0), version);
    version = crowd.version(ModelId(0));
    if (!changes) {
      ++whole;
      std::copy(all.begin(), all.end(), instances.begin());
      std::copy(crowd.plays(ModelId(0)).begin(), crowd.plays(ModelId(0)).end(), plays.begin());
      return;
    }
    for (const std::uint32_t index : *changes) {
      if (index >= all.size()) continue;
      instances[index] = all[index];
      plays[index] = crowd.plays(ModelId(0))[index];
    }
  }

  bool is(const Crowd& crowd) const {
    const auto all = crowd.instances(ModelId(0));
    return all.size() == instances.size() && std::memcmp(all.data(), instances.data(), all.size_bytes()) == 0 &&
           std::memcmp(crowd.plays(ModelId(0)).data(), plays.data(), crowd.plays(ModelId(0)).size_bytes()) == 0;
  }
};

// One random change.
void change(Crowd& crowd, std::vector<InstanceId>& ids, std::mt19937& random) {
  const auto kind = random() % 5;
  if (ids.empty() || kind == 0) {
    ids.push_back(crowd.add(at_x(static_cast<float>(random() % 100)), random() % 1000).value());
    return;
  }
  InstanceId& id = ids[random() % ids.size()];
  if (kind == 1) {
    ASSERT_TRUE(crowd.remove(id));
    id = ids.back();
    ids.pop_back();
  } else if (kind == 2) {
    ASSERT_TRUE(crowd.place(id, at_x(static_cast<float>(random() % 100)).placement));
  } else if (kind == 3) {
    ASSERT_TRUE(crowd.paint(id, {{}, static_cast<std::uint32_t>(random())}));
  } else {
    ASSERT_TRUE(
        crowd.play(id, {.clip = ClipId(static_cast<std::uint32_t>(random() % 3)), .fade = 0.1}, random() % 1000));
  }
}

TEST(Crowd, TellsACopyWhatToTakeOverWhateverHappens) {
  Crowd crowd(two_clips());
  std::mt19937 random(5);
  std::vector<InstanceId> ids;
  Copy often;
  Copy seldom;
  for (int round = 0; round < 400; ++round) {
    const auto changes = 1 + random() % 60;
    for (std::size_t i = 0; i < changes; ++i) change(crowd, ids, random);
    often.follow(crowd);
    ASSERT_TRUE(often.is(crowd)) << round;
    if (round % 150 == 149) {
      seldom.follow(crowd);
      ASSERT_TRUE(seldom.is(crowd)) << round;
    }
  }
  EXPECT_EQ(often.whole, 0) << "one who follows closely never needs all";
  EXPECT_GT(seldom.whole, 0) << "the journal is forgotten in time";
}

TEST(Crowd, TellsOnlyWhatChanged) {
  Crowd crowd(two_clips());
  std::vector<InstanceId> ids;
  for (int i = 0; i < 10000; ++i) ids.push_back(crowd.add({}, 0).value());
  const std::uint64_t version = crowd.version(ModelId(0));
  for (std::size_t i = 0; i < 10; ++i) ASSERT_TRUE(crowd.play(ids[i * 7], {.clip = ClipId(2)}, 5));
  EXPECT_EQ(crowd.changes_since(ModelId(0), version)->size(), 10u);
  EXPECT_FALSE(crowd.changes_since(ModelId(0), crowd.version(ModelId(0)) + 1)) << "a version that is yet to come";
}

TEST(Crowd, CopiesAreCrowdsOfTheirOwn) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add({}, 0).value();
  Crowd copy = crowd;
  ASSERT_TRUE(copy.remove(id));
  EXPECT_EQ(crowd.size(), 1u);
  EXPECT_EQ(copy.size(), 0u);
  copy = crowd;
  EXPECT_EQ(copy.size(), 1u);
}

}  // namespace
}  // namespace throng
