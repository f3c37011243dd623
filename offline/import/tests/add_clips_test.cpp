// SPDX-License-Identifier: Apache-2.0
// Clips from another file move the bones of the same name; what has no partner is said.

#include "throng/import/add_clips.h"

#include <fmt/format.h>

#include "cpu_time.h"
#include "gltf/gltf_builder.h"
#include "instrumented.h"
#include "shared_files.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

struct BoneRow {
  const char* name;
  int parent = -1;
  Transform rest = {};
};

BoneTrack rotation_track(std::uint32_t bone, double angle) {
  BoneTrack track;
  track.bone = bone;
  track.rotation.times = {0.5f, 1.5f};
  track.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(glm::angleAxis(angle, glm::dvec3(0, 0, 1)))};
  return track;
}

Clip make_clip(const std::string& name, const std::vector<BoneTrack>& tracks) {
  Clip clip;
  clip.name = name;
  clip.start = 0.5;
  clip.end = 1.5;
  clip.bones = tracks;
  return clip;
}

ModelDraft make_draft(const std::vector<BoneRow>& bones, const std::vector<Clip>& clips) {
  ModelDraft draft;
  for (const BoneRow& row : bones) {
    Bone bone{row.name, std::nullopt, row.rest};
    if (row.parent >= 0) bone.parent = static_cast<std::uint32_t>(row.parent);
    draft.bones.push_back(bone);
  }
  draft.clips = clips;
  return draft;
}

Imported built(ModelDraft draft) {
  auto model = build_model(std::move(draft));
  EXPECT_TRUE(model) << model.error().message;
  return {std::move(*model), {}, {}};
}

Transform at(double x, double y, double z) { return {.translation = {x, y, z}}; }

TEST(AddClips, BonesAreMatchedByNameWhateverTheirOrder) {
  const auto onto = built(make_draft({{"root"}, {"hip", 0, at(0, 1, 0)}, {"knee", 1, at(0, 1, 0)}}, {}));
  const auto from = built(make_draft({{"root"}, {"tail", 0}, {"hip", 0, at(0, 1, 0)}, {"knee", 2, at(0, 1, 0)}},
                                     {make_clip("walk", {rotation_track(3, 1.0), rotation_track(2, 0.5)})}));
  const auto added = add_clips(onto, from, "walk.glb");
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_EQ(added->model.clips().size(), 1u);
  const Clip& clip = added->model.clips()[0];
  EXPECT_EQ(clip.name, "walk");
  EXPECT_EQ(clip.start, 0.5);
  EXPECT_EQ(clip.end, 1.5);
  const Pose pose = sample(added->model, clip, 1.5);
  EXPECT_NEAR(glm::angle(pose.bones[1].rotation), 0.5, 1e-6);
  EXPECT_NEAR(glm::angle(pose.bones[2].rotation), 1.0, 1e-6);
  EXPECT_TRUE(mentions(added->notes, "walk.glb: 1 bone of the model is moved by none of its clips: 'root'"));
  EXPECT_FALSE(mentions(added->notes, "not in the model")) << "the tail is not moved";
}

// "root" alone makes no match, but a model of few bones may have all it needs.
TEST(AddClips, AreRefusedWhereTheyMatchFewBones) {
  const auto clips_for = [](std::vector<BoneRow> bones) {
    std::vector<BoneTrack> tracks;
    for (std::uint32_t bone = 0; bone < bones.size(); ++bone) tracks.push_back(rotation_track(bone, 0.5));
    return built(make_draft(bones, {make_clip("walk", tracks)}));
  };
  const auto onto = built(make_draft({{"root"}, {"hip", 0}, {"knee", 1}, {"foot", 2}}, {}));
  const auto few = add_clips(onto, clips_for({{"root"}, {"b", 0}, {"c", 0}, {"d", 0}, {"e", 0}}), "fox.glb");
  ASSERT_FALSE(few);
  EXPECT_EQ(
      few.error().message,
      "fox.glb: of the 5 bones its clips move, the model has 1; `retarget_clips` would fit them to its own bones");
  EXPECT_TRUE(add_clips(onto, clips_for({{"root"}, {"hip", 0}, {"c", 0}, {"d", 0}, {"e", 0}}), "fox.glb"));
  EXPECT_TRUE(add_clips(onto, clips_for({{"root"}, {"b", 0}, {"c", 0}}), "fox.glb")) << "a third is not few";
  const auto small = built(make_draft({{"root"}, {"hip", 0}}, {}));
  EXPECT_TRUE(add_clips(small, clips_for({{"root"}, {"b", 0}, {"c", 0}, {"d", 0}, {"e", 0}}), "fox.glb"));
}

