// SPDX-License-Identifier: Apache-2.0
#include "throng/ragdoll/ragdoll.h"
#include "compiled_rig.h"

#include <gtest/gtest.h>

#include "fallen.h"
#include "paths.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using test::Fall;
using test::let_fall;
using test::lifted;
using test::mannequin_rig;
using test::mannequin_setup;
using test::same_bits;
using test::TestCharacter;
using test::world_with_ground;

const float kNan = std::numeric_limits<float>::quiet_NaN();

// What every fall must keep to: metres and seconds.
constexpr float kMostSeparation = 0.06f;
constexpr float kDeepest = -0.07f;  // at impact: the way a body falls in one step, at 8 m/s
constexpr float kDeepestAtRest = -0.01f;

TEST(Ragdoll, SettlesOnTheGroundWithoutExplodingFromSeveralPoses) {
  struct Row {
    const char* clip;
    float time, height, pitch;
  };
  for (const Row& row : {Row{nullptr, 0, 0.0f, 0}, Row{"walk", 0.3f, 0.3f, 0}, Row{"run", 0.2f, 1.0f, 1.2f},
                         Row{nullptr, 0, 1.5f, 3.0f}, Row{"run", 0.5f, 0.8f, -1.5f}}) {
    RagdollWorld world = world_with_ground();
    TestCharacter man(mannequin_rig());
    if (row.clip) man.sample(row.clip, row.time);
    Ragdoll ragdoll(world, mannequin_setup());
    const glm::mat4 at =
        lifted(row.height + (row.pitch != 0.0f ? 1.0f : 0.02f), glm::angleAxis(row.pitch, glm::vec3(1, 0, 0)));
    ASSERT_TRUE(ragdoll.start({.models = man.models, .world_from_model = at}).has_value());
    const Fall fall = let_fall(world, ragdoll, 5.0);
    EXPECT_GT(fall.settled_after, 0.0) << row.pitch;
    EXPECT_LT(fall.settled_after, 4.5);
    EXPECT_LT(fall.speed, 12.0f) << row.pitch;
    EXPECT_LT(fall.separation, kMostSeparation) << row.pitch;
    EXPECT_GT(fall.lowest, kDeepest) << row.pitch;
    EXPECT_GT(fall.last_lowest, kDeepestAtRest) << row.pitch;
    EXPECT_LT(fall.last_energy, 0.5 * fall.first_energy) << row.pitch;
    EXPECT_LT(fall.most_energy, fall.first_energy * 1.05 + 5.0) << row.pitch;
    ASSERT_TRUE(ragdoll.write(man.edit(), at));
    EXPECT_LT(glm::vec3(at * glm::vec4(man.at("head"), 1)).y, 0.5f) << "it lies";
  }
}

TEST(Ragdoll, WithstandsImpulsesOfAnySize) {
  for (const float strength : {200.0f, 5e3f, 1e20f, 3e38f}) {
    RagdollWorld world = world_with_ground();
    TestCharacter man(mannequin_rig());
    Ragdoll ragdoll(world, mannequin_setup());
    ASSERT_TRUE(ragdoll.start({.models = man.models}).has_value());
    const std::uint32_t chest = mannequin_rig()->find_bone("chest").value();
    const auto before = ragdoll.motion();
    EXPECT_TRUE(ragdoll.push(chest, {0.1f, 1.3f, 0.1f}, {0.0f, 0.3f * strength, -strength}));
    EXPECT_GT(ragdoll.motion().max_speed, before.max_speed + 1.0f);
    const Fall fall = let_fall(world, ragdoll, 3.0);
    EXPECT_LE(fall.speed, world.settings().max_speed * 1.001f);
    EXPECT_LT(fall.separation, 0.5f) << strength << ": a joint of a 40 m/s body";
    EXPECT_GT(fall.lowest, -0.2f);
    EXPECT_LT(ragdoll.motion().separation, kMostSeparation) << "together again";
    ASSERT_TRUE(ragdoll.write(man.edit(), glm::mat4(1.0f)));
    for (const Affine& m : man.models) ASSERT_TRUE(std::isfinite(position_of(m).x + position_of(m).y));
  }
}

