// SPDX-License-Identifier: Apache-2.0
// Characters that come and go, change clothes, and are told nonsense.
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "mannequin_model.h"
#include "near_stage.h"
#include "test_device.h"

namespace throng {
namespace {

using test::NearStage;
using test::random_near_model;
using test::random_pose;

class NearCharacters : public test::OnDevice {};

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_F(NearCharacters, StandAtRestAtTheOriginUntilTheyAreTold) {
  const Model model = random_near_model({.targets = 2});
  NearStage stage(context());
  const CharacterId id = stage.add(stage.add_model(model));
  const Pose pose = rest_pose(model);
  const auto off =
      test::deviation(stage.vertices(id, {ModelId(), 0}), test::expected(model, 0, pose, SkinMethod::linear),
                      pose_bounds(model, pose).diagonal());
  EXPECT_LT(off.position, 1e-5);
}

TEST_F(NearCharacters, AreAllErrorsOnceRemovedAndTheirIdsAreNotUsedAgain) {
  const Model model = random_near_model({});
  NearStage stage(context());
  const ModelId number = stage.add_model(model);
  const CharacterId gone = stage.add(number);
  ASSERT_TRUE(stage.renderer.remove(gone));
  const CharacterId next = stage.add(number);
  EXPECT_FALSE(gone == next);
  EXPECT_EQ(stage.renderer.near_count(), 1u);
  const std::vector<Affine> bones = test::affines_of(model, rest_pose(model));
  EXPECT_FALSE(stage.renderer.remove(gone));
  EXPECT_FALSE(stage.renderer.set_pose(gone, {.model_from_bones = bones}));
  EXPECT_FALSE(stage.renderer.set_pieces(gone, {}));
  EXPECT_FALSE(stage.renderer.pieces(gone));
  EXPECT_FALSE(stage.renderer.bounds(gone));
  const auto refused = stage.renderer.request_vertices(gone, {number, 0});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "was removed")) << refused.error().message;
  EXPECT_FALSE(stage.renderer.bounds(CharacterId{77, 0}));
  EXPECT_FALSE(stage.renderer.bounds(CharacterId{})) << "of nobody";
  EXPECT_TRUE(stage.renderer.bounds(next));
}

TEST_F(NearCharacters, KeepTheirPoseWhenTheNextOneIsNoPose) {
  const Model model = random_near_model({.targets = 2});
  NearStage stage(context());
  const CharacterId id = stage.add(stage.add_model(model));
  stage.pose(id, model, random_pose(model, 5));
  const VertexReadback before = stage.vertices(id, {ModelId(), 0});
  const Bounds box = stage.renderer.bounds(id).value();

  std::vector<Affine> bones = test::affines_of(model, random_pose(model, 6));
  const std::vector<float> morphs = test::morphs_of(random_pose(model, 6));
  const auto refuse = [&](const NearPose& pose, std::string_view why) {
    const auto set = stage.renderer.set_pose(id, pose);
    ASSERT_FALSE(set) << why;
    EXPECT_TRUE(contains(set.error().message, why)) << set.error().message;
  };
  refuse({.model_from_bones = std::span(bones).first(3)}, "a pose of 3 bones for a skeleton of 12");
  refuse({.model_from_bones = bones, .morph_weights = std::span(morphs).first(1)}, "1 morph weights for a model of 2");
  refuse({.model_from_bones = bones, .placement = {.scale = 0.0f}}, "the scale is 0");
  refuse({.model_from_bones = bones, .placement = {.rotation = glm::quat(0.0f, 0.0f, 0.0f, 0.0f)}}, "some length");
  refuse({.model_from_bones = bones, .placement = {.position = {0.0f, std::nanf(""), 0.0f}}}, "the position is");
  std::vector<float> endless = morphs;
  endless[1] = std::numeric_limits<float>::infinity();
  refuse({.model_from_bones = bones, .morph_weights = endless}, "morph weight");
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    bones[7].rows[1].z = bad;
    refuse({.model_from_bones = bones}, "'bone 7'");
  }
  const VertexReadback after = stage.vertices(id, {ModelId(), 0});
  EXPECT_EQ(before.positions, after.positions);
  EXPECT_EQ(before.normals, after.normals);
  EXPECT_EQ(stage.renderer.bounds(id)->min, box.min);
}

