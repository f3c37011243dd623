// SPDX-License-Identifier: Apache-2.0
// Clips on other skeletons: the same rotations in model space, the target's own lengths.

#include "throng/retarget/retarget.h"

#include <algorithm>

#include "humanoid.h"
#include "throng/base/bone_names.h"
#include "throng/retarget/match.h"

namespace throng {
namespace {

Model moving_model(const Body& bones) {
  ModelDraft draft = draft_of(bones);
  draft.clips = {busy_clip(draft)};
  return built(std::move(draft));
}

// The target with the clips on it.
Model retargeted(const Model& from, const Model& onto, const RetargetSettings& settings = {},
                 std::vector<std::string>* notes = nullptr) {
  auto result = retarget(from, onto, settings);
  EXPECT_TRUE(result) << result.error().message;
  if (!result) return onto;
  if (notes) *notes = result->notes;
  ModelDraft draft = onto.draft();
  draft.clips = result->clips;
  return built(std::move(draft));
}

Body rolled(Body bones) {
  std::mt19937 dice(9);
  for (BodyBone& bone : bones) bone.axes = glm::normalize(random_turn(dice) * random_turn(dice));
  return bones;
}

// Every bone a factor of its own further from its parent.
Body stretched(const Body& bones, const std::function<double(const std::string&)>& factor) {
  Body out = bones;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(bones[i].parent);
    out[i].place = out[parent].place + factor(bones[i].name) * (bones[i].place - bones[parent].place);
  }
  return out;
}

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// The largest angle between limbs of the two, each from a bone's parent to the bone.
double largest_limb_angle(const Model& a, const Model& b, double time) {
  const auto here = places(a, a.clips()[0], time);
  const auto there = places(b, b.clips()[0], time);
  double most = 0.0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const auto parent = a.bones()[i].parent;
    if (!parent || a.bones()[i].name == "hips") continue;  // the root's way to the hips is a travel, not a limb
    most = std::max(most, angle_between(here[i] - here[*parent], there[i] - there[*parent]));
  }
  return most;
}

bool mentions(const std::vector<std::string>& notes, std::string_view text) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(Retarget, OntoTheSameSkeletonGivesTheSamePoses) {
  const Model model = moving_model(rolled(body()));
  std::vector<std::string> notes;
  const Model out = retargeted(model, model, {}, &notes);
  ASSERT_EQ(out.clips().size(), 1u);
  const Clip& clip = out.clips()[0];
  for (const double time : moments(clip)) {
    EXPECT_LT(largest_distance(vertices(out, clip, time), vertices(model, model.clips()[0], time)), 1e-6) << time;
  }
  EXPECT_TRUE(notes.empty()) << notes[0];
  EXPECT_EQ(clip.name, "busy");
  EXPECT_EQ(clip.start, 0.25);
  EXPECT_EQ(clip.end, 2.25);
  EXPECT_EQ(clip.loops, true);
  ASSERT_EQ(clip.events.size(), 1u);
}

TEST(Retarget, OntoBonesWithOtherAxesMovesTheSameVertices) {
  const Model from = moving_model(body());
  const Model onto = built(draft_of(rolled(body())));
  const Model out = retargeted(from, onto);
  for (const double time : moments(from.clips()[0])) {
    const auto truth = vertices(from, from.clips()[0], time);
    EXPECT_LT(largest_distance(vertices(out, out.clips()[0], time), truth), 1e-6) << time;
  }
  EXPECT_GT(largest_distance(vertices(onto, from.clips()[0], 1.0), vertices(from, from.clips()[0], 1.0)), 0.5)
      << "taken as it is the clip would not fit";
}

TEST(Retarget, OntoALargerBodyWithLongArmsKeepsLimbsParallelAndScalesTheWay) {
  const Model from = moving_model(body());
  const Body larger = stretched(rolled(body()), [](const std::string& name) {
    return name.starts_with("lowerarm") || name.starts_with("hand") ? 1.3 * 1.5 : 1.3;
  });
  const auto result = retarget(from, built(draft_of(larger)));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NEAR(result->scale, 1.3, 1e-9);
  const Model out = retargeted(from, built(draft_of(larger)));
  for (const double time : moments(from.clips()[0])) {
    EXPECT_LT(largest_limb_angle(out, from, time), 1e-6) << time;
    const auto here = places(out, out.clips()[0], time);
    const auto there = places(from, from.clips()[0], time);
    for (const char* name : {"root", "hips", "foot.l", "toes.r", "head"}) {
      const auto bone = bone_named(from, name);
      EXPECT_LT(glm::distance(here[bone], 1.3 * there[bone]), 2e-6) << name << " at " << time;
    }
    const auto hand = bone_named(from, "hand.l");
    const auto elbow = bone_named(from, "lowerarm.l");
    EXPECT_NEAR(glm::distance(here[hand], here[elbow]), 0.3 * 1.3 * 1.5, 1e-6) << "arms keep their own length";
  }
}

