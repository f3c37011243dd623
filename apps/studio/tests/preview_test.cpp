// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/preview/wardrobe.h"
#include "pin_drivers.h"
#include "preview/ground.h"
#include "preview/preview_scene.h"
#include "preview/preview_stage.h"
#include "throng/bake/bake.h"
#include "throng/pose/pose.h"
#include "waiting.h"

namespace throng::studio {
namespace {

constexpr std::uint32_t kWidth = 128, kHeight = 96;

std::shared_ptr<const BakeResult> baked(const Model& source, const BakeSettings& settings) {
  SerialExecutor executor;
  auto model = bake(source, settings, executor);
  EXPECT_TRUE(model) << model.error().message;
  return std::make_shared<const BakeResult>(BakeResult{
      .model = *std::move(model), .sources = {}, .form = {}, .events = {}, .seconds = 0.0, .from_file = false});
}

std::shared_ptr<const BakeResult> baked_mannequin() {
  BakeSettings settings;
  settings.clips = {"walk", "wave"};
  settings.levels = 1;
  return baked(test::mannequin(), settings);
}

bool has_device() {
  const auto devices = list_devices();
  return devices && std::ranges::any_of(*devices, [](const DeviceInfo& device) { return device.unusable.empty(); });
}

class PreviewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    throng::test::pin_drivers();
    if (!has_device()) GTEST_SKIP() << "no Vulkan device here";
  }

  // Until a picture of what is asked for now is there.
  Image picture(Preview& preview, const PreviewSubject& subject) {
    EXPECT_TRUE(test::wait_until([&] {
      preview.update(subject, 0.05, kWidth, kHeight);
      return preview.is_current() || !preview.drawn().error.empty();
    }));
    EXPECT_EQ(preview.drawn().error, "");
    return preview.take_image();
  }
};

std::shared_ptr<const SourceModel> source_mannequin() {
  auto made = SourceModel::make(std::make_shared<const Imported>(Imported{test::mannequin(), {}, {}, {}}));
  EXPECT_TRUE(made) << made.error().message;
  return std::make_shared<const SourceModel>(*std::move(made));
}

// How far two pictures of one size are apart: the mean over pixels and channels, of 255.
double difference(const Image& a, const Image& b) {
  EXPECT_EQ(a.rgba.size(), b.rgba.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(a.rgba.size(), b.rgba.size()); ++i)
    sum += std::abs(int{a.rgba[i]} - int{b.rgba[i]});
  return sum / static_cast<double>(std::max<std::size_t>(a.rgba.size(), 1));
}

// Two ways through the library, near and far, from the curves and from the texture: they must agree.
TEST_F(PreviewTest, ShowsTheModelBeforeItIsBakedAndTheBakeLooksTheSame) {
  const auto source = source_mannequin();
  const auto result = baked_mannequin();
  Preview preview({.device = {}, .validation = true});
  preview.clock.playing = false;
  picture(preview, {nullptr, source});
  EXPECT_EQ(preview.shows(), Shows::source);
  ASSERT_TRUE(preview.choose_named("wave"));
  preview.clock.seconds = 0.5;
  const Image model = picture(preview, {nullptr, source});
  EXPECT_FALSE(preview.drawn().picture.bones.empty());
  preview.clock.seconds = 0.9;
  const double moved = difference(model, picture(preview, {nullptr, source}));
  preview.clock.seconds = 0.5;
  picture(preview, {result, source});
  EXPECT_EQ(preview.shows(), Shows::bake) << "as soon as there is one";
  EXPECT_EQ(preview.shown_clip().name, "wave") << "the clip stays";
  // The same camera for both: the bake's box is a hair larger.
  preview.view = Shows::source;
  const Image again = picture(preview, {result, source});
  preview.view = Shows::bake;
  const Image bake = picture(preview, {result, source});
  EXPECT_LT(difference(again, model), 0.2) << "and the model looks as it did";
  EXPECT_GT(moved, 0.5);
  EXPECT_LT(difference(bake, model), 0.5 * moved + 1.0);
  preview.view = Shows::both;
  const Image both = picture(preview, {result, source});
  EXPECT_GT(difference(both, bake), moved) << "two of them";
  EXPECT_NE(preview.drawn().picture.source_at, preview.drawn().picture.bake_at);
  preview.worker().stop();
  EXPECT_EQ(preview.worker().validation_messages(), std::vector<std::string>{});
}

TEST_F(PreviewTest, TakesOffWhatIsHiddenAndPaintsErrors) {
  const auto source = source_mannequin();
  const auto result = baked_mannequin();
  Preview preview({.device = {}, .validation = true});
  preview.clock.playing = false;
  const Image plain = picture(preview, {result, source});
  auto heat = std::make_shared<HeatMap>();
  heat->errors_mm.assign(result->model.vertices().size(), 1.0f);
  heat->worst_mm = 1.0;
  preview.heat = heat;
  EXPECT_GT(difference(plain, picture(preview, {result, source})), 1.0) << "all red";
  preview.heat.reset();
  EXPECT_EQ(picture(preview, {result, source}).rgba, plain.rgba);
  for (const BakedPart& part : result->model.parts()) preview.hidden.push_back(part.name);
  ASSERT_FALSE(preview.hidden.empty());
  EXPECT_GT(difference(plain, picture(preview, {result, source})), 1.0) << "nobody is there";
  preview.worker().stop();
  EXPECT_EQ(preview.worker().validation_messages(), std::vector<std::string>{});
}

