// SPDX-License-Identifier: Apache-2.0
// What the jobs promise of their spans, and what mixing poses means.

#include <cstring>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>

#include "blend_poses.h"
#include "compiled_rig.h"
#include "rig_models.h"
#include "rig_poses.h"

namespace throng {
namespace {

using namespace test;

const Model& dancer() {
  static const Model model = dancing_model();
  return model;
}

const Rig& dancing_rig() {
  static const auto rig = test::compiled_rig(dancer()).value();
  return *rig;
}

using Locals = std::vector<SoaTransform>;

// A pose of the dancer's in both forms.
struct BothPoses {
  Locals locals;
  Pose truth;
};

BothPoses pose_of(std::uint32_t clip, float time) {
  TestCharacter character(dancing_rig(), clip);
  EXPECT_TRUE(character.sample(time));
  const Clip& source = dancer().clips()[clip];
  return {character.locals, sample(dancer(), source, source.start + static_cast<double>(time))};
}

bool same_bits(const Locals& a, const Locals& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(SoaTransform)) == 0;
}

// The largest difference between numbers, rotations of either sign.
double difference(const Locals& a, const Locals& b, std::uint32_t bone) {
  const BoneTransform x = local_of(a, bone);
  const BoneTransform y = local_of(b, bone);
  return std::max({static_cast<double>(glm::distance(x.translation, y.translation)),
                   static_cast<double>(glm::distance(x.scale, y.scale)),
                   angle_between(glm::dquat(x.rotation), glm::dquat(y.rotation))});
}
double difference(const Locals& a, const Locals& b) {
  double most = 0.0;
  for (std::uint32_t bone = 0; bone < dancing_rig().bone_count(); ++bone) {
    most = std::max(most, difference(a, b, bone));
  }
  return most;
}

Locals blend(std::vector<BlendInput> inputs) {
  Locals out(dancing_rig().group_count());
  EXPECT_TRUE((BlendJob{.rig = dancing_rig(), .inputs = inputs, .locals = out}.run()));
  return out;
}

Locals negated(Locals locals) {
  for (SoaTransform& group : locals) {
    for (auto& row : group.rotation) {
      for (float& number : row) number = -number;
    }
  }
  return locals;
}

TEST(SampleJob, GivesTheSameBitsAfterAnyJumpAndFromAnyCursor) {
  std::minstd_rand random(11);
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    TestCharacter jumping(dancing_rig(), clip);
    std::uniform_real_distribution<float> anywhere(-0.1f, dancing_rig().clips()[clip].length + 0.1f);
    for (int i = 0; i < 200; ++i) {
      const float time = anywhere(random);
      TestCharacter fresh(dancing_rig(), clip);
      ASSERT_TRUE(fresh.sample(time));
      ASSERT_TRUE(jumping.sample(time));
      ASSERT_TRUE(same_bits(fresh.locals, jumping.locals)) << "at " << time;
      for (auto& cursor : jumping.cursors) {
        if (i % 3 == 0) cursor = static_cast<std::uint32_t>(random()) * 2654435761u;
        if (i % 7 == 0) cursor = std::numeric_limits<std::uint32_t>::max();
      }
    }
  }
}

TEST(SampleJob, MovesItsCursorsWithTime) {
  TestCharacter character(dancing_rig(), 0);
  ASSERT_FALSE(character.cursors.empty());
  ASSERT_TRUE(character.sample(dancing_rig().clips()[0].length));
  EXPECT_GT(character.cursors[0], 0u) << "a job that forgets would search every time";
  ASSERT_TRUE(character.sample(0.0f));
  EXPECT_EQ(character.cursors[0], 0u);
}