// Legs whose parts have other proportions cannot put feet exactly where the scaled source has them, but no further off
// than the parts differ.
TEST(Retarget, FeetStayWithinTheDifferenceOfTheLegs) {
  const Model from = moving_model(body());
  const auto factor = [](const std::string& name) {
    return name.starts_with("lowerleg") ? 1.5 : name.starts_with("foot") ? 1.1 : 1.3;
  };
  const auto result = retarget(from, built(draft_of(stretched(body(), factor))));
  ASSERT_TRUE(result) << result.error().message;
  const Model out = retargeted(from, built(draft_of(stretched(body(), factor))));
  const auto foot = bone_named(from, "foot.l");
  double bound = 1e-6;
  for (std::uint32_t bone = foot; from.bones()[bone].parent; bone = *from.bones()[bone].parent) {
    bound +=
        std::abs(factor(from.bones()[bone].name) - result->scale) * glm::length(from.bones()[bone].rest.translation);
  }
  EXPECT_LT(bound, 0.2);
  for (const double time : moments(from.clips()[0])) {
    const double here = places(out, out.clips()[0], time)[foot].y;
    const double there = places(from, from.clips()[0], time)[foot].y;
    EXPECT_LT(std::abs(here - result->scale * there), bound) << time;
  }
}

TEST(Retarget, TurnsOfBonesWithoutAPartnerReachWhatHangsOnThem) {
  Body with_twist = body();
  const Body plain = body();
  // A bone between elbow and hand that only the source has.
  with_twist.push_back({"wrist.l", 5, {0.65, 1.5, 0}});
  with_twist.push_back({"paw", 18, {0.8, 1.5, 0}});
  Body onto_bones = plain;
  onto_bones.push_back({"paw", 5, {0.8, 1.5, 0}});
  const Model from = moving_model(with_twist);
  std::vector<std::string> notes;
  const Model out = retargeted(from, built(draft_of(onto_bones)), {}, &notes);
  EXPECT_TRUE(mentions(notes,
                       "1 bone its clips move has no partner; what hangs on it takes its rotations up: "
                       "'wrist.l'"));
  for (const double time : moments(from.clips()[0])) {
    const auto here = model_from_bones(out, sample(out, out.clips()[0], time));
    const auto there = model_from_bones(from, sample(from, from.clips()[0], time));
    const glm::dmat3 apart = glm::dmat3(here[18]) - glm::dmat3(there[19]);
    // Two bones turn together here, which keys sixty times a second follow this closely.
    for (int c = 0; c < 3; ++c) EXPECT_LT(glm::length(apart[c]), 1e-3) << time;
  }
}

TEST(Retarget, BonesOnlyTheTargetHasStayAsTheyRest) {
  Body with_finger = body();
  with_finger.push_back({"finger", 6, {0.9, 1.5, 0}});
  const Model from = moving_model(body());
  std::vector<std::string> notes;
  const Model out = retargeted(from, built(draft_of(rolled(with_finger))), {}, &notes);
  EXPECT_TRUE(mentions(notes, "1 bone of the model has no partner and stays as it rests: 'finger'"));
  const Pose pose = sample(out, out.clips()[0], 1.1);
  EXPECT_LT(glm::length(pose.bones[18].rotation - out.bones()[18].rest.rotation), 1e-12);
}

std::string mixamo_name(const std::string& name) {
  const std::pair<const char*, const char*> parts[] = {{"upperarm", "Arm"},   {"lowerarm", "ForeArm"}, {"hand", "Hand"},
                                                       {"upperleg", "UpLeg"}, {"lowerleg", "Leg"},     {"foot", "Foot"},
                                                       {"toes", "ToeBase"}};
  for (const auto& [ours, theirs] : parts) {
    if (name == std::string(ours) + ".l") return std::string("mixamorig:Left") + theirs;
    if (name == std::string(ours) + ".r") return std::string("mixamorig:Right") + theirs;
  }
  return "mixamorig:" + name;
}