PreviewRequest request_for(const std::shared_ptr<const BakeResult>& result) {
  PreviewRequest request;
  request.model = std::shared_ptr<const Character>(result, &result->model);
  request.clip = 0;
  request.width = kWidth;
  request.height = kHeight;
  return request;
}

// Its walk goes two metres ahead; the bake takes that off.
TEST_F(PreviewTest, LeavesTheModelWhereItIsInAClipThatIsNotBaked) {
  ModelDraft draft = test::mannequin().draft();
  Clip& walk = *std::ranges::find(draft.clips, "walk", &Clip::name);
  BoneTrack track;
  track.translation.times = {static_cast<float>(walk.start), static_cast<float>(walk.end)};
  const glm::vec3 rest(draft.bones[0].rest.translation);
  track.translation.values = {rest, rest + glm::vec3(0.0f, 0.0f, 2.0f)};
  std::erase_if(walk.bones, [](const BoneTrack& other) { return other.bone == 0; });
  walk.bones.insert(walk.bones.begin(), track);
  const Model model = build_model(std::move(draft)).value();
  auto made = SourceModel::make(std::make_shared<const Imported>(Imported{model, {}, {}, {}}));
  ASSERT_TRUE(made) << made.error().message;
  const auto source = std::make_shared<const SourceModel>(*std::move(made));
  BakeSettings settings;
  settings.clips = {"walk"};
  settings.levels = 1;
  settings.root_motion = RootTreatment::extract;
  const auto result = baked(model, settings);
  ASSERT_TRUE(result);
  ASSERT_GT(ground_at(result->model.clips()[0], 0.5).translation.z, 0.5) << "there is motion to be taken off";

  Preview preview({.device = {}, .validation = true});
  preview.view = Shows::source;
  preview.clock.playing = false;
  const auto bones_of = [&](const char* clip, const PreviewSubject& subject) {
    preview.update(subject, 0.05, kWidth, kHeight);
    EXPECT_TRUE(preview.choose_named(clip));
    preview.clock.seconds = 0.5;
    picture(preview, subject);
    return preview.drawn().picture.bones;
  };
  const auto alone = bones_of("wave", {nullptr, source});
  const auto beside_a_bake = bones_of("wave", {result, source});
  ASSERT_EQ(alone.size(), model.bones().size());
  ASSERT_EQ(beside_a_bake.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i)
    EXPECT_LT(glm::length(beside_a_bake[i].position - alone[i].position), 1e-6) << model.bones()[i].name;
  // One that is baked lies over its bake.
  const auto walking = bones_of("walk", {nullptr, source});
  const auto walking_in_place = bones_of("walk", {result, source});
  EXPECT_GT(walking[0].position.z - walking_in_place[0].position.z, 0.5);
}

TEST_F(PreviewTest, CountsTheScaleOfErrorsOnlyWhereTheyAreShown) {
  const auto result = baked_mannequin();
  const auto device = Device::create({});
  ASSERT_TRUE(device) << device.error().message;
  PreviewRequest request = request_for(result);
  auto scene = PreviewScene::create(device->context(), request, {.width = 16, .height = 16});
  ASSERT_TRUE(scene) << scene.error().message;
  for (int i = 1; i <= 12; ++i) {
    request.full_heat_mm = i;
    const auto drawn = scene->draw(request);
    ASSERT_TRUE(drawn) << drawn.error().message;
  }
  EXPECT_TRUE(scene->fits(request)) << "they are all the same bake";

  Preview preview({});
  preview.clock.playing = false;
  picture(preview, {result, nullptr});
  ASSERT_TRUE(preview.is_current());
  preview.full_heat_mm = 3.0;
  EXPECT_TRUE(preview.is_current()) << "nothing in the picture has changed";
}