TEST(Ragdoll, IgnoresPushesThatAreNoNumbers) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  Ragdoll ragdoll(world, mannequin_setup());
  EXPECT_FALSE(ragdoll.push(1, {0, 1, 0}, {1, 0, 0})) << "does not run";
  ASSERT_TRUE(ragdoll.start({.models = man.models}).has_value());
  EXPECT_FALSE(ragdoll.push(1, {0, 1, 0}, {kNan, 0, 0}));
  EXPECT_FALSE(ragdoll.push(1, {0, std::numeric_limits<float>::infinity(), 0}, {1, 0, 0}));
  EXPECT_FALSE(ragdoll.push(9999, {0, 1, 0}, {1, 0, 0}));
  EXPECT_EQ(ragdoll.motion().max_speed, 0.0f);
}

TEST(Ragdoll, GivesTheSameForTheSame) {
  const auto run = [] {
    RagdollWorld world = world_with_ground();
    TestCharacter man(mannequin_rig());
    man.sample("run", 0.3f);
    Ragdoll ragdoll(world, mannequin_setup());
    EXPECT_TRUE(ragdoll.start({.models = man.models, .world_from_model = lifted(0.2f)}).has_value());
    ragdoll.push(mannequin_rig()->find_bone("head").value(), {0, 1.7f, 0.1f}, {5, 0, -20});
    for (int i = 0; i < 150; ++i) world.step(1.0 / 60.0);
    ragdoll.write(man.edit(), lifted(0.2f));
    return man.locals;
  };
  EXPECT_TRUE(same_bits(run(), run()));
}

TEST(Ragdoll, DoesNotDependOnHowTimeIsCut) {
  const auto run = [](double dt, int calls) {
    RagdollWorld world = world_with_ground();
    TestCharacter man(mannequin_rig());
    Ragdoll ragdoll(world, mannequin_setup());
    EXPECT_TRUE(ragdoll.start({.models = man.models, .world_from_model = lifted(0.5f)}).has_value());
    std::uint32_t steps = 0;
    for (int i = 0; i < calls; ++i) steps += world.step(dt);
    ragdoll.write(man.edit(), lifted(0.5f));
    EXPECT_NEAR(steps, 60.0, 1.0);
    return man.at("head");
  };
  EXPECT_LT(glm::distance(run(1.0 / 240.0, 120), run(1.0 / 24.0, 12)), 0.02f);
}

TEST(Ragdoll, StartsWhereThePoseIsAndMovesAsItMoved) {
  RagdollWorld world = RagdollWorld::make({.gravity = {}}).value();
  TestCharacter before(mannequin_rig()), now(mannequin_rig());
  before.sample("run", 0.30f);
  now.sample("run", 0.32f);
  Ragdoll ragdoll(world, mannequin_setup());
  glm::mat4 moved(1.0f);
  moved[3] = glm::vec4(0, 0, 0.1f, 1);  // 5 m/s forwards
  ASSERT_TRUE(ragdoll
                  .start({.models = now.models,
                          .models_before = before.models,
                          .seconds = 0.02f,
                          .world_from_model = moved,
                          .world_from_model_before = glm::mat4(1.0f)})
                  .has_value());
  TestCharacter written = now;
  ASSERT_TRUE(ragdoll.write(written.edit(), moved));
  for (std::uint32_t b = 0; b < now.models.size(); ++b) {
    EXPECT_LT(glm::distance(position_of(written.models[b]), position_of(now.models[b])), 2e-4f);
  }
  for (int i = 0; i < 6; ++i) world.step(1.0 / 60.0);
  ragdoll.write(written.edit(), moved);
  EXPECT_NEAR((written.at("hips") - now.at("hips")).z, 5.0f * 0.1f, 0.12f);
}