TEST(PoseJobs, RefuseSpansThatDoNotFitAndWriteNothing) {
  const Rig& rig = dancing_rig();
  TestCharacter character(rig, 0);
  ASSERT_TRUE(character.pose(0.1f));
  const Locals pose = character.locals;
  Locals out = pose;
  const std::span<SoaTransform> low = std::span(out).first(out.size() - 1);
  const std::span<const SoaTransform> few = std::span(pose).first(pose.size() - 1);
  const std::vector<float> mask(4 * rig.group_count() - 1, 1.0f);
  std::vector<std::uint32_t> cursors(character.cursors.size());
  EXPECT_FALSE((SampleJob{.rig = rig, .clip = ClipId(999), .time = 0.5f, .cursors = cursors, .locals = out}.run()));
  EXPECT_FALSE((SampleJob{.rig = rig, .time = 0.5f, .cursors = {}, .locals = out}.run()));
  EXPECT_FALSE((SampleJob{.rig = rig, .time = 0.5f, .cursors = cursors, .locals = low}.run()));
  const std::array<BlendInput, 2> short_input{BlendInput{.locals = pose, .weight = 1.0f},
                                              BlendInput{.locals = few, .weight = 1.0f}};
  const std::array<BlendInput, 1> short_mask{BlendInput{.locals = pose, .weight = 0.2f, .mask = mask}};
  EXPECT_FALSE((BlendJob{.rig = rig, .inputs = short_input, .locals = out}.run()));
  EXPECT_FALSE((BlendJob{.rig = rig, .inputs = short_mask, .locals = out}.run()));
  EXPECT_FALSE((BlendJob{.rig = rig, .inputs = {}, .locals = low}.run()));
  EXPECT_FALSE((OverrideJob{.rig = rig, .under = pose, .over = few, .locals = out}.run()));
  EXPECT_FALSE((OverrideJob{.rig = rig, .under = pose, .over = pose, .mask = mask, .locals = out}.run()));
  EXPECT_FALSE((DifferenceJob{.rig = rig, .reference = few, .pose = pose, .locals = out}.run()));
  EXPECT_FALSE((AddJob{.rig = rig, .under = pose, .difference = pose, .mask = mask, .locals = out}.run()));
  EXPECT_TRUE(same_bits(out, pose));
  std::vector<Affine> models(rig.bone_count());
  EXPECT_FALSE((LocalToModelJob{.rig = rig, .locals = few, .models = models}.run()));
  EXPECT_FALSE((LocalToModelJob{.rig = rig, .locals = pose, .models = std::span(models).first(3)}.run()));
  EXPECT_FALSE((LocalToModelJob{.rig = rig, .locals = pose, .models = models, .from = 9999}.run()));
  EXPECT_FALSE((PaletteJob{.rig = rig, .models = models, .palette = {}}.run()));
  EXPECT_EQ(models[2].rows[0], glm::vec4(1, 0, 0, 0));
}

TEST(BlendJob, BlendsTwoPosesAsTheTruthDoes) {
  for (const std::uint32_t clip : {1u, 2u, 3u}) {
    const BothPoses a = pose_of(0, 0.3f);
    const BothPoses b = pose_of(clip, 0.2f);
    for (const float weight : {0.0f, 0.1f, 0.5f, 0.77f, 1.0f}) {
      const Locals out = blend({{.locals = a.locals, .weight = 1.0f - weight}, {.locals = b.locals, .weight = weight}});
      const Gap gap = local_gap(out, blend_poses(a.truth, b.truth, static_cast<double>(weight)), size_of(dancer()));
      EXPECT_LE(gap.angle, 2e-4);
      EXPECT_LE(gap.distance, 1.2e-5);
      EXPECT_LE(gap.factor, 1e-5);
    }
  }
}

TEST(BlendJob, LeavesAPoseBlendedWithItselfAsItIs) {
  const Locals pose = pose_of(2, 0.4f).locals;
  const Locals flipped = negated(pose);
  EXPECT_LE(difference(blend({{.locals = pose, .weight = 0.3f}, {.locals = pose, .weight = 0.6f}}), pose), 2e-6);
  EXPECT_LE(difference(blend({{.locals = pose, .weight = 0.5f}, {.locals = flipped, .weight = 0.5f}}), pose), 2e-6)
      << "q and −q are one rotation";
}

TEST(BlendJob, CaresForTheProportionOfWeightsOnly) {
  const Locals a = pose_of(0, 0.3f).locals, b = pose_of(1, 0.2f).locals, c = pose_of(2, 0.5f).locals;
  const auto mixed = [&](float by) {
    return blend(
        {{.locals = a, .weight = 0.5f * by}, {.locals = b, .weight = 0.3f * by}, {.locals = c, .weight = 0.2f * by}});
  };
  EXPECT_LE(difference(mixed(1.0f), mixed(1000.0f)), 2e-6);
  EXPECT_LE(difference(mixed(1.0f), mixed(0.001f)), 2e-6);
  EXPECT_LE(difference(mixed(1.0f), mixed(std::numeric_limits<float>::max())), 2e-6);
  EXPECT_GE(difference(mixed(1.0f), a), 1e-3);
}

