#include "model_check.h"

#include <gtest/gtest.h>

#include <functional>

#include "test_models.h"
#include "throng/playback/pack_rotation.h"

namespace throng {
namespace {

VkPhysicalDeviceLimits small_limits() {
  VkPhysicalDeviceLimits limits{};
  limits.maxImageDimension2D = 64;
  limits.maxImageArrayLayers = 2;
  limits.maxStorageBufferRange = 64 * 1024;
  limits.maxDrawIndexedIndexValue = 11;
  return limits;
}

TEST(ModelCheck, AcceptsAWholeModelThatFits) {
  const auto checked = check_model(test::random_model({}), small_limits());
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST(ModelCheck, RefusesMoreVerticesThanTheDeviceCanIndex) {
  VkPhysicalDeviceLimits limits = small_limits();
  limits.maxDrawIndexedIndexValue = 10;
  const auto checked = check_model(test::random_model({}), limits);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "random: a triangle uses vertex 11 but this device draws vertices up to 10; split the model");
}

struct Broken {
  const char* words;
  std::function<void(Character&)> break_it;
};

TEST(ModelCheck, RefusesEachBrokenPromiseInWords) {
  static std::vector<std::uint32_t> wild_indices{0, 1, 99};
  static std::vector<BakedVertex> wild_vertices(12);
  wild_vertices[5].bones[3] = 77;
  const std::vector<Broken> all = {
      {"is 65 × ", [](Character& m) { m.atlas.layout.width = 65; }},
      {"has 3 layers but this device takes 2", [](Character& m) { m.atlas.layer_count = 3; }},
      {"words, its size says", [](Character& m) { m.atlas.words = m.atlas.words.first(3); }},
      {"texels of 3 words", [](Character& m) { m.atlas.layout.texel_words = 3; }},
      {"animation texture is empty", [](Character& m) { m.atlas.height = 0; }},
      {"'clip 0' lies outside", [](Character& m) { m.bones.resize(40); }},
      {"'clip 0' is of an encoding nobody knows", [](Character& m) { m.clips[0].encoding = Encoding{77}; }},
      {"'clip 1' is of encoding v8 in a model baked as bones",
       [](Character& m) { m.clips[1].encoding = Encoding::v8; }},
      {"'clip 0' is of encoding q16 in a model baked as vertices", [](Character& m) { m.mode = BakeMode::vertices; }},
      {"'clip 1' has rows 5 to 9 of a table of 8", [](Character& m) { m.clips[1].first_table_row = 5; }},
      {"'clip 0' is of encoding local8, but the model has no skeleton",
       [](Character& m) { m.clips[0].encoding = Encoding::local8; }},
      {"no clips", [](Character& m) { m.clips.clear(); }},
      {"'clip 1' lies outside", [](Character& m) { m.clips[1].frame_count += 1; }},
      {"'clip 0' lies outside", [](Character& m) { m.clips[0].layer = 1; }},
      {"'clip 0' lies outside", [](Character& m) { m.clips[0].first_frame = 0xFFFFFFFFu; }},
      {"vertex 99 of 12", [](Character& m) { m.indices = wild_indices; }},
      {"bone 77 of 4", [](Character& m) { m.vertices = wild_vertices; }},
      {"no triangles", [](Character& m) { m.indices = {}; }},
      {"material 9 of 1", [](Character& m) { m.parts[0].material = 9; }},
      {"outside the mesh", [](Character& m) { m.parts[0].index_count += 3; }},
      {"image 0 of 0", [](Character& m) { m.materials[0].base_image = 0; }},
  };
  for (const Broken& broken : all) {
    Character model = test::random_model({});
    broken.break_it(model);
    const auto checked = check_model(model, small_limits());
    ASSERT_FALSE(checked) << broken.words;
    EXPECT_NE(checked.error().message.find(broken.words), std::string::npos) << checked.error().message;
    EXPECT_EQ(checked.error().message.rfind("random: ", 0), 0u) << checked.error().message;
  }
}

TEST(ModelCheck, RefusesSkeletonsThatCannotBePosed) {
  const std::vector<Broken> all = {
      {"link 3 of the skeleton hangs on link 3", [](Character& m) { m.skeleton[3].parent = 3; }},
      {"link 0 of the skeleton hangs on link 5", [](Character& m) { m.skeleton[0].parent = 5; }},
      {"'bone 2' follows link 7 of a skeleton of 7", [](Character& m) { m.bones[2].link = 7; }},
      {"rotation slot 99 of", [](Character& m) { m.skeleton[2].rotation_slot = 99; }},
      {"taken twice",
       [](Character& m) {
         for (PoseLink& link : m.skeleton)
           if (link.translation_slot) link.translation_slot = 0;
       }},
  };
  test::ModelShape shape{.layout = {16, 2}, .encodings = {Encoding::local8}};
  shape.seed = 4;
  ASSERT_GT(translation_slots(test::random_model(shape)), 1u);
  ASSERT_TRUE(check_model(test::random_model(shape), small_limits()));
  for (const Broken& broken : all) {
    Character model = test::random_model(shape);
    broken.break_it(model);
    const auto checked = check_model(model, small_limits());
    ASSERT_FALSE(checked) << broken.words;
    EXPECT_NE(checked.error().message.find(broken.words), std::string::npos) << checked.error().message;
  }
}

TEST(ModelCheck, AcceptsEveryEncodingAndRefusesTablesLargerThanTheDeviceBinds) {
  for (const Encoding encoding : kEncodings) {
    test::ModelShape shape{.layout = {16, 2}, .encodings = {encoding}};
    const Character model = test::random_model(shape);
    const auto checked = check_model(model, small_limits());
    EXPECT_TRUE(checked) << name_of(encoding) << ": " << checked.error().message;
  }
  VkPhysicalDeviceLimits limits = small_limits();
  limits.maxStorageBufferRange = 12 * sizeof(BakedVertex);
  Character model = test::random_model({});
  const std::vector<glm::vec4> table(100);
  model.table = table;
  EXPECT_EQ(check_model(model, limits).error().message,
            "random: its pivots and boxes take 1600 bytes but this device binds 624 at most");
}

std::string message_for(const test::TestCharacter& character, std::size_t clip_count = 2) {
  const auto checked = check_character(character.instance, character.play, 7, clip_count);
  return checked ? std::string("none") : checked.error().message;
}

TEST(ModelCheck, RefusesCharactersThatCannotBeDrawn) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(message_for(test::standing(1)), "none");
  EXPECT_EQ(message_for(test::standing(2)), "instance 7 plays clip 2 of 2");
  EXPECT_NE(message_for(test::standing(0, {0.0f, kNan, 0.0f})).find("finite"), std::string::npos);
  for (const float scale : {0.0f, kNan, std::numeric_limits<float>::infinity()}) {
    test::TestCharacter scaled = test::standing(0);
    scaled.instance.scale = scale;
    EXPECT_EQ(
        message_for(scaled),
        fmt::format("instance 7 has scale {}; a scale is a finite number above 0, or below it for one that is hidden",
                    scale));
  }
}

TEST(ModelCheck, RefusesTracksThatContradictEachOther) {
  test::TestCharacter character = test::standing(0);
  character.play.track.clip = 1;
  EXPECT_EQ(message_for(character), "instance 7 is culled by clip 0 but plays clip 1; set both");
  character = test::standing(0);
  character.play.track.wrap = 3;
  EXPECT_EQ(message_for(character), "instance 7 plays in mode 3; there are 0, 1 and 2");
  character = test::standing(0);
  character.play.previous.clip = 9;
  EXPECT_EQ(message_for(character), "none") << "nothing fades, so it means nothing";
  character.play.fade_ticks = 1;
  EXPECT_EQ(message_for(character), "instance 7 plays clip 9 of 2");
  character = test::standing(0);
  character.instance.clips = 0u | 9u << 16;
  EXPECT_EQ(message_for(character), "instance 7 fades out clip 9 of 2");
}

TEST(CrowdBounds, HoldTurnedAndScaledBoxesOfTheClipEachPlays) {
  Bounds small, tall;
  small.add({-1, 0, -1});
  small.add({1, 2, 1});
  tall.add({-1, 0, -3});
  tall.add({1, 9, 3});
  const std::array clips{small, tall};
  InstanceRecord turned = test::standing(1, {10, 0, 0}).instance;
  turned.rotation = pack_rotation({std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0});  // a quarter turn about +Y
  turned.scale = 2.0f;
  const Bounds all = bounds_of(std::array{test::standing(0).instance, turned}, clips);
  EXPECT_NEAR(all.min.x, -1.0, 1e-5);
  EXPECT_NEAR(all.max.x, 16.0, 1e-4);
  EXPECT_NEAR(all.max.y, 18.0, 1e-5);
  EXPECT_NEAR(all.max.z, 2.0, 1e-5);
  EXPECT_TRUE(bounds_of({}, clips).empty());
}

}  // namespace
}  // namespace throng