TEST(Ragdoll, LeavesEveryBitOutsideAPartialOne) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  const auto bone = [](const char* name) { return mannequin_rig()->find_bone(name).value(); };
  // Stretched out sideways: it has somewhere to fall.
  solve_two_bone(man.edit(), {.upper = bone("upper_arm.L"),
                              .lower = bone("forearm.L"),
                              .end = bone("hand.L"),
                              .target = man.at("upper_arm.L") +
                                        glm::vec3(man.at("upper_arm.L").x > 0.0f ? 0.5f : -0.5f, 0.1f, 0.1f)});
  const TestCharacter animated = man;
  const std::uint32_t arm = mannequin_rig()->find_bone("upper_arm.L").value();
  Ragdoll ragdoll(world, mannequin_setup());
  ASSERT_TRUE(ragdoll.start({.models = man.models, .from = arm}).has_value());
  float moved = 0.0f;
  for (int i = 0; i < 120; ++i) {
    man = animated;
    ragdoll.follow(man.models, glm::mat4(1.0f));
    world.step(1.0 / 60.0);
    ASSERT_TRUE(ragdoll.write(man.edit(), glm::mat4(1.0f)));
    for (std::uint32_t b = 0; b < man.models.size(); ++b) {
      if (mannequin_rig()->is_below(b, arm)) continue;
      const BoneTransform was = local_of(animated.locals, b), is = local_of(man.locals, b);
      ASSERT_EQ(std::memcmp(&was, &is, sizeof(was)), 0);
      ASSERT_EQ(std::memcmp(&animated.models[b], &man.models[b], sizeof(Affine)), 0);
    }
    moved = std::max(moved, glm::distance(man.at("hand.L"), animated.at("hand.L")));
    EXPECT_LT(ragdoll.motion().separation, kMostSeparation);
  }
  EXPECT_GT(moved, 0.2f) << "the arm hangs";
  EXPECT_LT(glm::distance(man.at("upper_arm.L"), animated.at("upper_arm.L")), 1e-4f) << "on its shoulder";
}

TEST(Ragdoll, FollowsACharacterThatWalksAway) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  const std::uint32_t arm = mannequin_rig()->find_bone("upper_arm.R").value();
  Ragdoll ragdoll(world, mannequin_setup());
  ASSERT_TRUE(ragdoll.start({.models = man.models, .from = arm}).has_value());
  glm::mat4 at(1.0f);
  for (int i = 1; i <= 120; ++i) {
    at[3].z = 2.0f * static_cast<float>(i) / 60.0f;
    ragdoll.follow(man.models, at);
    world.step(1.0 / 60.0);
    EXPECT_LT(ragdoll.motion().separation, kMostSeparation);
  }
  const auto body = mannequin_setup()->body_of(arm);
  EXPECT_NEAR(ragdoll.world_from_bone(*body)[3].z, 4.0f, 0.15f);
}

// 0.7 and 0.3 of a step are one only after rounding: the step is made by the next call, even by one of no time.
TEST(Ragdoll, StaysANumberWhenACallOfNoTimeMakesAStep) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  const std::uint32_t arm = mannequin_rig()->find_bone("upper_arm.L").value();
  Ragdoll ragdoll(world, mannequin_setup());
  ASSERT_TRUE(ragdoll.start({.models = man.models, .from = arm}).has_value());
  const double step = world.settings().step;
  ragdoll.follow(man.models, glm::mat4(1.0f));
  EXPECT_EQ(world.step(0.7 * step) + world.step(0.3 * step), 0u);
  EXPECT_EQ(world.step(0.0), 1u);
  for (int i = 0; i < 10; ++i) world.step(1.0 / 60.0);
  EXPECT_TRUE(std::isfinite(ragdoll.motion().separation));
  ASSERT_TRUE(ragdoll.write(man.edit(), glm::mat4(1.0f)));
  for (const Affine& m : man.models) ASSERT_TRUE(std::isfinite(position_of(m).x + position_of(m).y));
}