TEST(BlendJob, TakesTheLargestWeightsThereAre) {
  constexpr float kMost = std::numeric_limits<float>::max();
  const Rig& rig = dancing_rig();
  const Locals a = pose_of(0, 0.3f).locals, b = pose_of(1, 0.2f).locals, c = pose_of(2, 0.5f).locals;
  std::vector<float> mask(4 * rig.group_count(), 0.5f);
  mask[2] = 0.0f;
  const auto two = [&](float first, float second, BoneMask over) {
    return blend({{.locals = a, .weight = first}, {.locals = b, .weight = second, .mask = over}});
  };
  EXPECT_LE(difference(two(kMost, kMost, {}), two(1.0f, 1.0f, {})), 2e-6);
  EXPECT_LE(difference(two(kMost, 0.25f * kMost, {}), two(1.0f, 0.25f, {})), 2e-6);
  EXPECT_LE(difference(two(kMost, kMost, mask), two(1.0f, 1.0f, mask)), 2e-6);
  EXPECT_LE(difference(two(kMost, 1.0f, mask), a), 2e-6);
  const auto three = [&](float by) {
    return blend({{.locals = a, .weight = by}, {.locals = b, .weight = by}, {.locals = c, .weight = by}});
  };
  EXPECT_LE(difference(three(kMost), three(1.0f)), 2e-6);
}

TEST(BlendJob, TakesEachBoneFromWhereTheMasksSay) {
  const Rig& rig = dancing_rig();
  const Locals a = pose_of(0, 0.3f).locals, b = pose_of(1, 0.2f).locals;
  std::vector<float> mask(4 * rig.group_count()), rest_of_it(mask.size());
  for (std::size_t bone = 0; bone < mask.size(); ++bone) {
    mask[bone] = bone % 3 == 0 ? 1.0f : bone % 3 == 1 ? 0.0f : 0.5f;
    rest_of_it[bone] = 1.0f - mask[bone];
  }
  const Locals out =
      blend({{.locals = a, .weight = 1.0f, .mask = mask}, {.locals = b, .weight = 1.0f, .mask = rest_of_it}});
  const Locals half = blend({{.locals = a, .weight = 1.0f}, {.locals = b, .weight = 1.0f}});
  for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) {
    EXPECT_LE(difference(out, bone % 3 == 0 ? a : bone % 3 == 1 ? b : half, bone), 2e-6) << bone;
  }
}

TEST(BlendJob, IsAtRestWhereNothingHasWeight) {
  const Rig& rig = dancing_rig();
  const Locals rest(rig.rest().begin(), rig.rest().end());
  const Locals pose = pose_of(1, 0.2f).locals;
  EXPECT_TRUE(same_bits(blend({}), rest));
  EXPECT_TRUE(same_bits(blend({{.locals = pose, .weight = 0.0f}}), rest));
  EXPECT_TRUE(same_bits(blend({{.locals = pose, .weight = std::nanf("")}, {.locals = pose, .weight = -1.0f}}), rest));
  std::vector<float> mask(4 * rig.group_count(), 1.0f);
  mask[5] = 0.0f;
  const Locals out = blend({{.locals = pose, .weight = 1.0f, .mask = mask}});
  EXPECT_EQ(difference(out, rest, 5), 0.0);
  EXPECT_LE(difference(out, pose, 6), 1e-6);
}

TEST(BlendJob, MayWriteOverItsFirstInput) {
  Locals a = pose_of(0, 0.3f).locals;
  const Locals b = pose_of(1, 0.2f).locals;
  const Locals apart = blend({{.locals = a, .weight = 0.4f}, {.locals = b, .weight = 0.6f}});
  const std::array<BlendInput, 2> inputs{BlendInput{.locals = a, .weight = 0.4f},
                                         BlendInput{.locals = b, .weight = 0.6f}};
  ASSERT_TRUE((BlendJob{.rig = dancing_rig(), .inputs = inputs, .locals = a}.run()));
  EXPECT_TRUE(same_bits(a, apart));
}