TEST_F(NearCharacters, ChangeClothesWithoutTouchingAnybodyElse) {
  const Model model = random_near_model({.meshes = 3, .materials = 2, .targets = 1});
  NearStage stage(context());
  const ModelId number = stage.add_model(model);
  const CharacterId one = stage.add(number);
  const CharacterId other = stage.add(number);
  const Pose pose = random_pose(model, 8);
  stage.pose(one, model, pose);
  stage.pose(other, model, random_pose(model, 9));
  const VertexReadback before = stage.vertices(other, {number, 2});
  const Bounds box = stage.renderer.bounds(other).value();

  ASSERT_TRUE(stage.renderer.set_pieces(one, std::array{PieceRef{number, 1}}));
  const auto refused = stage.renderer.request_vertices(one, {number, 0});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "does not wear piece 0")) << refused.error().message;
  const auto dressed = stage.vertices(one, {number, 1});
  EXPECT_LT(
      test::deviation(dressed, test::expected(model, 1, pose, SkinMethod::linear), pose_bounds(model, pose).diagonal())
          .position,
      1e-5);
  const VertexReadback after = stage.vertices(other, {number, 2});
  EXPECT_EQ(before.positions, after.positions);
  EXPECT_EQ(before.normals, after.normals);
  EXPECT_EQ(stage.renderer.bounds(other)->min, box.min);
  EXPECT_EQ(stage.renderer.pieces(other)->size(), 3u);

  ASSERT_TRUE(stage.renderer.set_pieces(one, {}));
  EXPECT_TRUE(stage.renderer.bounds(one)->empty());
  stage.image();
  EXPECT_EQ(stage.renderer.near_counts().drawn, 1u) << "who wears nothing is not drawn";
}

TEST_F(NearCharacters, WearPartsOfOtherModelsWhoseBonesTheyHave) {
  const Model body = random_near_model({.bones = 12, .targets = 2, .seed = 3});
  // A coat for some of the bones, in another order, with what a tool put before their names.
  ModelDraft draft = random_near_model({.bones = 5, .targets = 2, .seed = 4}).draft();
  const std::array<std::uint32_t, 5> in_body{3, 0, 11, 7, 5};
  for (std::size_t i = 0; i < in_body.size(); ++i) draft.bones[i].name = "rig:bone " + std::to_string(in_body[i]);
  draft.name = "coat";
  draft.meshes[0].morph_targets[0].name = "target 1";  // as the body's second
  draft.meshes[0].morph_targets[1].name = "only here";
  const Model coat = build_model(draft).value();

  NearStage stage(context());
  const ModelId body_number = stage.add_model(body);
  const ModelId coat_number = stage.add_model(coat, {.near_method = SkinMethod::dual_quaternion});
  const CharacterId id = stage.add(body_number);
  const Pose pose = random_pose(body, 10);
  stage.pose(id, body, pose);
  ASSERT_TRUE(stage.renderer.set_pieces(id, std::array{PieceRef{body_number, 0}, PieceRef{coat_number, 0}}));

  // The coat on bones that are where the body's are.
  const auto bones = model_from_bones(body, pose);
  std::vector<glm::dmat4> palette;
  for (const Binding& binding : coat.bindings())
    palette.push_back(bones[in_body[binding.bone]] * binding.bone_from_mesh);
  Pose morphs = rest_pose(coat);
  morphs.morph_weights[0][0] = pose.morph_weights[0][1];
  const SkinnedVertices right = skin_mesh(coat, 0, morphs, palette, SkinMethod::dual_quaternion);
  const auto found = stage.vertices(id, {coat_number, 0});
  EXPECT_LT(test::deviation(found, right, pose_bounds(body, pose).diagonal()).position, 1e-5);
  const Bounds box = stage.renderer.bounds(id).value();
  for (const glm::vec3& position : found.positions)
    EXPECT_TRUE(glm::all(glm::lessThanEqual(glm::dvec3(position), box.max)));

  draft.bones[2].name = "tail";
  const ModelId odd = stage.add_model(build_model(draft).value());
  const auto refused = stage.renderer.set_pieces(id, std::array{PieceRef{odd, 0}});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "needs bone 'tail', which the skeleton of 'random' does not have"))
      << refused.error().message;
  EXPECT_EQ(stage.renderer.pieces(id)->size(), 2u);
  EXPECT_FALSE(stage.renderer.set_pieces(id, std::array{PieceRef{body_number, 9}}));
  EXPECT_FALSE(stage.renderer.set_pieces(id, std::array{PieceRef{ModelId(9), 0}}));
}