TEST(Ragdoll, BlendsByWeightAndMask) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  Ragdoll ragdoll(world, mannequin_setup());
  ASSERT_TRUE(ragdoll.start({.models = man.models, .world_from_model = lifted(0.3f)}).has_value());
  for (int i = 0; i < 90; ++i) world.step(1.0 / 60.0);
  const TestCharacter animated = man;
  TestCharacter none = man, some = man, all = man;
  EXPECT_TRUE(ragdoll.write(none.edit(), lifted(0.3f), 0.0f));
  EXPECT_TRUE(same_bits(none.locals, animated.locals));
  ragdoll.write(all.edit(), lifted(0.3f));
  float last = 0.0f;
  for (int i = 0; i <= 50; ++i) {
    some = animated;
    ragdoll.write(some.edit(), lifted(0.3f), static_cast<float>(i) / 50.0f);
    const float way = glm::distance(some.at("head"), animated.at("head"));
    EXPECT_LT(std::abs(way - last), 0.12f) << i;
    last = way;
  }
  EXPECT_LT(glm::distance(some.at("head"), all.at("head")), 1e-4f);
  std::vector<float> mask(4 * mannequin_rig()->group_count(), 0.0f);
  const std::uint32_t head = mannequin_rig()->find_bone("head").value();
  mask[head] = 1.0f;
  some = animated;
  ragdoll.write(some.edit(), lifted(0.3f), 1.0f, mask);
  for (std::uint32_t b = 0; b < head; ++b)
    EXPECT_EQ(local_of(some.locals, b).rotation, local_of(animated.locals, b).rotation);
  EXPECT_NE(local_of(some.locals, head).rotation, local_of(animated.locals, head).rotation);
}

TEST(Ragdoll, FindsTheBodyNearAPointAndOnARay) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  Ragdoll ragdoll(world, mannequin_setup());
  EXPECT_FALSE(ragdoll.nearest({0, 1, 0}).has_value());
  ASSERT_TRUE(ragdoll.start({.models = man.models}).has_value());
  const auto head = ragdoll.nearest({0, 2.5f, 0});
  ASSERT_TRUE(head.has_value());
  EXPECT_EQ(mannequin_rig()->bone_name(head->bone), "head");
  EXPECT_NEAR(head->distance, 0.72f, 0.1f);
  EXPECT_NEAR(head->point.y, 1.8f, 0.1f);
  const auto hit = ragdoll.cast_ray({0, 1.25f, 3}, {0, 1.25f, -3});
  ASSERT_TRUE(hit.has_value());
  EXPECT_GT(hit->point.z, 0.02f);
  EXPECT_LT(hit->point.z, 0.3f);
  EXPECT_GT(hit->normal.z, 0.5f);
  EXPECT_FALSE(ragdoll.cast_ray({5, 1, 3}, {5, 1, -3}).has_value());
  EXPECT_FALSE(ragdoll.nearest({kNan, 0, 0}).has_value());
}

TEST(Ragdoll, FallsTheSameInCentimetres) {
  // The same model told in centimetres, in a world of metres and in one of centimetres.
  ModelDraft draft = test::mannequin().draft();
  for (Bone& bone : draft.bones) bone.rest.translation *= 100.0;
  for (Binding& binding : draft.bindings)
    binding.bone_from_mesh[3] = glm::dvec4(100.0 * glm::dvec3(binding.bone_from_mesh[3]), 1.0);
  for (Mesh& mesh : draft.meshes) {
    for (glm::vec3& p : mesh.positions) p *= 100.0f;
  }
  draft.clips.clear();
  const Model model = build_model(draft).value();
  const auto rig = test::compiled_rig(model).value();
  const auto setup = test::ragdoll_of(model, rig).value();
  ASSERT_EQ(setup->bodies().size(), mannequin_setup()->bodies().size());
  EXPECT_NEAR(setup->bodies()[3].half.x, 100.0f * mannequin_setup()->bodies()[3].half.x, 0.1f);
  EXPECT_NEAR(setup->bodies()[3].mass, mannequin_setup()->bodies()[3].mass, 0.1f);
  for (const bool world_too : {false, true}) {
    RagdollWorld world =
        world_too ? world_with_ground({.gravity = {0, -981, 0}, .metres_per_unit = 0.01f}) : world_with_ground();
    const float scale = world_too ? 1.0f : 0.01f;
    glm::mat4 at(scale);
    at[3] = glm::vec4(0, 50.0f * scale, 0, 1);
    TestCharacter man(rig);
    Ragdoll ragdoll(world, setup);
    const auto started = ragdoll.start({.models = man.models, .world_from_model = at});
    ASSERT_TRUE(started.has_value()) << started.error().message;
    const Fall fall = let_fall(world, ragdoll, 5.0);
    EXPECT_LT(fall.separation, kMostSeparation);
    EXPECT_GT(fall.lowest, kDeepest * (world_too ? 100.0f : 1.0f));
    EXPECT_GT(fall.settled_after, 0.0);
  }
  RagdollWorld world = world_with_ground();
  TestCharacter man(rig);
  Ragdoll ragdoll(world, setup);
  const auto refused = ragdoll.start({.models = man.models});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("metres_per_unit"), std::string::npos) << refused.error().message;
}

