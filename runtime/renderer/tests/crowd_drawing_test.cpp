// SPDX-License-Identifier: Apache-2.0
// Who is drawn, how finely, and what it costs to change a crowd.
#include <gtest/gtest.h>

#include <algorithm>

#include "dice.h"
#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"

namespace throng {
namespace {

using test::kSize;
using test::OwnRenderer;

// The card in three levels: whole, half of it a metre off, and the same triangle two metres off.
Character card_with_levels() {
  CharacterDraft model = test::card_draft({});
  model.bounds = {{-1.0, 0.0, -0.1}, {1.0, 2.0, 0.1}};
  for (BakedClip& clip : model.clips) clip.bounds = {{-1.0, 0.0, -0.1}, {1.0, 3.0, 0.1}};
  static constexpr std::array<std::uint32_t, 9> kIndices{0, 1, 3, 0, 3, 2, 0, 1, 2};
  model.indices = kIndices;
  model.levels = {{.error = 0.05, .vertex_count = 4, .draws = {{0, 0, 3}}},
                  {.error = 0.2, .vertex_count = 3, .draws = {{0, 6, 3}}}};
  return test::built(std::move(model));
}

class Drawing : public test::OnDevice {
 protected:
  CharacterRenderer make(std::span<const Character> models, Skinning skinning = Skinning::automatic) {
    auto crowd = CharacterRenderer::create(context(), {.targets = OwnRenderer::targets(), .skinning = skinning});
    EXPECT_TRUE(crowd) << crowd.error().message;
    for (const Character& model : models) {
      const auto added = crowd->add(model);
      EXPECT_TRUE(added) << added.error().message;
    }
    return std::move(*crowd);
  }
};

// How tall the card is in OwnRenderer's picture, as the GPU measures it.
double pixels_tall(const glm::vec3& position) {
  const double per_unit = kSize / (2.0 * std::tan(glm::radians(20.0)));
  const glm::dvec3 centre = glm::dvec3(position) + glm::dvec3(0.0, 1.5, 0.0);
  return 2.0 * per_unit / glm::distance(centre, glm::dvec3(0.0, 1.0, 8.0));
}

TEST_F(Drawing, ChoosesTheCoarsestLevelWhoseErrorIsNotSeen) {
  const Character model = card_with_levels();
  CharacterRenderer crowd = make(std::span(&model, 1));
  OwnRenderer own(context());
  own.speck_pixels = 3.0f;
  for (const float distance : {0.0f, 4.0f, 20.0f, 60.0f, 120.0f, 400.0f}) {
    const test::TestCharacter far = test::standing(0, {0.0f, 0.0f, -distance});
    ASSERT_TRUE(crowd.set_instances(ModelId(0), std::array{far.instance}, std::array{far.play}));
    own.draw(crowd, 0);
    const double bin = std::floor(4.0 * std::log2(pixels_tall(far.instance.position) / 0.25));
    const double largest = 0.25 * std::exp2((bin + 1.0) / 4.0);
    const bool speck = largest <= 3.0;
    const bool whole = !speck && 0.05 / 2.0 * largest > 1.0;
    const bool coarsest = !speck && 0.2 / 2.0 * largest <= 1.0;
    const CrowdCounts counts = crowd.far_counts();
    EXPECT_EQ(counts.in_picture, 1u) << distance;
    EXPECT_EQ(counts.specks, speck ? 1u : 0u) << distance;
    EXPECT_EQ(counts.triangles, speck ? 0u : whole ? 2u : 1u) << distance;
    EXPECT_EQ(counts.vertices, speck ? 0u : coarsest ? 3u : 4u) << distance;
  }
}

// A level that is off by 5 cm, and by 15 more where its vertices follow one bone.
TEST_F(Drawing, CountsWhatFewerBonesAddWhenItChoosesALevel) {
  CharacterDraft draft = card_with_levels().draft();
  draft.levels.resize(1);
  draft.levels[0].fewer_bones = FewerBones{0.15, 0.0, 0.0};
  const Character model = test::built(std::move(draft));
  OwnRenderer own(context());
  const test::TestCharacter one = test::standing(0, {0.0f, 0.0f, -4.0f});
  const double tall = pixels_tall(one.instance.position);
  ASSERT_LT(0.05 / 2.0 * 1.2 * tall, 1.0) << "5 cm are not seen from there";
  ASSERT_GT(0.2 / 2.0 * tall, 1.0) << "20 are";
  for (const auto& [bones, triangles] : {std::pair(0u, 1u), std::pair(1u, 2u), std::pair(2u, 1u), std::pair(4u, 1u)}) {
    RendererSettings settings{.targets = OwnRenderer::targets()};
    for (LevelQuality& quality : settings.qualities) quality.bones = bones;
    CharacterRenderer crowd = CharacterRenderer::create(context(), settings).value();
    ASSERT_TRUE(crowd.add(model));
    ASSERT_TRUE(crowd.set_instances(ModelId(0), std::array{one.instance}, std::array{one.play}));
    own.draw(crowd, 0);
    EXPECT_EQ(crowd.far_counts().triangles, triangles) << bones << " bones";
  }
}

TEST_F(Drawing, DrawsNobodyWhoIsHidden) {
  const Character model = card_with_levels();
  CharacterRenderer crowd = make(std::span(&model, 1));
  OwnRenderer own(context());
  test::TestCharacter hidden = test::standing(0, glm::vec3(0.0f));
  hidden.instance.scale = -hidden.instance.scale;
  const test::TestCharacter shown = test::standing(0, {1.0f, 0.0f, 0.0f});
  ASSERT_TRUE(crowd.set_instances(ModelId(0), std::array{hidden.instance, shown.instance},
                                  std::array{hidden.play, shown.play}));
  for (const bool culling : {true, false}) {
    own.culling = culling;
    own.draw(crowd, 0);
    EXPECT_EQ(crowd.far_counts().drawn, 1u);
    EXPECT_EQ(crowd.far_counts().in_picture, 1u);
  }
}

TEST_F(Drawing, SeesNobodyOutsideThePictureAndEverybodyInIt) {
  const Character model = card_with_levels();
  CharacterRenderer crowd = make(std::span(&model, 1));
  OwnRenderer own(context());
  test::Dice dice(7);
  test::Cast cast;
  std::size_t inside = 0;
  std::size_t outside = 0;
  const double slope = std::tan(glm::radians(20.0));
  for (int i = 0; i < 3000; ++i) {
    const glm::vec3 place(glm::dvec3(dice.between(-60, 60), dice.between(-20, 20), dice.between(-80, 30)));
    cast.add(test::standing(0, place));
    // The middle of the card in the picture: certainly seen. Its ball past one side: certainly not.
    const glm::dvec3 centre = glm::dvec3(place) + glm::dvec3(0.0, 1.5, 0.0);
    const double depth = 8.0 - centre.z;
    const double aside = std::max(std::abs(centre.x), std::abs(centre.y - 1.0));
    inside += depth > 0.2 && aside < slope * depth ? 1 : 0;
    const double past = (aside - slope * depth) * std::cos(glm::radians(20.0));
    outside += past > 1.9 || depth < -1.9 ? 1 : 0;
  }
  ASSERT_TRUE(crowd.set_instances(ModelId(0), cast.instances, cast.plays));
  own.draw(crowd, 0);
  EXPECT_GT(inside, 300u);
  EXPECT_GE(crowd.far_counts().in_picture, inside);
  EXPECT_LE(crowd.far_counts().in_picture, 3000 - outside);
  EXPECT_LT(3000 - outside - inside, 600u) << "for the two bounds to mean something";
  own.culling = false;
  own.draw(crowd, 0);
  EXPECT_EQ(crowd.far_counts().in_picture, 3000u);
}

TEST_F(Drawing, GivesUpDetailFarAwayFirstWhenVerticesAreShort) {
  const Character model = card_with_levels();
  CharacterRenderer crowd = make(std::span(&model, 1));
  OwnRenderer own(context());
  test::Cast cast;
  for (int i = 0; i < 400; ++i) cast.add(test::standing(0, {0.0f, 0.0f, -0.25f * static_cast<float>(i)}));
  ASSERT_TRUE(crowd.set_instances(ModelId(0), cast.instances, cast.plays));
  own.pixel_error = 0.0f;  // everybody whole, if it may be
  own.draw(crowd, 0);
  EXPECT_EQ(crowd.far_counts().vertices, 1600u);
  std::uint64_t before = 1600;
  for (const std::uint32_t budget : {1500u, 1300u, 1210u}) {
    own.vertex_budget = budget;
    own.draw(crowd, 0);
    EXPECT_LE(crowd.far_counts().vertices, budget);
    EXPECT_LE(crowd.far_counts().vertices, before);
    EXPECT_EQ(crowd.far_counts().in_picture, 400u) << "nobody is left out";
    before = crowd.far_counts().vertices;
  }
  own.speck_pixels = 3.0f;
  own.vertex_budget = 300;
  own.draw(crowd, 0);
  EXPECT_LE(crowd.far_counts().vertices, 300u);
  EXPECT_GT(crowd.far_counts().vertices, 30u) << "those in front are still drawn";
}

TEST_F(Drawing, CountsAreRightForManyGroupsAndModels) {
  const std::array models{card_with_levels(), card_with_levels(), card_with_levels()};
  CharacterRenderer crowd = make(models);
  OwnRenderer own(context());
  own.culling = false;
  std::uint64_t all = 0;
  for (std::uint32_t model = 0; model < 3; ++model) {
    test::Cast cast;
    for (std::uint32_t i = 0; i < 2500 * model + 3; ++i)
      cast.add(test::standing(0, {0.0f, 0.0f, -0.05f * static_cast<float>(i)}));
    ASSERT_TRUE(crowd.set_instances(ModelId(model), cast.instances, cast.plays));
    all += cast.size();
  }
  own.draw(crowd, 0);
  EXPECT_EQ(crowd.far_counts().drawn, all);
  EXPECT_EQ(crowd.far_counts().in_picture, all);
  EXPECT_EQ(crowd.far_count(), all);
}

// Behind each other, so that the order they are drawn in would show if it were not the same.
TEST_F(Drawing, GivesTheSamePictureEveryTimeAndEitherWay) {
  const Character model = test::card_model({});
  test::Cast cast = test::random_cast(model, 3000, 17, true);
  for (InstanceRecord& instance : cast.instances) instance.position *= glm::vec3(0.1f, 0.1f, 0.5f);
  std::vector<float> first;
  for (const Skinning skinning : {Skinning::compute, Skinning::compute, Skinning::vertex}) {
    CharacterRenderer crowd = make(std::span(&model, 1), skinning);
    OwnRenderer own(context());
    own.culling = false;
    ASSERT_TRUE(crowd.set_instances(ModelId(0), cast.instances, cast.plays));
    const auto picture = own.draw(crowd, 777);
    if (first.empty()) first = picture;
    std::size_t different = 0;
    for (std::size_t i = 0; i < picture.size(); ++i) different += std::abs(picture[i] - first[i]) > 0.01f ? 1 : 0;
    EXPECT_LE(different, skinning == Skinning::vertex ? 40u : 0u);
  }
}

// A renderer that was told of every change shows what one shows that is told everything at once.
TEST_F(Drawing, FollowsChangesOfACrowd) {
  const std::array models{test::card_model({}), test::card_model({})};
  throng::Crowd crowd;
  for (const Character& model : models) crowd.add(model);
  CharacterRenderer told = make(models);
  CharacterRenderer fresh = make(models);
  OwnRenderer own(context());
  test::Dice dice(3);
  std::vector<InstanceId> people;
  const auto spawn = [&] {
    Spawn person{.model = ModelId(dice.below(2))};
    person.placement.position = glm::dvec3(dice.between(-3, 3), dice.between(-2, 2), dice.between(-6, 3));
    person.placement.scale = static_cast<float>(dice.between(0.1, 0.4));
    person.play.clip = ClipId(dice.below(2));
    people.push_back(crowd.add(person, 0).value());
  };
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < (round == 0 ? 100 : 40); ++i) spawn();
    for (int i = 0; i < 30; ++i) {
      const std::size_t which = dice.below(static_cast<std::uint32_t>(people.size()));
      ASSERT_TRUE(crowd.remove(people[which]));
      people[which] = people.back();
      people.pop_back();
    }
    for (int i = 0; i < 20; ++i) {
      const InstanceId id = people[dice.below(static_cast<std::uint32_t>(people.size()))];
      Placement place;
      place.position = glm::dvec3(dice.between(-3, 3), dice.between(-2, 2), dice.between(-6, 3));
      place.scale = 0.3f;
      ASSERT_TRUE(crowd.place(id, place));
      ASSERT_TRUE(crowd.play(id, {.clip = ClipId(dice.below(2)), .fade = 0.5}, 0));
    }
    ASSERT_TRUE(told.update(crowd));
    const auto seen = own.draw(told, 1000);
    for (std::uint32_t model = 0; model < models.size(); ++model)
      ASSERT_TRUE(fresh.set_instances(ModelId(model), crowd.instances(ModelId(model)), crowd.plays(ModelId(model))));
    EXPECT_EQ(seen, own.draw(fresh, 1000)) << "round " << round;
    EXPECT_EQ(told.far_count(), people.size());
  }
}