TEST_F(NearCharacters, LieInsideTheirBoundsHoweverTheyBend) {
  for (const SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion})
    for (const bool uneven : {false, true}) {
      const Model model = random_near_model({.bones = 20, .vertices = 600, .influences = 8, .targets = 3});
      NearStage stage(context());
      const CharacterId id = stage.add(stage.add_model(model, {.near_method = method}));
      for (unsigned seed = 0; seed < 12; ++seed) {
        const Placement placement{{100.0f, -3.0f, 7.0f}, glm::normalize(glm::quat(1.0f, 0.4f, 0.2f, -0.7f)), 3.0f};
        stage.pose(id, model, random_pose(model, seed, uneven), placement);
        const Bounds box = stage.renderer.bounds(id).value();
        for (const glm::vec3& position : stage.vertices(id, {ModelId(), 0}).positions)
          ASSERT_TRUE(glm::all(glm::greaterThanEqual(glm::dvec3(position), box.min)) &&
                      glm::all(glm::lessThanEqual(glm::dvec3(position), box.max)));
      }
    }
}

// A mesh far from its own origin, on a bone that brings it home: large numbers cancel out, and what they were rounded
// by stays.
TEST_F(NearCharacters, LieInsideTheirBoundsWhereLargeNumbersCancelOut) {
  for (const SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion})
    for (const glm::vec3 far : {glm::vec3(3000.0f, 0.0f, 0.0f), glm::vec3(0.0f, 0.0f, -3000.0f)}) {
      ModelDraft draft = random_near_model({.bones = 1, .vertices = 300}).draft();
      for (glm::vec3& position : draft.meshes[0].positions) position = 0.02f * position + far;
      draft.bindings[0].bone_from_mesh = glm::dmat4(1.0);
      draft.bindings[0].bone_from_mesh[3] = glm::dvec4(-glm::dvec3(far), 1.0);
      const Model model = build_model(std::move(draft)).value();
      NearStage stage(context());
      const CharacterId id = stage.add(stage.add_model(model, {.near_method = method}));
      for (unsigned seed = 0; seed < 8; ++seed) {
        stage.pose(id, model, random_pose(model, seed));
        const Bounds box = stage.renderer.bounds(id).value();
        for (const glm::vec3& position : stage.vertices(id, {ModelId(), 0}).positions)
          ASSERT_TRUE(glm::all(glm::greaterThanEqual(glm::dvec3(position), box.min)) &&
                      glm::all(glm::lessThanEqual(glm::dvec3(position), box.max)))
              << seed;
        EXPECT_LT(glm::length(box.size()), 0.6) << "and they fit";
      }
    }
}

// Between two bones that turn away from each other a screw swings a vertex out, past everything a mean of matrices can
// reach.
TEST_F(NearCharacters, HaveBoundsThatHoldWhatScrewsSwingOut) {
  ModelDraft draft = test::card().draft();
  draft.bones.push_back({.name = "other", .parent = {}, .rest = {}});
  draft.bindings.push_back({1, glm::dmat4(1.0)});
  for (Influences& influences : draft.meshes[0].influences) {
    influences.bindings = {0, 1, 0, 0};
    influences.weights = {0.5f, 0.5f, 0.0f, 0.0f};
  }
  const Model model = build_model(std::move(draft)).value();
  Pose pose = rest_pose(model);
  for (std::size_t i = 0; i < 2; ++i)
    pose.bones[i].rotation = glm::angleAxis(i == 0 ? 1.4 : -1.4, glm::dvec3(0.0, 1.0, 0.0));
  std::array<Bounds, 2> boxes;
  for (const SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion}) {
    NearStage stage(context());
    const CharacterId id = stage.add(stage.add_model(model, {.near_method = method}));
    stage.pose(id, model, pose);
    boxes[static_cast<std::size_t>(method)] = stage.renderer.bounds(id).value();
    for (const glm::dvec3& position : test::expected(model, 0, pose, method).positions)
      EXPECT_TRUE(glm::all(glm::lessThanEqual(position, boxes[static_cast<std::size_t>(method)].max)));
  }
  EXPECT_LT(boxes[0].max.x, 0.2) << "for the difference to be one";
  EXPECT_GT(boxes[1].max.x, 1.0);
}