TEST(Ragdoll, LiesOnStairsAndMeshes) {
  RagdollWorld world = world_with_ground();
  for (int i = 0; i < 6; ++i) {
    const float height = 0.09f * static_cast<float>(i + 1);
    ASSERT_TRUE(world.add_box({0, height, -0.15f - 0.3f * static_cast<float>(i)}, {1.5f, height, 0.15f}).has_value());
  }
  TestCharacter man(mannequin_rig());
  Ragdoll ragdoll(world, mannequin_setup());
  glm::mat4 at = lifted(1.3f);
  at[3].z = -1.2f;
  ASSERT_TRUE(ragdoll.start({.models = man.models, .world_from_model = at}).has_value());
  const Fall fall = let_fall(world, ragdoll, 5.0);
  EXPECT_GT(fall.lowest, -0.05f);
  EXPECT_LT(fall.separation, 0.1f);

  RagdollWorld ramp = RagdollWorld::make().value();
  const std::vector<glm::vec3> corners{{-50, -1, -50}, {50, -1, -50}, {50, -1, 50}, {-50, -1, 50}};
  const std::vector<std::uint32_t> triangles{0, 2, 1, 0, 3, 2};
  ASSERT_TRUE(ramp.add_mesh(corners, triangles).has_value());
  Ragdoll on_mesh(ramp, mannequin_setup());
  ASSERT_TRUE(on_mesh.start({.models = man.models}).has_value());
  const Fall on_triangles = let_fall(ramp, on_mesh, 3.0);
  EXPECT_GT(on_triangles.lowest, -1.0f + kDeepest);
  EXPECT_GT(on_triangles.last_lowest, -1.0f + kDeepestAtRest);
  EXPECT_NEAR(ramp.cast_ray({0, 0, 0}, {0, -5, 0}).value().point.y, -1.0f, 0.02f);
  EXPECT_FALSE(ramp.add_mesh(corners, std::vector<std::uint32_t>{0, 1, 9}).has_value());
  EXPECT_FALSE(ramp.add_box({0, 0, 0}, {1, 0, 1}).has_value());
  EXPECT_FALSE(ramp.add_ground(kNan).has_value());
}

// How far the limb is from straight at its middle bone, radians.
float bend_at(const TestCharacter& man, const char* upper, const char* middle, const char* end) {
  const glm::vec3 into = glm::normalize(man.at(middle) - man.at(upper));
  const glm::vec3 out = glm::normalize(man.at(end) - man.at(middle));
  return std::acos(std::clamp(glm::dot(into, out), -1.0f, 1.0f));
}

// Rise 0.17, tread 0.36, as in the battle: seven steps that come down towards +Z, on level ground.
RagdollWorld world_with_stairs() {
  RagdollWorld world = world_with_ground();
  for (int i = 0; i < 7; ++i) {
    const float height = 0.085f * static_cast<float>(i + 1);
    EXPECT_TRUE(world.add_box({0, height, -0.18f - 0.36f * static_cast<float>(i)}, {5.5f, height, 0.18f}));
  }
  return world;
}