TEST(Retarget, KnowsBonesByTheNamesOfOtherRigs) {
  Body other = rolled(body());
  for (BodyBone& bone : other) bone.name = mixamo_name(bone.name);
  const Model from = moving_model(body());
  std::vector<std::string> notes;
  const Model out = retargeted(from, built(draft_of(other)), {}, &notes);
  EXPECT_TRUE(notes.empty()) << notes[0];
  const auto truth = vertices(from, from.clips()[0], 1.3);
  EXPECT_LT(largest_distance(vertices(out, out.clips()[0], 1.3), truth), 1e-6);
}

TEST(Retarget, TakesPartnersThatItIsTold) {
  Body other = body();
  other[1].name = "Becken";
  other[4].name = "Oberarm";
  const Model from = moving_model(body());
  const Model onto = built(draft_of(other));
  const auto without = retarget(from, onto);
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("'hips', which carries the clips"), std::string::npos)
      << without.error().message;
  std::vector<std::string> notes;
  const Model out = retargeted(from, onto, {.bones = {{"hips", "Becken"}, {"upperarm.l", "Oberarm"}}}, &notes);
  EXPECT_TRUE(notes.empty());
  const auto truth = vertices(from, from.clips()[0], 1.3);
  EXPECT_LT(largest_distance(vertices(out, out.clips()[0], 1.3), truth), 1e-6);
  const Model headless = retargeted(from, onto, {.bones = {{"hips", "Becken"}, {"head", ""}}}, &notes);
  EXPECT_TRUE(mentions(notes, "'head'")) << "a bone may be told to have none";
}

// The target rests with its arms hanging at 45 degrees.
Body a_pose() {
  Body bones = body();
  const glm::dquat down = glm::angleAxis(-0.785, glm::dvec3(0, 0, 1));
  for (const std::size_t bone : {4u, 5u, 6u}) {
    bones[bone].place = bones[4].place + (bone == 4 ? glm::dvec3(0) : down * (body()[bone].place - body()[4].place));
    bones[bone].axes = down;
  }
  return bones;
}

TEST(Retarget, AlignsRestsThatPointElsewhereWhenAsked) {
  const Model from = moving_model(body());
  const Model onto = built(draft_of(a_pose()));
  std::vector<std::string> notes;
  const Model as_is = retargeted(from, onto, {}, &notes);
  EXPECT_TRUE(mentions(notes, "2 bones rest pointing elsewhere, by up to 45 degrees")) << notes.size();
  EXPECT_NEAR(largest_limb_angle(as_is, from, 1.0), 0.785, 1e-3);
  const Model aligned = retargeted(from, onto, {.align_rests = true}, &notes);
  EXPECT_TRUE(notes.empty());
  for (const double time : moments(from.clips()[0])) EXPECT_LT(largest_limb_angle(aligned, from, time), 1e-6) << time;
  // The hand, which nothing follows, is carried along by the arm.
  const auto hand = bone_named(from, "hand.l");
  const auto here = model_from_bones(aligned, sample(aligned, aligned.clips()[0], 1.0))[hand];
  const auto there = model_from_bones(from, sample(from, from.clips()[0], 1.0))[hand];
  EXPECT_LT(glm::length(here[0] - there[0]), 1e-6);
}

TEST(Retarget, FromAModelThatFacesAnotherWay) {
  const glm::dquat rotation = glm::angleAxis(1.2, glm::dvec3(0, 1, 0));  // onto from from
  Body turned = body();
  for (BodyBone& bone : turned) {
    bone.place = glm::conjugate(rotation) * bone.place;
    bone.axes = glm::conjugate(rotation) * bone.axes;
  }
  const Model from = moving_model(turned);
  const Model out = retargeted(from, built(draft_of(rolled(body()))), {.rotation = rotation});
  for (const double time : moments(from.clips()[0])) {
    auto truth = places(from, from.clips()[0], time);
    for (glm::dvec3& place : truth) place = rotation * place;
    EXPECT_LT(largest_distance(places(out, out.clips()[0], time), truth), 1e-6) << time;
  }
}