TEST_F(NearCharacters, HaveBoundsThatFit) {
  const Model model = test::card();
  NearStage stage(context());
  const CharacterId id = stage.add(stage.add_model(model));
  const Bounds box = stage.renderer.bounds(id).value();
  EXPECT_LT(glm::distance(box.min, glm::dvec3(-1.0, 0.0, 0.0)), 1e-3);
  EXPECT_LT(glm::distance(box.max, glm::dvec3(1.0, 2.0, 0.0)), 1e-3);
  EXPECT_EQ(stage.renderer.bounds().min, box.min);

  const Model person = test::mannequin_model();
  const Pose pose = sample(person, person.clips()[1], person.clips()[1].start + 0.3);
  const Bounds right = pose_bounds(person, pose);
  for (const auto& [method, most] : {std::pair{SkinMethod::linear, 1.3}, {SkinMethod::dual_quaternion, 2.0}}) {
    const CharacterId one = stage.add(stage.add_model(person, {.near_method = method}));
    stage.pose(one, person, pose);
    const glm::dvec3 size = stage.renderer.bounds(one)->size();
    EXPECT_LT(size.y, most * right.size().y);
    EXPECT_LT(glm::length(size), most * right.diagonal());
  }
}

TEST_F(NearCharacters, MayBePosedByManyThreadsAtOnce) {
  const Model model = random_near_model({.targets = 1});
  NearStage stage(context());
  const ModelId number = stage.add_model(model);
  std::vector<CharacterId> ids;
  for (unsigned i = 0; i < 32; ++i) ids.push_back(stage.add(number));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = t; i < ids.size(); i += 4) stage.pose(ids[i], model, random_pose(model, i));
    });
  for (std::thread& thread : threads) thread.join();
  for (const unsigned i : {0u, 13u, 31u}) {
    const Pose pose = random_pose(model, i);
    EXPECT_LT(test::deviation(stage.vertices(ids[i], {number, 0}), test::expected(model, 0, pose, SkinMethod::linear),
                              pose_bounds(model, pose).diagonal())
                  .position,
              1e-5);
  }
}

TEST_F(NearCharacters, OutsideEveryViewAreNotSkinned) {
  const Model model = test::card();
  NearStage stage(context());
  const ModelId number = stage.add_model(model);
  const CharacterId near = stage.add(number);
  const CharacterId far = stage.add(number);
  stage.pose(near, model, rest_pose(model));
  stage.pose(far, model, rest_pose(model), {.position = {50.0f, 0.0f, 0.0f}});
  // x and y from −2 to 2, z from −2 to 2.
  glm::mat4 box(0.5f);
  box[2][2] = 0.25f;
  box[3] = {0.0f, 0.0f, 0.5f, 1.0f};
  stage.image({.clip_from_world = box});
  EXPECT_EQ(stage.renderer.near_counts().drawn, 1u);
  EXPECT_EQ(stage.renderer.near_counts().vertices, 4u);
  EXPECT_EQ(stage.renderer.near_counts().triangles, 2u);
  glm::mat4 elsewhere = box;
  elsewhere[3].x = -25.0f;  // the far one casts a shadow here
  stage.image({.clip_from_world = box, .shadows = std::array{elsewhere}});
  EXPECT_EQ(stage.renderer.near_counts().drawn, 2u);
  EXPECT_EQ(stage.renderer.near_counts().in_picture, 1u);
  stage.image({.clip_from_world = box, .culling = false});
  EXPECT_EQ(stage.renderer.near_counts().in_picture, 2u);
}

TEST_F(NearCharacters, OfNobodyCostNothing) {
  NearStage stage(context());
  stage.image();
  EXPECT_EQ(stage.renderer.near_counts().dispatches, 0u);
  EXPECT_EQ(stage.renderer.near_counts().upload_bytes, 0u);
  stage.add_model(test::card());
  stage.image();
  EXPECT_EQ(stage.renderer.near_counts().dispatches, 0u);
}

TEST_F(NearCharacters, ModelsWithNothingToSkinAreRefused) {
  NearStage stage(context());
  CharacterDraft draft = test::near_character(test::card()).draft();
  draft.near_mesh.reset();
  const Character far_only = build_character(draft).value();
  const auto nothing = stage.renderer.add(far_only, {.far = false});
  ASSERT_FALSE(nothing);
  EXPECT_TRUE(contains(nothing.error().message, "bake the model again")) << nothing.error().message;
  EXPECT_FALSE(stage.renderer.add_near(ModelId())) << "nothing was added";
  const auto far = stage.renderer.add(far_only);
  ASSERT_TRUE(far) << far.error().message;
  const auto refused = stage.renderer.add_near(*far);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "bake the model again")) << refused.error().message;
}