// Who is hit on stairs: how the legs lie at last.
struct LegsAtRest {
  std::vector<float> knees;  // degrees from straight
  std::vector<float> feet;   // ankles over what is below them
  float hips = 0.0f;         // over their feet
};
LegsAtRest fall_on_stairs(int fall, float blow) {
  constexpr float kDegree = 0.0174533f;
  constexpr std::array kFacing{0.3f, -0.2f, 0.1f, -0.4f, 0.2f, 0.6f};
  RagdollWorld world = world_with_stairs();
  TestCharacter man(mannequin_rig());
  man.sample("guard", 0.4f * static_cast<float>(fall));
  const float z = -1.7f + 0.12f * static_cast<float>(fall);
  glm::mat4 at = lifted(0.17f * std::clamp(0.5f - z / 0.36f, 0.0f, 7.0f),
                        glm::angleAxis(kFacing[static_cast<std::size_t>(fall) % kFacing.size()], glm::vec3(0, 1, 0)));
  at[3].z = z;
  Ragdoll ragdoll(world, mannequin_setup());
  EXPECT_TRUE(ragdoll.start({.models = man.models, .world_from_model = at}));
  const glm::vec3 chest(at * glm::vec4(man.at("upper_chest"), 1.0f));
  const glm::vec3 way = glm::normalize(glm::vec3(fall % 2 == 0 ? 0.35f : -0.35f, 0.25f, blow > 0.0f ? 1.0f : -1.0f));
  EXPECT_TRUE(ragdoll.push(mannequin_rig()->find_bone("upper_chest").value(), chest, std::abs(blow) * way));
  EXPECT_GT(let_fall(world, ragdoll, 7.0).settled_after, 0.0) << fall;
  EXPECT_TRUE(ragdoll.write(man.edit(), at));
  const auto height = [&](const std::string& bone) { return (at * glm::vec4(man.at(bone.c_str()), 1.0f)).y; };
  LegsAtRest legs;
  for (const std::string side : {".L", ".R"}) {
    legs.knees.push_back(bend_at(man, ("thigh" + side).c_str(), ("shin" + side).c_str(), ("foot" + side).c_str()) /
                         kDegree);
    const glm::vec3 foot(at * glm::vec4(man.at(("foot" + side).c_str()), 1.0f));
    legs.feet.push_back(foot.y - world.cast_ray(foot + glm::vec3(0, 0.05f, 0), foot - glm::vec3(0, 5, 0))->point.y);
    legs.hips += 0.5f * (height("hips") - foot.y);
  }
  return legs;
}

// Head first down the stairs, legs come to lie above the hips, heels on a step. They are no planks there: no knee is
// straight, and none is folded as far as it goes.
TEST(Ragdoll, LiesOnStairsWithItsKneesBent) {
  std::vector<float> knees;
  for (int fall = 0; fall < 12; ++fall)
    std::ranges::copy(fall_on_stairs(fall, 150.0f).knees, std::back_inserter(knees));
  std::ranges::sort(knees);
  EXPECT_GT(knees.front(), 15.0f);
  EXPECT_LT(knees.back(), 130.0f);
  EXPECT_LT(knees[2], 40.0f) << "and they hang as they fell, some nearly straight";
}

// Hit from the front it falls back onto the steps, and its legs lie down them, feet on the treads.
TEST(Ragdoll, FallsBackOntoStairsWithItsFeetOnThem) {
  for (int fall = 0; fall < 12; ++fall) {
    const LegsAtRest legs = fall_on_stairs(fall, -120.0f);
    for (const float foot : legs.feet) EXPECT_LT(foot, 0.25f) << fall;
    for (const float knee : legs.knees) EXPECT_GT(knee, 15.0f) << fall;
    EXPECT_GT(legs.hips, 0.0f) << fall;
  }
}