TEST(Retarget, LeavesTranslationsOfOtherBonesOutUnlessTheyTravel) {
  ModelDraft draft = draft_of(body());
  draft.clips = {busy_clip(draft)};
  const auto hand = std::uint32_t{6};
  const glm::vec3 rest(draft.bones[hand].rest.translation);
  draft.clips[0].bones[hand].translation = {
      Interpolation::linear, {0.25f, 2.25f}, {rest, rest + glm::vec3(0.4f, 0.0f, 0.1f)}};
  const Model from = built(draft);
  draft.clips.clear();
  const Model onto = built(draft);
  std::vector<std::string> notes;
  const Model fixed = retargeted(from, onto, {}, &notes);
  EXPECT_TRUE(mentions(notes, "translations of 1 bone left out, lengths are the model's own: 'hand.l'"));
  EXPECT_LT(glm::distance(sample(fixed, fixed.clips()[0], 2.25).bones[hand].translation, glm::dvec3(rest)), 1e-7);
  for (const RetargetSettings& settings : {RetargetSettings{.travelling = {"hand.l"}}, {.travelling = {"*"}}}) {
    const Model all = retargeted(from, onto, settings, &notes);
    EXPECT_TRUE(notes.empty());
    for (const double time : moments(from.clips()[0])) {
      EXPECT_LT(largest_distance(places(all, all.clips()[0], time), places(from, from.clips()[0], time)), 1e-6);
    }
  }
}

TEST(Retarget, FollowsStepsAndSplines) {
  ModelDraft draft = draft_of(body());
  draft.clips = {busy_clip(draft)};
  Curve<glm::quat>& step = draft.clips[0].bones[4].rotation;
  step.interpolation = Interpolation::step;
  Curve<glm::quat>& spline = draft.clips[0].bones[8].rotation;
  spline.interpolation = Interpolation::cubic_spline;
  std::vector<glm::quat> values;
  for (const glm::quat& value : spline.values) {
    values.insert(values.end(), {glm::quat(0.3f, 0.5f, 0.0f, 0.2f), value, glm::quat(0.1f, -0.4f, 0.3f, 0.0f)});
  }
  spline.values = values;
  const Model from = built(draft);
  const Model out = retargeted(from, built(draft_of(rolled(body()))));
  for (const double time : moments(from.clips()[0])) {
    EXPECT_LT(largest_distance(places(out, out.clips()[0], time), places(from, from.clips()[0], time)), 1e-3) << time;
  }
}

TEST(Retarget, WritesRotationsInOneHemisphereAndNothingThatIsTheRest) {
  ModelDraft draft = draft_of(body());
  draft.clips = {busy_clip(draft, 3.0)};
  draft.clips[0].bones.resize(12);
  const Model from = built(draft);
  const auto result = retarget(from, built(draft_of(rolled(body()))));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->clips[0].bones.size(), 12u) << "what no track moves needs none";
  for (const BoneTrack& track : result->clips[0].bones) {
    const auto& keys = track.rotation.values;
    ASSERT_GT(keys.size(), 1u);
    EXPECT_LE(keys.size(), 6u) << "as many keys as the source has, no more";
    for (std::size_t i = 1; i < keys.size(); ++i) EXPECT_GE(glm::dot(keys[i - 1], keys[i]), 0.0f);
    EXPECT_EQ(track.translation.empty(), track.bone > 1) << track.bone;
    EXPECT_TRUE(track.scale.empty());
  }
}

TEST(Retarget, CarriesScaleThatChangesAlongWithEachBone) {
  ModelDraft draft = draft_of(body());
  draft.clips = {busy_clip(draft)};
  draft.clips[0].bones[3].scale = {Interpolation::linear, {0.25f, 2.25f}, {glm::vec3(1.0f), glm::vec3(2.0f)}};
  const Model from = built(draft);
  const Model out = retargeted(from, built(draft_of(rolled(body()))));
  const auto truth = vertices(from, from.clips()[0], 2.25);
  EXPECT_LT(largest_distance(vertices(out, out.clips()[0], 2.25), truth), 1e-6);

  draft.clips[0].bones[3].scale.values[1] = glm::vec3(1.0f, 1.0f, 8.0f);
  const Model uneven = built(draft);
  const auto scale_on = [&](const Body& bones) {
    const Model made = retargeted(uneven, built(draft_of(bones)));
    return sample(made, made.clips()[0], 2.25).bones[3].scale;
  };
  EXPECT_LT(glm::distance(scale_on(body()), glm::dvec3(1, 1, 8)), 1e-6);
  EXPECT_LT(glm::distance(scale_on(rolled(body())), glm::dvec3(2, 2, 2)), 1e-6) << "along whose axes, nobody can say";
}