TEST(AddClips, ANamespaceIsLeftOutWhereFullNamesDoNotMatch) {
  const auto onto = built(make_draft({{"Rig|hip"}, {"a:knee", 0}, {"foot", 1}}, {}));
  const auto from = built(make_draft({{"other:hip"}, {"b:knee", 0}, {"a:knee", 1}, {"mixamorig:x|foot", 2}},
                                     {make_clip("walk", {rotation_track(0, 0.1), rotation_track(1, 0.2),
                                                         rotation_track(2, 0.3), rotation_track(3, 0.4)})}));
  const auto added = add_clips(onto, from, "walk.fbx");
  ASSERT_TRUE(added) << added.error().message;
  const Pose pose = sample(added->model, added->model.clips()[0], 1.5);
  EXPECT_NEAR(glm::angle(pose.bones[0].rotation), 0.1, 1e-6);
  EXPECT_NEAR(glm::angle(pose.bones[1].rotation), 0.3, 1e-6) << "the full name wins";
  EXPECT_NEAR(glm::angle(pose.bones[2].rotation), 0.4, 1e-6);
  EXPECT_TRUE(mentions(added->notes, "1 bone its clips move is not in the model: 'b:knee'"));
}

TEST(AddClips, OfSeveralBonesOfOneNameEachHasItsPartner) {
  const auto onto = built(make_draft({{"arm"}, {"arm", 0}}, {}));
  const auto from = built(make_draft({{"arm"}, {"arm", 0}, {"arm", 1}},
                                     {make_clip("walk", {rotation_track(2, 0.3), rotation_track(1, 0.2)})}));
  const auto added = add_clips(onto, from, "walk.fbx");
  ASSERT_TRUE(added) << added.error().message;
  const Pose pose = sample(added->model, added->model.clips()[0], 1.5);
  EXPECT_NEAR(glm::angle(pose.bones[0].rotation), 0.0, 1e-6);
  EXPECT_NEAR(glm::angle(pose.bones[1].rotation), 0.2, 1e-6);
}

TEST(AddClips, ATakenNameGetsANumber) {
  const Clip walk = make_clip("walk", {rotation_track(0, 1.0)});
  const auto onto = built(make_draft({{"root"}}, {walk, make_clip("walk 2", {})}));
  const auto from = built(make_draft({{"root"}}, {walk, make_clip("run", {rotation_track(0, 1.0)}), walk}));
  const auto added = add_clips(onto, from, "more.glb");
  ASSERT_TRUE(added) << added.error().message;
  std::vector<std::string> names;
  for (const Clip& clip : added->model.clips()) names.push_back(clip.name);
  EXPECT_EQ(names, (std::vector<std::string>{"walk", "walk 2", "walk 3", "run", "walk 4"}));
}

TEST(AddClips, EventsAndLoopFlagsComeAlong) {
  const auto onto = built(make_draft({{"root"}}, {}));
  Clip clip = make_clip("walk", {rotation_track(0, 1.0)});
  clip.loops = false;
  clip.events = {{0.75, "left"}, {1.25, "right"}};
  const auto added = add_clips(onto, built(make_draft({{"root"}}, {clip})), "walk.glb");
  ASSERT_TRUE(added) << added.error().message;
  const Clip& found = added->model.clips()[0];
  EXPECT_EQ(found.loops, false);
  ASSERT_EQ(found.events.size(), 2u);
  EXPECT_EQ(found.events[1].name, "right");
  EXPECT_EQ(found.events[1].time, 1.25);
}

TEST(AddClips, LongListsOfNamesAreCutAndCounted) {
  std::vector<BoneRow> bones = {{"root"}};
  std::vector<BoneTrack> tracks = {rotation_track(0, 1.0)};
  for (std::uint32_t i = 1; i < 10; ++i) {
    bones.push_back({"finger", 0});
    tracks.push_back(rotation_track(i, 1.0));
  }
  const auto added =
      add_clips(built(make_draft({{"root"}}, {})), built(make_draft(bones, {make_clip("walk", tracks)})), "walk.glb");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_TRUE(mentions(added->notes,
                       "9 bones its clips move are not in the model: 'finger', 'finger', 'finger', 'finger', 'finger', "
                       "'finger', 'finger', 'finger' and 1 more"));
}

TEST(AddClips, WhatAClipDoesNotTurnStandsAsInItsOwnFile) {
  const glm::dquat down = glm::angleAxis(-1.0, glm::dvec3(0, 0, 1));
  const auto onto = built(make_draft({{"root"}, {"arm", 0, at(1, 0, 0)}, {"hand", 1, at(1, 0, 0)}}, {}));
  const auto from =
      built(make_draft({{"root"}, {"arm", 0, {{3, 0, 0}, down, glm::dvec3(1.0)}}, {"hand", 1, at(1, 0, 0)}},
                       {make_clip("wave", {rotation_track(2, 0.5)})}));
  const auto added = add_clips(onto, from, "wave.glb");
  ASSERT_TRUE(added) << added.error().message;
  const Pose pose = sample(added->model, added->model.clips()[0], 1.0);
  EXPECT_NEAR(std::abs(glm::dot(pose.bones[1].rotation, down)), 1.0, 1e-6);
  EXPECT_EQ(pose.bones[1].translation, glm::dvec3(1, 0, 0)) << "proportions stay the model's own";
  EXPECT_TRUE(mentions(added->notes, "1 bone rests turned differently"));
}