// What the limbs of those who fell down a flight of stairs are like when they lie.
TEST(Ragdoll, ComesToRestLimpAndDoesNotTremble) {
  constexpr float kDegree = 0.0174533f;
  std::vector<float> knees, elbows, turned;
  for (int fall = 0; fall < 6; ++fall) {
    RagdollWorld world = world_with_stairs();
    TestCharacter man(mannequin_rig());
    man.sample("guard", 0.4f * static_cast<float>(fall));
    const std::vector<SoaTransform> before = man.locals;
    const float side = fall % 2 == 0 ? 0.4f : -0.4f;
    glm::mat4 at = lifted(0.9f, glm::angleAxis(side, glm::vec3(0, 1, 0)));
    at[3].z = -1.7f + 0.12f * static_cast<float>(fall);
    Ragdoll ragdoll(world, mannequin_setup());
    ASSERT_TRUE(ragdoll.start({.models = man.models, .world_from_model = at}));
    const glm::vec3 chest(at * glm::vec4(man.at("upper_chest"), 1.0f));
    ASSERT_TRUE(ragdoll.push(mannequin_rig()->find_bone("upper_chest").value(), chest, {150.0f * side, 35, 140}));
    EXPECT_GT(let_fall(world, ragdoll, 7.0).settled_after, 0.0) << fall;
    ASSERT_TRUE(ragdoll.write(man.edit(), at));
    for (const char* hand : {".L", ".R"}) {
      const std::string of(hand);
      knees.push_back(bend_at(man, ("thigh" + of).c_str(), ("shin" + of).c_str(), ("foot" + of).c_str()) / kDegree);
      elbows.push_back(bend_at(man, ("upper_arm" + of).c_str(), ("forearm" + of).c_str(), ("hand" + of).c_str()) /
                       kDegree);
    }
    for (const RagdollBody& body : mannequin_setup()->bodies()) {
      const glm::quat by =
          local_of(man.locals, body.bone).rotation * glm::conjugate(local_of(before, body.bone).rotation);
      if (body.parent >= 0) turned.push_back(2.0f * std::acos(std::min(std::abs(by.w), 1.0f)) / kDegree);
    }
    // Another second: nobody moves.
    const std::vector<Affine> lying = man.models;
    let_fall(world, ragdoll, 1.0);
    ASSERT_TRUE(ragdoll.write(man.edit(), at));
    for (const RagdollBody& body : mannequin_setup()->bodies())
      EXPECT_LT(glm::distance(position_of(lying[body.bone]), position_of(man.models[body.bone])), 0.004f) << fall;
  }
  const auto median = [](std::vector<float>& values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  };
  EXPECT_GT(median(turned), 8.0f) << "joints went somewhere";
  EXPECT_GT(median(knees), 15.0f);
  EXPECT_GT(knees[1], 6.0f) << "hardly a knee is locked";
  EXPECT_LT(knees.back(), 150.0f);
  EXPECT_GT(median(elbows), 15.0f);
  EXPECT_LT(elbows.front() + 30.0f, elbows.back()) << "and they differ";
}

TEST(Ragdoll, RefusesWhatCannotStart) {
  RagdollWorld world = world_with_ground();
  TestCharacter man(mannequin_rig());
  Ragdoll ragdoll(world, mannequin_setup());
  EXPECT_FALSE(ragdoll.start({.models = std::span(man.models).first(3)}).has_value());
  EXPECT_FALSE(ragdoll.start({.models = man.models, .world_from_model = glm::mat4(kNan)}).has_value());
  EXPECT_FALSE(ragdoll.start({.models = man.models, .from = 9999u}).has_value());
  const std::uint32_t finger = mannequin_rig()->find_bone("fingertips.L").value();
  const auto none = ragdoll.start({.models = man.models, .from = finger});
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("fingertips.L"), std::string::npos);
  EXPECT_FALSE(ragdoll.running());
  EXPECT_FALSE(ragdoll.write(man.edit(), glm::mat4(1.0f)));
  EXPECT_FALSE(RagdollWorld::make({.metres_per_unit = 0.0f}).has_value());
  EXPECT_FALSE(RagdollWorld::make({.step = 1.0}).has_value());
}