TEST(Retarget, RefusesWhatCannotBeDone) {
  const Model from = moving_model(body());
  const Model still = built(draft_of(body()));
  Body strangers = body();
  for (std::size_t i = 0; i < strangers.size(); ++i) strangers[i].name = "x" + std::to_string(i);
  const auto because = [](const Result<Retargeted>& result) {
    return result ? std::string("was done") : result.error().message;
  };
  EXPECT_NE(because(retarget(still, from)).find("has no clips"), std::string::npos);
  EXPECT_EQ(because(retarget(from, built(draft_of(strangers)))),
            "no bone of 'body' is one of 'body' by name: it has 'root', 'hips', 'spine', 'head', 'upperarm.l', "
            "'lowerarm.l', 'hand.l', 'upperleg.l' and 10 "
            "more, the other 'x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7' and 10 more");
  EXPECT_NE(because(retarget(from, still, {.bones = {{"tail", "hips"}}})).find("has no bone 'tail'"),
            std::string::npos);
  EXPECT_NE(because(retarget(from, still, {.bones = {{"hips", "tail"}}})).find("has no bone 'tail'"),
            std::string::npos);
  EXPECT_NE(because(retarget(from, still, {.bones = {{"hips", "root"}, {"spine", "root"}}})).find("another partner"),
            std::string::npos);
  EXPECT_NE(because(retarget(from, still, {.travelling = {"tail"}})).find("has no bone 'tail'"), std::string::npos);
  for (const double scale : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(because(retarget(from, still, {.scale = scale})).find("must be above 0"), std::string::npos) << scale;
  }
  EXPECT_NE(because(retarget(from, still, {.rotation = glm::dquat(0, 0, 0, 0)})).find("no rotation"),
            std::string::npos);
}

TEST(MeantBone, IsOneForTheNamesOfManyRigs) {
  const std::pair<const char*, const char*> names[] = {{"mixamorig:LeftUpLeg", "upperleg.l"},
                                                       {"thigh_l", "upperleg.l"},
                                                       {"Bip01 L Thigh", "upperleg.l"},
                                                       {"upperleg.l", "upperleg.l"},
                                                       {"Rig|UpperLeg_L", "upperleg.l"},
                                                       {"mixamorigRightArm", "upperarm.r"},
                                                       {"RightForeArm", "lowerarm.r"},
                                                       {"lowerarm_r", "lowerarm.r"},
                                                       {"Pelvis", "hips"},
                                                       {"mixamorig1:Hips", "hips"},
                                                       {"clavicle_r", "shoulder.r"},
                                                       {"spine_01", "spine1"},
                                                       {"Spine1", "spine1"},
                                                       {"DEF-hand.L", "hand.l"},
                                                       {"Bip01", "bip1"},
                                                       {"Tail", "tail"},
                                                       {"Lefthand", "hand.l"},
                                                       {"right", "right"},
                                                       {"", ""},
                                                       {"...", ""}};
  for (const auto& [written, meant] : names) EXPECT_EQ(meant_bone(written), meant) << written;
}

TEST(MatchBones, PrefersFullNamesAndMatchesMeaningsOnlyWhenAsked) {
  const auto bones = [](const std::vector<std::string>& names) {
    std::vector<Bone> out;
    for (const std::string& name : names) out.push_back({name, std::nullopt, {}});
    return out;
  };
  const auto from = bones({"a:hips", "LeftLeg", "SPINE", "b:head"});
  const auto onto = bones({"hips", "a:hips", "calf_l", "spine", "head"});
  const auto plain = match_bones(from, onto);
  EXPECT_EQ(plain, (Partners{1u, std::nullopt, std::nullopt, 4u}));
  const auto meant = match_bones(from, onto, NameMatching::aliases);
  EXPECT_EQ(meant, (Partners{1u, 2u, 3u, 4u}));
}

}  // namespace
}  // namespace throng