TEST(AddClips, BonesMuchLongerThanTheModelsAreNoted) {
  const auto onto = built(make_draft({{"root"}, {"hip", 0, at(0, 1, 0)}}, {}));
  const auto from =
      built(make_draft({{"root"}, {"hip", 0, at(0, 100, 0)}}, {make_clip("a", {rotation_track(1, 0.5)})}));
  const auto added = add_clips(onto, from, "cm.fbx");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_TRUE(mentions(added->notes, "its bones are 100 times as long"));
}

Mesh morphed(const std::string& name, std::size_t targets) {
  Mesh mesh;
  mesh.name = name;
  mesh.positions = {{0, 0, 0}};
  mesh.influences.assign(1, bound_to(0));
  for (std::size_t i = 0; i < targets; ++i) mesh.morph_targets.push_back({"t", {{0, 0, 1}}, {}});
  mesh.morph_weights.resize(targets);
  return mesh;
}

ModelDraft morph_draft(const std::vector<Mesh>& meshes, const std::vector<Clip>& clips) {
  ModelDraft draft = make_draft({{"root"}}, clips);
  draft.meshes = meshes;
  draft.materials.resize(1);
  draft.bindings.resize(1);
  return draft;
}

TEST(AddClips, MorphsAreMatchedByMeshAndNumberOfTargets) {
  Clip clip = make_clip("talk", {});
  for (std::uint32_t mesh = 0; mesh < 3; ++mesh) {
    const std::size_t width = mesh == 2 ? 1 : 2;
    clip.morphs.push_back({mesh, {Interpolation::step, {0.5f}, std::vector<float>(width, 0.25f * float(mesh + 1))}});
  }
  const auto from = built(morph_draft({morphed("face", 2), morphed("face", 2), morphed("tongue", 1)}, {clip}));
  const auto onto = built(morph_draft({morphed("tongue", 2), morphed("face", 2), morphed("face", 1)}, {}));
  const auto added = add_clips(onto, from, "talk.glb");
  ASSERT_TRUE(added) << added.error().message;
  const auto& morphs = added->model.clips()[0].morphs;
  ASSERT_EQ(morphs.size(), 1u);
  EXPECT_EQ(morphs[0].mesh, 1u);
  EXPECT_EQ(morphs[0].weights.values, (std::vector<float>{0.25f, 0.25f}));
  EXPECT_TRUE(mentions(added->notes, "morphs of 2 meshes left out"));
  EXPECT_TRUE(mentions(added->notes, "'face', 'tongue'"));
}

TEST(AddClips, AClipThatMovesNothingHereIsLeftOut) {
  const auto onto = built(make_draft({{"root"}}, {}));
  const auto from = built(make_draft(
      {{"root"}, {"tail", 0}}, {make_clip("wag", {rotation_track(1, 1.0)}), make_clip("go", {rotation_track(0, 1)})}));
  const auto added = add_clips(onto, from, "dog.glb");
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_EQ(added->model.clips().size(), 1u);
  EXPECT_EQ(added->model.clips()[0].name, "go");
  EXPECT_TRUE(mentions(added->notes, "1 clip that moves nothing here left out: 'wag'"));
}

TEST(AddClips, NoMatchAndNoClipAreErrorsThatNameBonesOfBoth) {
  const auto onto = built(make_draft({{"root"}, {"hip", 0}}, {}));
  const auto stranger = built(make_draft({{"Bip01"}, {"Pelvis", 0}}, {make_clip("walk", {rotation_track(1, 1.0)})}));
  const auto none = add_clips(onto, stranger, "biped.fbx");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "biped.fbx: none of its clips moves a bone of the model; it has 'Bip01', 'Pelvis', the model has 'root', "
            "'hip'");
  const auto empty = add_clips(onto, built(make_draft({{"root"}}, {})), "still.glb");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message, "still.glb: it has no clips");
}