TEST(OverrideJob, GivesBothEndsExactlyAndSoftEdgesBetween) {
  const Rig& rig = dancing_rig();
  const Locals a = pose_of(0, 0.3f).locals, b = pose_of(1, 0.2f).locals;
  const auto over = [&](float weight, BoneMask mask) {
    Locals out = a;
    EXPECT_TRUE(
        (OverrideJob{.rig = rig, .under = out, .over = b, .weight = weight, .mask = mask, .locals = out}.run()));
    return out;
  };
  EXPECT_LE(difference(over(0.0f, {}), a), 5e-7);
  EXPECT_LE(difference(over(1.0f, {}), b), 5e-7);
  EXPECT_LE(difference(over(7.0f, {}), b), 5e-7) << "weights above 1 are 1";
  const Locals half = blend({{.locals = a, .weight = 0.5f}, {.locals = b, .weight = 0.5f}});
  EXPECT_LE(difference(over(0.5f, {}), half), 2e-6);
  std::vector<float> mask(4 * rig.group_count(), 0.5f);
  mask[2] = 0.0f;
  mask[3] = 1.0f;
  const Locals out = over(1.0f, mask);
  EXPECT_LE(difference(out, a, 2), 5e-7);
  EXPECT_LE(difference(out, b, 3), 5e-7);
  EXPECT_LE(difference(out, half, 4), 2e-6);
}

// A pose and what leads to it from another one.
struct Added {
  Locals reference, pose, difference;
};

Added two_poses() {
  Added out{pose_of(0, 0.3f).locals, pose_of(2, 0.6f).locals, Locals(dancing_rig().group_count())};
  set_local(out.pose, 3, {{0, 1, 0}, glm::angleAxis(2.0f, glm::vec3(0, 1, 0)), {2, 0.5f, 1}});
  set_local(out.reference, 3, {{0, 1, 1}, glm::angleAxis(1.2f, glm::vec3(0, 1, 0)), {1, 2, 1}});
  const DifferenceJob job{.rig = dancing_rig(), .reference = out.reference, .pose = out.pose, .locals = out.difference};
  EXPECT_TRUE(job.run());
  return out;
}

Locals add(const Locals& under, const Locals& difference, float weight, BoneMask mask = {}) {
  Locals out = under;
  EXPECT_TRUE((AddJob{
      .rig = dancing_rig(), .under = out, .difference = difference, .weight = weight, .mask = mask, .locals = out}
                   .run()));
  return out;
}

TEST(AddJob, LeadsFromTheReferenceBackToThePose) {
  const Added added = two_poses();
  EXPECT_GE(difference(added.reference, added.pose), 0.1);
  EXPECT_LE(difference(add(added.reference, added.difference, 1.0f), added.pose), 3e-6);
  EXPECT_LE(difference(add(added.reference, negated(added.difference), 1.0f), added.pose), 3e-6);
  EXPECT_LE(difference(add(added.reference, added.difference, 0.0f), added.reference), 1e-6);
}

TEST(AddJob, GoesFurtherAndTheOtherWay) {
  const Added added = two_poses();
  const auto turned = [&](float weight) {
    const BoneTransform bone = local_of(add(added.reference, added.difference, weight), 3);
    return 2.0 * std::atan2(static_cast<double>(bone.rotation.y), static_cast<double>(bone.rotation.w));
  };
  EXPECT_NEAR(turned(0.5f), 1.6, 1e-5) << "half of the 0.8 rad between them";
  EXPECT_NEAR(turned(2.0f), 2.8, 1e-5);
  EXPECT_NEAR(turned(-1.0f), 0.4, 1e-5);
  EXPECT_NEAR(turned(1.5f), 2.4, 1e-5);
  EXPECT_NEAR(turned(1e30f), 1.2 + 16 * 0.8 - 4 * 3.14159265358979, 1e-4) << "at most sixteen times";
  EXPECT_NEAR(local_of(add(added.reference, added.difference, 2.0f), 3).translation.z, -1.0f, 1e-6f);
}