TEST_F(NearCharacters, ImagesThatAreNoImagesAreRefused) {
  NearStage stage(context());
  const auto prepare = [&](const RendererImage& image) {
    Result<void> prepared;
    EXPECT_TRUE(
        stage.gpu->run([&](VkCommandBuffer commands) { prepared = stage.renderer.record_prepare(commands, image); }));
    return prepared;
  };
  EXPECT_FALSE(prepare({.clip_from_world = glm::mat4(std::nanf(""))}));
  const std::vector<glm::mat4> shadows(8, glm::mat4(1.0f));
  const auto many = prepare({.shadows = shadows});
  ASSERT_FALSE(many);
  EXPECT_TRUE(contains(many.error().message, "8 shadow passes, but an image has 7 at most")) << many.error().message;
}

class NearReadback : public test::OnDevice {};

TEST_F(NearReadback, ComesWhenItsSlotComesRoundAgainAndTellsHowLateItIs) {
  const Model model = test::card();
  RendererSettings settings;
  settings.targets.images_in_flight = 3;
  NearStage stage(context(), settings);
  const CharacterId id = stage.add(stage.add_model(model));
  const auto prepare = [&] {
    EXPECT_TRUE(stage.gpu->run(
        [&](VkCommandBuffer commands) { EXPECT_TRUE(stage.renderer.record_prepare(commands, {.culling = false})); }));
  };
  const std::uint64_t request = stage.renderer.request_vertices(id, {ModelId(), 0}).value();
  EXPECT_TRUE(stage.renderer.poll().empty()) << "nothing has been asked of the GPU yet";
  for (int i = 0; i < 3; ++i) {
    prepare();
    EXPECT_TRUE(stage.renderer.poll().empty()) << "nobody has said that image " << i << " has finished";
  }
  prepare();
  const auto read = stage.renderer.poll();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].request, request);
  EXPECT_EQ(read[0].latency, 3u);
  EXPECT_EQ(read[0].positions.size(), 4u);
  EXPECT_TRUE(stage.renderer.poll().empty()) << "once is enough";
  EXPECT_EQ(stage.vertices(id, {ModelId(), 0}).latency, 0u) << "when told that all have finished";
}

TEST_F(NearReadback, IsRefusedBeyondWhatMayBeUnderWayAndGoesOnAfterwards) {
  RendererSettings settings;
  settings.most_readbacks = 2;
  NearStage stage(context(), settings);
  const CharacterId id = stage.add(stage.add_model(test::card()));
  ASSERT_TRUE(stage.renderer.request_vertices(id, {ModelId(), 0}));
  ASSERT_TRUE(stage.renderer.request_vertices(id, {ModelId(), 0}));
  const auto refused = stage.renderer.request_vertices(id, {ModelId(), 0});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "2 requests for vertices are under way, and there may be 2"))
      << refused.error().message;
  stage.image();
  EXPECT_EQ(stage.renderer.poll().size(), 2u);
  EXPECT_TRUE(stage.renderer.request_vertices(id, {ModelId(), 0}));
}

TEST_F(NearReadback, SkinsWhoIsNotSeenAndComesBackEmptyForWhoIsGone) {
  const Model model = test::card();
  NearStage stage(context());
  const ModelId number = stage.add_model(model);
  const CharacterId away = stage.add(number);
  const CharacterId gone = stage.add(number);
  stage.pose(away, model, rest_pose(model), {.position = {500.0f, 0.0f, 0.0f}});
  ASSERT_TRUE(stage.renderer.request_vertices(away, {number, 0}));
  ASSERT_TRUE(stage.renderer.request_vertices(gone, {number, 0}));
  ASSERT_TRUE(stage.renderer.remove(gone));
  stage.image({.culling = true});
  EXPECT_EQ(stage.renderer.near_counts().in_picture, 0u);
  const auto read = stage.renderer.poll();
  ASSERT_EQ(read.size(), 2u);
  ASSERT_EQ(read[0].positions.size(), 4u);
  EXPECT_EQ(read[0].positions[1], glm::vec3(501.0f, 0.0f, 0.0f));
  EXPECT_TRUE(read[1].positions.empty());
}