TEST(AddClips, NotesAndCountedRepairsAddUp) {
  auto onto = built(make_draft({{"root"}}, {}));
  onto.notes = {"first"};
  onto.repairs = {.weights_rescaled = 7, .quaternions_fixed = 1};
  auto from = built(make_draft({{"root"}}, {make_clip("walk", {rotation_track(0, 1.0)})}));
  from.notes = {"second"};
  from.repairs = {.weights_rescaled = 9, .quaternions_fixed = 2};
  const auto added = add_clips(onto, from, "walk.glb");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->notes, (std::vector<std::string>{"first", "walk.glb: second"}));
  EXPECT_EQ(added->repairs.quaternions_fixed, 3u);
  EXPECT_EQ(added->repairs.weights_rescaled, 7u) << "its meshes do not come along";
}

TEST(AddClips, ClipsOfOneNameAreNumberedPastThoseThatThereAre) {
  const auto onto = built(make_draft({{"root"}}, {make_clip("walk 3", {rotation_track(0, 1.0)})}));
  const Clip walk = make_clip("walk", {rotation_track(0, 1.0)});
  const auto from = built(make_draft({{"root"}}, {walk, walk, walk, make_clip("walk 2", {rotation_track(0, 1.0)})}));
  const auto added = add_clips(onto, from, "walk.glb");
  ASSERT_TRUE(added) << added.error().message;
  std::vector<std::string> names;
  for (const Clip& clip : added->model.clips()) names.push_back(clip.name);
  EXPECT_EQ(names, (std::vector<std::string>{"walk 3", "walk", "walk 2", "walk 4", "walk 2 2"}));
}

TEST(AddClips, ManyOfOneNameTakeTimeInProportion) {
  const auto onto = built(make_draft({{"root"}}, {}));
  const auto seconds = [&](std::size_t count) {
    const auto from =
        built(make_draft({{"root"}}, std::vector<Clip>(count, make_clip("walk", {rotation_track(0, 1.0)}))));
    const double before = cpu_seconds();
    const auto added = add_clips(onto, from, "walk.glb");
    EXPECT_TRUE(added) << added.error().message;
    return cpu_seconds() - before;
  };
  const double few = seconds(1000);
  const double many = seconds(4000);
  EXPECT_TRUE(kInstrumented || many < 10.0 * few) << few << " and " << many << " s";
}

// Two small files together may take as long as each of them, one after the other: not as long as one of 1024 MiB may.
TEST(AddClips, EachFileBringsWhatItMayTakeItself) {
  constexpr std::uint64_t kSmall = std::uint64_t{512} << 20;
  auto onto = built(make_draft({{"root"}}, {}));
  auto from = built(make_draft({{"root"}}, {make_clip("walk", {rotation_track(0, 1.0)})}));
  onto.budget = from.budget = kSmall;
  const auto one = add_clips(onto, from, "walk.glb");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->budget, 2 * kSmall);
  EXPECT_DOUBLE_EQ(one->work_seconds, 20.0);
  from.budget = kSmall + (std::uint64_t{64} << 20);  // twenty seconds
  const auto two = add_clips(*one, from, "run.glb");
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(two->budget, 2 * kSmall + from.budget);
  EXPECT_DOUBLE_EQ(two->work_seconds, 40.0);
}

// A character without clips and a file of clips without meshes, as sold together.
TEST(AddClips, TheMannequinWalksWithClipsFromAnotherFile) {
  const auto folder = shared_folder() / "models/gltf/kaykit_char";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared folder";
  const auto onto = import_model(folder / "manny_med_mod.gltf");
  ASSERT_TRUE(onto) << onto.error().message;
  const auto from = import_model(folder / "Med_MovementBasic.glb");
  ASSERT_TRUE(from) << from.error().message;
  const auto added = add_clips(*onto, *from, "Med_MovementBasic.glb");
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_EQ(added->model.clips().size(), from->model.clips().size());
  EXPECT_TRUE(mentions(added->notes, "2 bones its clips move are not in the model: 'handslot.l', 'handslot.r'"));
  EXPECT_TRUE(mentions(added->notes, "bones of the model are moved by none of its clips: "));
  // Bones of the same name are at the same places, in both files alike.
  for (std::size_t c = 0; c < added->model.clips().size(); ++c) {
    for (const double part : {0.0, 0.4, 1.0}) {
      const Clip& clip = from->model.clips()[c];
      const double time = clip.start + part * clip.length();
      const auto ours = model_from_bones(added->model, sample(added->model, added->model.clips()[c], time));
      const auto theirs = model_from_bones(from->model, sample(from->model, clip, time));
      std::size_t compared = 0;
      for (std::size_t a = 0; a < ours.size(); ++a) {
        for (std::size_t b = 0; b < theirs.size(); ++b) {
          if (added->model.bones()[a].name != from->model.bones()[b].name) continue;
          ++compared;
          EXPECT_LE(glm::length(glm::dvec3(ours[a][3] - theirs[b][3])), 1e-4) << added->model.bones()[a].name;
        }
      }
      EXPECT_EQ(compared, 22u);
    }
  }
}

}  // namespace
}  // namespace throng::test