TEST(AddJob, GoesSixteenTimesAsFarAtMostInAllOfATransform) {
  const Added added = two_poses();
  const Locals most = add(added.reference, added.difference, 16.0f);
  const Locals least = add(added.reference, added.difference, -16.0f);
  for (const float weight : {17.0f, 1e30f, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(difference(add(added.reference, added.difference, weight), most), 0.0) << weight;
    EXPECT_EQ(difference(add(added.reference, added.difference, -weight), least), 0.0) << -weight;
  }
  EXPECT_NEAR(local_of(most, 3).translation.z, 1.0f - 16.0f, 1e-4f);
  EXPECT_NEAR(local_of(most, 3).scale.x, 1.0f + 16.0f * (2.0f - 1.0f), 1e-4f);
  EXPECT_EQ(local_of(most, 3).scale.z, 1.0f);
}

TEST(AddJob, ReachesAsFarAsItsMask) {
  const Added added = two_poses();
  std::vector<float> mask(4 * dancing_rig().group_count());
  mask[3] = 1.0f;
  const Locals out = add(added.reference, added.difference, 1.0f, mask);
  for (std::uint32_t bone = 0; bone < dancing_rig().bone_count(); ++bone) {
    EXPECT_LE(difference(out, bone == 3 ? added.pose : added.reference, bone), 3e-6) << bone;
  }
}

TEST(DifferenceJob, StaysFiniteWhereTheReferenceHasNoSize) {
  Added added = two_poses();
  set_local(added.reference, 3, {{}, {1, 0, 0, 0}, {0, 1, 1}});
  ASSERT_TRUE(
      (DifferenceJob{.rig = dancing_rig(), .reference = added.reference, .pose = added.pose, .locals = added.difference}
           .run()));
  EXPECT_EQ(local_of(added.difference, 3).scale.x, 1.0f);
  EXPECT_TRUE(std::isfinite(local_of(add(added.reference, added.difference, 1.0f), 3).scale.x));
}

TEST(PoseJobs, MixMorphWeightsAsTheyMixBones) {
  ModelDraft draft = chain(1);
  draft.bindings = {{}};
  draft.materials = {{}};
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.influences.assign(3, bound_to(0));
  mesh.indices = {0, 1, 2};
  mesh.morph_targets = {{"a", mesh.positions, {}}, {"b", mesh.positions, {}}};
  mesh.morph_weights = {0.1f, 0.2f};
  draft.meshes = {mesh};
  const auto rig = test::compiled_rig(build_model(draft).value()).value();
  ASSERT_EQ(rig->morph_count(), 2u);
  const Locals locals(rig->rest().begin(), rig->rest().end());
  Locals out(1);
  const std::vector<float> a{1.0f, 0.0f}, b{0.0f, 0.5f};
  std::vector<float> morphs(2);
  const std::array<BlendInput, 2> inputs{BlendInput{.locals = locals, .morphs = a, .weight = 3.0f},
                                         BlendInput{.locals = locals, .morphs = b, .weight = 1.0f}};
  ASSERT_TRUE((BlendJob{.rig = *rig, .inputs = inputs, .locals = out, .morphs = morphs}.run()));
  EXPECT_FLOAT_EQ(morphs[0], 0.75f);
  EXPECT_FLOAT_EQ(morphs[1], 0.125f);
  constexpr float kMost = std::numeric_limits<float>::max();
  const std::array<BlendInput, 2> large{BlendInput{.locals = locals, .morphs = a, .weight = kMost},
                                        BlendInput{.locals = locals, .morphs = b, .weight = kMost / 3.0f}};
  ASSERT_TRUE((BlendJob{.rig = *rig, .inputs = large, .locals = out, .morphs = morphs}.run()));
  EXPECT_FLOAT_EQ(morphs[0], 0.75f);
  EXPECT_FLOAT_EQ(morphs[1], 0.125f);
  ASSERT_TRUE((BlendJob{.rig = *rig, .inputs = {}, .locals = out, .morphs = morphs}.run()));
  EXPECT_EQ(morphs[1], 0.2f) << "at rest";
  ASSERT_TRUE((OverrideJob{.rig = *rig,
                           .under = locals,
                           .over = locals,
                           .under_morphs = a,
                           .over_morphs = b,
                           .weight = 0.25f,
                           .locals = out,
                           .morphs = morphs}
                   .run()));
  EXPECT_FLOAT_EQ(morphs[0], 0.75f);
  ASSERT_TRUE((DifferenceJob{.rig = *rig,
                             .reference = locals,
                             .pose = locals,
                             .reference_morphs = a,
                             .pose_morphs = b,
                             .locals = out,
                             .morphs = morphs}
                   .run()));
  ASSERT_TRUE((AddJob{.rig = *rig,
                      .under = locals,
                      .difference = out,
                      .under_morphs = a,
                      .difference_morphs = morphs,
                      .locals = out,
                      .morphs = morphs}
                   .run()));
  EXPECT_FLOAT_EQ(morphs[0], b[0]);
  EXPECT_FLOAT_EQ(morphs[1], b[1]);
}

// How far a rig's matrices are off the truth, over all of their numbers.
double matrix_gap(std::span<const Affine> models, const std::vector<glm::dmat4>& truth) {
  double most = 0.0;
  for (std::size_t bone = 0; bone < truth.size(); ++bone) {
    const glm::dmat4 m(to_matrix(models[bone]));
    for (int column = 0; column < 4; ++column) most = std::max(most, glm::distance(m[column], truth[bone][column]));
  }
  return most;
}

TEST(LocalToModelJob, IsTheTruthForUnevenScalesMirrorsAndAnyNumberOfBones) {
  for (const std::uint32_t bones : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 11u, 12u, 13u, 57u}) {
    const Model model = build_model(random_tree(bones, bones)).value();
    const auto rig = test::compiled_rig(model).value();
    std::vector<Affine> models(bones);
    ASSERT_TRUE((LocalToModelJob{.rig = *rig, .locals = rig->rest(), .models = models}.run()));
    EXPECT_LE(matrix_gap(models, model_from_bones(model, rest_pose(model))), 1e-5) << bones;
    Affine root = to_affine(glm::translate(glm::mat4_cast(glm::normalize(glm::quat(1, 2, 3, 4))), glm::vec3(1, 2, 3)));
    ASSERT_TRUE((LocalToModelJob{.rig = *rig, .locals = rig->rest(), .models = models, .model_from_root = root}.run()));
    auto truth = model_from_bones(model, rest_pose(model));
    for (auto& m : truth) m = glm::dmat4(to_matrix(root)) * m;
    EXPECT_LE(matrix_gap(models, truth), 2e-5) << bones;
  }
}