TEST(SourceModel, IsPosedAsTheReferenceHasIt) {
  const Model& model = test::mannequin();
  const std::uint32_t walk = model.find_clip("walk").value();
  const Clip& clip = model.clips()[walk];
  const double time = clip.start + 0.3;
  const auto source = source_mannequin();
  const SourcePose pose = source->pose(walk, time);
  const auto expected = model_from_bones(model, sample(model, clip, time));
  ASSERT_EQ(pose.model_from_bones.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LT(glm::length(glm::dvec3(position_of(pose.model_from_bones[i])) - glm::dvec3(expected[i][3])), 1e-5);
  const Bounds rest = source->bounds(std::nullopt);
  EXPECT_NEAR(rest.size().y, pose_bounds(model, rest_pose(model)).size().y, 1e-9);
}

TEST(Wardrobe, WearsOneOfAGroupAndOnlyWhatIsTicked) {
  ModelDraft draft = test::mannequin().draft();
  ASSERT_GE(draft.meshes.size(), 1u);
  // Three copies of a mesh as two shields and a body.
  const Mesh mesh = draft.meshes[0];
  draft.meshes = {mesh, mesh, mesh};
  const char* names[] = {"body", "round_shield", "spike_shield"};
  for (std::size_t i = 0; i < 3; ++i) {
    draft.meshes[i].part = names[i];
    draft.meshes[i].node = static_cast<std::uint32_t>(i);
  }
  draft.clips.clear();
  auto imported = std::make_shared<Imported>(Imported{build_model(std::move(draft)).value(), {}, {}, {}});
  imported->groups = {"shield=*_shield"};
  auto made = SourceModel::make(imported);
  ASSERT_TRUE(made) << made.error().message;
  Wardrobe wardrobe;
  wardrobe.follow(std::make_shared<const SourceModel>(*std::move(made)));
  BakeForm form;
  form.parts = part_choices(imported->model, {});
  using Names = std::vector<std::string>;
  EXPECT_EQ(wardrobe.group_of(1), "shield");
  EXPECT_EQ(wardrobe.group_of(0), "");
  EXPECT_EQ(wardrobe.hidden(form), Names{"spike_shield"});
  wardrobe.wear(2);
  EXPECT_EQ(wardrobe.hidden(form), Names{"round_shield"});
  form.parts[2].baked = false;
  EXPECT_EQ(wardrobe.hidden(form), Names{"spike_shield"}) << "the other one takes its place";
  form.parts[0].baked = form.parts[1].baked = false;
  EXPECT_EQ(wardrobe.hidden(form).size(), 3u);
}

TEST_F(PreviewTest, DrawsTheClipTheTimeAndTheSideThatAreAskedFor) {
  const auto result = baked_mannequin();
  Preview preview({.device = {}, .validation = true});
  preview.clock.playing = false;
  const Image first = picture(preview, {result, nullptr});
  ASSERT_GT(first.rgba.size(), 0u);
  const auto differs = [&first](const Image& other) { return other.rgba != first.rgba; };
  preview.clock.seconds = 0.5;
  EXPECT_TRUE(differs(picture(preview, {result, nullptr}))) << "time";
  preview.choose_clip(1);
  EXPECT_TRUE(differs(picture(preview, {result, nullptr}))) << "clip";
  preview.choose_clip(0);
  EXPECT_FALSE(differs(picture(preview, {result, nullptr}))) << "the same again";
  preview.orbit.turn({0.3, 0.0});
  EXPECT_TRUE(differs(picture(preview, {result, nullptr}))) << "side";
  preview.look_from_start();
  preview.count = 4;
  EXPECT_TRUE(differs(picture(preview, {result, nullptr}))) << "crowd";
  preview.worker().stop();
  EXPECT_EQ(preview.worker().validation_messages(), std::vector<std::string>{});
  EXPECT_NE(preview.worker().device_name(), "");
}

TEST_F(PreviewTest, ShowsWhereAClipIsWorst) {
  const auto result = baked_mannequin();
  Preview preview({});
  preview.update({result, nullptr}, 0.0, 0, 0);
  preview.count = 50;
  preview.show_worst(1);
  EXPECT_EQ(preview.clip(), 1u);
  EXPECT_TRUE(preview.shows_one());
  EXPECT_FALSE(preview.clock.playing);
  const BakedClip& clip = result->model.clips()[1];
  EXPECT_NEAR(preview.clock.seconds, clip.error.worst_time - clip.source_start, 1e-9);
}

TEST_F(PreviewTest, GoesOnWithTheSameClipWhenItIsBakedAgain) {
  const auto first = baked_mannequin();
  const auto second = baked_mannequin();
  Preview preview({});
  preview.clock.playing = false;
  preview.update({first, nullptr}, 0.0, 0, 0);
  preview.choose_clip(1, 0.75);
  preview.update({second, nullptr}, 0.0, 0, 0);
  EXPECT_EQ(preview.clip(), 1u);
  EXPECT_DOUBLE_EQ(preview.clock.seconds, 0.75);
  preview.update({}, 0.0, 0, 0);
  EXPECT_FALSE(preview.has_model());
}

TEST_F(PreviewTest, SaysWhyThereIsNoPicture) {
  PreviewWorker worker({.device = "no such device", .validation = false});
  const auto result = baked_mannequin();
  const PreviewRequest request = request_for(result);
  worker.ask(request);
  std::optional<DrawnPreview> drawn;
  ASSERT_TRUE(test::wait_until([&] { return (drawn = worker.take()).has_value(); }));
  EXPECT_NE(drawn->error.find("no such device"), std::string::npos) << drawn->error;
}

}  // namespace
}  // namespace throng::studio