// Versions of two crowds may be the same numbers: they must not be taken for each other, nor a copy for its original.
TEST_F(Drawing, TellsOneCrowdFromAnother) {
  const Character model = test::card_model({});
  CharacterRenderer told = make(std::span(&model, 1));
  OwnRenderer own(context());
  const auto with_one_at = [&](float x) {
    throng::Crowd crowd(model);
    Spawn person;
    person.placement.position.x = x;
    EXPECT_TRUE(crowd.add(person, 0));
    return crowd;
  };
  const throng::Crowd left = with_one_at(-1.5f);
  throng::Crowd right = with_one_at(1.5f);
  ASSERT_EQ(left.version(ModelId(0)), right.version(ModelId(0)));
  ASSERT_TRUE(told.update(left));
  const auto seen_left = own.draw(told, 0);
  ASSERT_TRUE(told.update(right));
  const auto seen_right = own.draw(told, 0);
  EXPECT_NE(seen_left, seen_right);
  right = left;
  EXPECT_NE(right.identity(), left.identity());
  ASSERT_TRUE(told.update(right));
  EXPECT_EQ(own.draw(told, 0), seen_left);
}

// However few vertices there may be, those that are animated have a place to go: validation of buffers would not see
// it.
TEST_F(Drawing, NeverSkinsMoreVerticesThanThereIsRoomFor) {
  const Character model = card_with_levels();
  CharacterRenderer crowd = make(std::span(&model, 1));
  OwnRenderer own(context());
  test::Cast cast;
  for (int i = 0; i < 122; ++i) cast.add(test::standing(0, {0.0f, 0.0f, 6.0f}));
  ASSERT_TRUE(crowd.set_instances(ModelId(0), cast.instances, cast.plays));
  own.vertex_budget = 100;
  for (const float specks : {0.0f, 0.01f, 0.29f}) {
    own.speck_pixels = specks;
    own.draw(crowd, 0);
    EXPECT_LE(crowd.far_counts().vertices, 366u) << "the coarsest level is the least there is";
  }
  own.speck_pixels = 0.3f;
  own.draw(crowd, 0);
  EXPECT_LE(crowd.far_counts().vertices, 100u);
}

TEST_F(Drawing, RefusesWhatCannotBeDrawnAndKeepsWhatIsThere) {
  const Character model = test::card_model({});
  CharacterRenderer crowd = make(std::span(&model, 1));
  OwnRenderer own(context());
  const test::TestCharacter one = test::standing(0);
  ASSERT_TRUE(crowd.set_instances(ModelId(0), std::array{one.instance}, std::array{one.play}));
  const auto before = own.draw(crowd, 0);
  EXPECT_FALSE(crowd.set_instances(ModelId(1), {}, {}));
  EXPECT_FALSE(crowd.set_instances(ModelId(0), std::array{one.instance}, {}));
  throng::Crowd foreign(model);
  foreign.add(test::card_model({}));
  EXPECT_EQ(crowd.update(foreign).error().message,
            "'card' was not added to the renderer for far characters; call add with the crowd's character");
  EXPECT_EQ(own.draw(crowd, 0), before);
}

}  // namespace
}  // namespace throng