// Poses it, lets `more` others come, and reads its vertices in each of `images` images. All are recorded before the
// first is submitted, and none is waited for before the last: tables that share a place, or a pool that is written
// before it was copied, show.
void expect_each_images_own(NearStage& stage, ModelId number, const Model& model, unsigned images,
                            const std::function<unsigned(unsigned image)>& more) {
  const CharacterId id = stage.add(number);
  std::vector<CommandRecorder> commands;
  for (unsigned i = 0; i < images; ++i) {
    commands.push_back(CommandRecorder::create(*stage.gpu).value());
    stage.pose(id, model, random_pose(model, 20 + i));
    for (unsigned others = more(i); others > 0; --others) stage.add(number);
    ASSERT_TRUE(stage.renderer.request_vertices(id, {number, 0}));
    ASSERT_TRUE(commands.back().begin());
    ASSERT_TRUE(stage.renderer.record_prepare(commands.back().buffer(), {.culling = false}));
  }
  for (CommandRecorder& each : commands) ASSERT_TRUE(each.submit());
  for (CommandRecorder& each : commands) ASSERT_TRUE(each.wait());
  stage.renderer.all_finished();
  const auto read = stage.renderer.poll();
  ASSERT_EQ(read.size(), images);
  for (unsigned i = 0; i < images; ++i) {
    const Pose pose = random_pose(model, 20 + i);
    EXPECT_EQ(read[i].latency, images - 1 - i);
    EXPECT_LT(test::deviation(read[i], test::expected(model, 0, pose, SkinMethod::linear),
                              pose_bounds(model, pose).diagonal())
                  .position,
              1e-5)
        << "image " << i;
  }
}

constexpr std::uint32_t kImagesTogether = 3;

// Each needs a larger pool than the one before, while that reads the old one; and, for motion vectors, more room for
// what the one before showed.
TEST_F(NearReadback, OfImagesUnderWayTogetherIsEachOnesOwn) {
  const Model model = random_near_model({.vertices = 900, .targets = 1});
  for (const bool motion : {false, true}) {
    RendererSettings settings;
    settings.targets.images_in_flight = kImagesTogether;
    if (motion) settings.targets.motion = VK_FORMAT_R16G16_SFLOAT;
    NearStage stage(context(), settings);
    const ModelId number = stage.add_model(model);
    expect_each_images_own(stage, number, model, kImagesTogether, [](unsigned image) { return 8 * image; });
  }
}

// A larger pool is bound to those who are far too, though images under way read the old one of them.
TEST_F(NearReadback, OfImagesUnderWayTogetherIsEachOnesOwnBesideWhoIsFar) {
  const Model model = random_near_model({.vertices = 900});
  const Character character = test::near_character(model);
  RendererSettings settings;
  settings.targets.images_in_flight = kImagesTogether;
  NearStage stage(context(), settings);
  const ModelId number = stage.add_model(character);
  Crowd crowd(character);
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(crowd.add({.placement = {.position = {static_cast<float>(i), 0.0f, 0.0f}}}, 0));
  ASSERT_TRUE(stage.renderer.update(crowd));
  expect_each_images_own(stage, number, model, kImagesTogether, [](unsigned image) { return 100 * image; });
}

TEST_F(NearReadback, OfAnImageThatIsNeverSubmittedGoesWithTheNext) {
  NearStage stage(context());
  const CharacterId id = stage.add(stage.add_model(test::card()));
  ASSERT_TRUE(stage.renderer.request_vertices(id, {ModelId(), 0}));
  auto commands = CommandRecorder::create(*stage.gpu).value();
  ASSERT_TRUE(commands.begin());
  ASSERT_TRUE(stage.renderer.record_prepare(commands.buffer(), {.culling = false}));
  stage.renderer.drop_image();
  ASSERT_TRUE(commands.begin());
  stage.renderer.all_finished();
  EXPECT_TRUE(stage.renderer.poll().empty());
  stage.image();
  const auto read = stage.renderer.poll();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].positions.size(), 4u);
}

TEST_F(NearReadback, OfTheSecondImageDoesNotComeWithTheFirst) {
  RendererSettings settings;
  settings.targets.images_in_flight = 2;
  NearStage stage(context(), settings);
  const CharacterId id = stage.add(stage.add_model(test::card()));
  const auto prepare = [&] {
    EXPECT_TRUE(stage.gpu->run(
        [&](VkCommandBuffer commands) { EXPECT_TRUE(stage.renderer.record_prepare(commands, {.culling = false})); }));
  };
  prepare();
  ASSERT_TRUE(stage.renderer.request_vertices(id, {ModelId(), 0}));
  prepare();
  prepare();
  EXPECT_TRUE(stage.renderer.poll().empty());
  prepare();
  EXPECT_EQ(stage.renderer.poll().size(), 1u);
}

}  // namespace
}  // namespace throng