TEST(LocalToModelJob, RenewsABoneAndThoseBelowItOnly) {
  const Model model = build_model(random_tree(29, 8)).value();
  const auto rig = test::compiled_rig(model).value();
  for (std::uint32_t from = 1; from < 29; ++from) {
    Locals locals(rig->rest().begin(), rig->rest().end());
    std::vector<Affine> before(29);
    ASSERT_TRUE((LocalToModelJob{.rig = *rig, .locals = locals, .models = before}.run()));
    // Everything moves; the part that is renewed shows it, the rest does not.
    for (std::uint32_t bone = 0; bone < 29; ++bone) {
      BoneTransform local = local_of(locals, bone);
      local.translation.x += 1.0f;
      set_local(locals, bone, local);
    }
    std::vector<Affine> models = before;
    ASSERT_TRUE((LocalToModelJob{.rig = *rig, .locals = locals, .models = models, .from = from}.run()));
    for (std::uint32_t bone = 0; bone < 29; ++bone) {
      const auto parent = rig->parent(bone);
      glm::mat4 expected = to_matrix(before[bone]);
      if (rig->is_below(bone, from)) {
        expected = (parent ? to_matrix(models[*parent]) : glm::mat4(1.0f)) *
                   glm::translate(glm::mat4(1.0f), glm::vec3(1, 0, 0)) *
                   (parent ? glm::inverse(to_matrix(before[*parent])) : glm::mat4(1.0f)) * to_matrix(before[bone]);
      }
      EXPECT_LE(glm::distance(expected[3], to_matrix(models[bone])[3]), 1e-3f) << bone << " from " << from;
      if (!rig->is_below(bone, from)) {
        EXPECT_EQ(expected, to_matrix(models[bone]));
      }
    }
  }
}

}  // namespace
}  // namespace throng