TEST(Ragdoll, OutlivesItsWorldAndMayBeStoppedAndStartedAnew) {
  auto world = std::make_unique<RagdollWorld>(world_with_ground());
  TestCharacter man(mannequin_rig());
  Ragdoll ragdoll(*world, mannequin_setup());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(ragdoll.start({.models = man.models}).has_value());
    world->step(0.1);
    ragdoll.stop();
    EXPECT_FALSE(ragdoll.running());
    world->step(0.1);
  }
  ASSERT_TRUE(ragdoll.start({.models = man.models}).has_value());
  Ragdoll moved = std::move(ragdoll);
  world.reset();
  EXPECT_TRUE(moved.write(man.edit(), glm::mat4(1.0f)));
}

// Skeletons that are hardly any.
TEST(Ragdoll, FallsWithOneBoneAndWithBonesWithoutLength) {
  for (const int bones : {1, 2, 5}) {
    ModelDraft draft;
    for (int i = 0; i < bones; ++i) {
      Bone bone;
      bone.name = std::string(1, static_cast<char>('a' + i));
      if (i > 0) bone.parent = static_cast<std::uint32_t>(i - 1);
      if (i == 3) bone.rest.translation = {0.0, 0.5, 0.0};
      draft.bones.push_back(bone);
    }
    const Model model = build_model(draft).value();
    const auto rig = test::compiled_rig(model).value();
    const auto setup = test::ragdoll_of(model, rig).value();
    EXPECT_GE(setup->bodies().size(), 1u);
    RagdollWorld world = world_with_ground();
    TestCharacter thing(rig);
    Ragdoll ragdoll(world, setup);
    ASSERT_TRUE(ragdoll.start({.models = thing.models, .world_from_model = lifted(1.0f)}).has_value());
    const Fall fall = let_fall(world, ragdoll, 4.0);
    EXPECT_GT(fall.lowest, kDeepest);
    ASSERT_TRUE(ragdoll.write(thing.edit(), lifted(1.0f)));
    const glm::vec3 at = position_of(thing.models.back());
    EXPECT_TRUE(std::isfinite(at.x) && std::isfinite(at.y)) << bones;
    EXPECT_LT(position_of(thing.models[setup->bodies()[0].bone]).y, -0.3f) << "it fell";
  }
}

TEST(Ragdoll, FallsWithModelsFromOutside) {
  struct Row {
    const char* file;
    float scale;
  };
  const std::filesystem::path shared = test::shared_folder();
  bool any = false;
  for (const Row& row : {Row{"models/gltf/khronos/Fox/Fox.glb", 0.01f}, Row{"models/gltf/kaykit/Knight.glb", 0.0f}}) {
    std::filesystem::path file = shared / row.file;
    if (!std::filesystem::exists(file)) continue;
    any = true;
    const Imported imported = import_model(file).value();
    const auto rig = test::compiled_rig(imported.model).value();
    const auto setup = test::ragdoll_of(imported.model, rig).value();
    EXPECT_GE(setup->bodies().size(), 5u) << row.file;
    const float scale = row.scale > 0.0f ? row.scale : 2.5f / setup->size();
    glm::mat4 at(scale);
    at[3] = glm::vec4(0, 0.5f, 0, 1);
    RagdollWorld world = world_with_ground();
    TestCharacter character(rig);
    Ragdoll ragdoll(world, setup);
    const auto started = ragdoll.start({.models = character.models, .world_from_model = at});
    ASSERT_TRUE(started.has_value()) << started.error().message;
    const Fall fall = let_fall(world, ragdoll, 6.0);
    EXPECT_LT(fall.separation, 0.1f) << row.file;
    EXPECT_GT(fall.lowest, kDeepest) << row.file;
    EXPECT_GT(fall.last_lowest, kDeepestAtRest) << row.file;
    EXPECT_LT(fall.speed, 15.0f) << row.file;
    EXPECT_GT(fall.settled_after, 0.0) << row.file;
  }
  if (!any) GTEST_SKIP() << "no shared models";
}

}  // namespace
}  // namespace throng
