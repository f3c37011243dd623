// SPDX-License-Identifier: Apache-2.0
// Clips from other files made to fit: the mannequin grown, and characters of the shared folder.

#include <cmath>
#include <numbers>

#include "gltf/gltf_builder.h"
#include "mannequin_model.h"
#include "shared_files.h"
#include "throng/base/bone_names.h"
#include "throng/import/add_clips.h"
#include "throng/import/retarget_clips.h"
#include "throng/pose/pose.h"
#include "throng/retarget/match.h"

namespace throng::test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
// What is between two of sixty linear keys a second, where the mannequin's own are splines.
constexpr double kSplineAngle = 0.01 * kDegree;

std::vector<glm::dvec3> places(const Model& model, const Clip& clip, double time) {
  std::vector<glm::dvec3> out;
  for (const glm::dmat4& m : model_from_bones(model, sample(model, clip, time))) out.emplace_back(m[3]);
  return out;
}

std::vector<glm::dvec3> rest_places(const Model& model) {
  std::vector<glm::dvec3> out;
  for (const glm::dmat4& m : model_from_bones(model, rest_pose(model))) out.emplace_back(m[3]);
  return out;
}

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

std::optional<std::uint32_t> bone_meaning(const Model& model, const std::string& part) {
  for (std::uint32_t i = 0; i < model.bones().size(); ++i) {
    if (meant_bone(model.bones()[i].name) == part) return i;
  }
  return std::nullopt;
}

// Its skin takes a second to make, and nothing here looks at it.
const Model& mannequin() {
  static const Model model = [] {
    ModelDraft draft = test::mannequin_model().draft();
    draft.meshes.clear();
    for (Clip& clip : draft.clips) clip.morphs.clear();
    return build_model(std::move(draft)).value();
  }();
  return model;
}

// Larger by 1.3, arms longer by half again; without clips.
Model grown_mannequin() {
  ModelDraft draft = mannequin().draft();
  draft.clips.clear();
  draft.sockets.clear();
  for (Bone& bone : draft.bones) {
    const std::string part = meant_bone(bone.name);
    bone.rest.translation *= part.starts_with("lowerarm") || part.starts_with("hand") ? 1.95 : 1.3;
  }
  return build_model(std::move(draft)).value();
}

TEST(RetargetClips, OfTheMannequinFitALargerOneWithLongerArms) {
  const Imported from{mannequin(), {}, {}};
  const Model& there = from.model;
  const auto grown = retarget_clips({grown_mannequin(), {}, {}}, from, "mannequin");
  ASSERT_TRUE(grown) << grown.error().message;
  const Model& here = grown->model;
  ASSERT_EQ(here.clips().size(), there.clips().size());
  const auto foot = bone_meaning(there, "foot.l");
  const auto hips = bone_meaning(there, "hips");
  ASSERT_TRUE(foot && hips);
  for (std::size_t c = 0; c < here.clips().size(); ++c) {
    const Clip& clip = there.clips()[c];
    for (const double part : {0.0, 0.31, 0.77, 1.0}) {
      const double time = clip.start + part * clip.length();
      const auto ours = places(here, here.clips()[c], time);
      const auto theirs = places(there, clip, time);
      for (std::size_t b = 0; b < ours.size(); ++b) {
        const auto parent = there.bones()[b].parent;
        if (!parent || glm::length(theirs[b] - theirs[*parent]) < 1e-3) continue;
        if (hips == b) continue;
        EXPECT_LT(angle_between(ours[b] - ours[*parent], theirs[b] - theirs[*parent]), kSplineAngle)
            << clip.name << ' ' << there.bones()[b].name << " at " << time;
      }
      // Legs and hips grew alike, so the feet are where the scaled source has them: on the ground when it is.
      EXPECT_LT(glm::distance(ours[*foot], 1.3 * theirs[*foot]), 1e-4) << clip.name << " at " << time;
    }
  }
}

TEST(RetargetClips, NumberTakenNamesAndPassNotesAndErrorsOn) {
  ModelDraft draft = mannequin().draft();
  const std::string name = draft.clips[0].name;
  draft.clips.resize(1);
  draft.bones.push_back({"feather", 0u, {}});
  Imported from{mannequin(), {"a note"}, {}};
  const auto out = retarget_clips({build_model(std::move(draft)).value(), {"first"}, {}}, from, "more.glb");
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->model.clips()[1].name, name + " 2");
  ASSERT_EQ(out->notes.size(), 3u);
  EXPECT_EQ(out->notes[0], "first");
  EXPECT_EQ(out->notes[1], "more.glb: a note");
  EXPECT_EQ(out->notes[2], "more.glb: 1 bone of the model has no partner and stays as it rests: 'feather'");
  ModelDraft strange;
  strange.bones = {{"x", std::nullopt, {}}};
  const auto refused = retarget_clips({build_model(std::move(strange)).value(), {}, {}}, from, "more.glb");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("more.glb: no bone of ")) << refused.error().message;
}

struct Pair {
  const char* model;
  const char* clips;
  std::size_t least_limbs;  // that must have been compared
};

class RetargetedFiles : public testing::TestWithParam<Pair> {};

// Limbs of the model point where those of the clip's own skeleton do, bar what their rests differ by; hips are at their
// own height.
TEST_P(RetargetedFiles, FollowTheirOwnSkeletons) {
  const auto folder = shared_folder() / "models";
  if (!std::filesystem::exists(folder / GetParam().model)) GTEST_SKIP() << "no shared folder";
  const auto onto = import_model(folder / GetParam().model);
  ASSERT_TRUE(onto) << onto.error().message;
  const auto from = import_model(folder / GetParam().clips);
  ASSERT_TRUE(from) << from.error().message;
  RetargetSettings settings;
  settings.align_rests = true;
  const auto out = retarget_clips(*onto, *from, GetParam().clips, settings);
  ASSERT_TRUE(out) << out.error().message;
  const Model& here = out->model;
  const Model& there = from->model;
  const Partners partners = match_bones(there.bones(), here.bones(), NameMatching::aliases);
  const std::size_t first = onto->model.clips().size();
  const auto fitted = retarget(there, onto->model, settings);
  ASSERT_TRUE(fitted) << fitted.error().message;
  const auto hips = bone_meaning(there, "hips");
  ASSERT_TRUE(hips && partners[*hips]);
  const auto rest_here = rest_places(here);
  const auto rest_there = rest_places(there);
  const double height = std::abs(rest_here[*partners[*hips]].y);
  ASSERT_EQ(here.clips().size(), first + there.clips().size());
  const char* limbs[][2] = {
      {"upperleg", "lowerleg"}, {"lowerleg", "foot"}, {"upperarm", "lowerarm"}, {"lowerarm", "hand"}};
  std::size_t compared = 0;
  for (std::size_t c = 0; c < there.clips().size(); ++c) {
    const Clip& clip = there.clips()[c];
    for (const double part : {0.0, 0.37, 1.0}) {
      const double time = clip.start + part * clip.length();
      const auto ours = places(here, here.clips()[first + c], time);
      const auto theirs = places(there, clip, time);
      for (const glm::dvec3& place : ours) ASSERT_TRUE(std::isfinite(glm::dot(place, place)));
      const double rise = theirs[*hips].y - rest_there[*hips].y;
      EXPECT_NEAR(ours[*partners[*hips]].y, rest_here[*partners[*hips]].y + fitted->scale * rise, 1e-3 * height)
          << clip.name << " at " << time;
      for (const auto& [upper, lower] : limbs) {
        for (const char* side : {".l", ".r"}) {
          const auto a = bone_meaning(there, std::string(upper) + side);
          const auto b = bone_meaning(there, std::string(lower) + side);
          if (!a || !b || !partners[*a] || !partners[*b]) continue;
          ++compared;
          EXPECT_LT(angle_between(ours[*partners[*b]] - ours[*partners[*a]], theirs[*b] - theirs[*a]), 1.0 * kDegree)
              << clip.name << ' ' << upper << side << " at " << time;
        }
      }
    }
  }
  EXPECT_GE(compared, GetParam().least_limbs);
}

INSTANTIATE_TEST_SUITE_P(Shared, RetargetedFiles,
                         testing::Values(Pair{"gltf/kaykit_char/manny_med_mod.gltf",
                                              "gltf/kaykit_char/Med_MovementBasic.glb", 11 * 3 * 8},
                                         Pair{"fbx/ozz/arnaud.fbx", "fbx/ozz/run.fbx", 24}),
                         [](const auto& which) { return test_name(std::filesystem::path(which.param.model).stem()); });

// These two share a skeleton: what is made to fit is what fits already.
TEST(RetargetClips, OntoACharacterOfTheSameSkeletonAreTheClipsThemselves) {
  const auto folder = shared_folder() / "models/gltf/kaykit_char";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared folder";
  const auto onto = import_model(folder / "manny_med_mod.gltf");
  const auto from = import_model(folder / "Med_MovementBasic.glb");
  ASSERT_TRUE(onto && from);
  RetargetSettings settings;
  settings.travelling = {"*"};
  const auto made = retarget_clips(*onto, *from, "clips", settings);
  const auto plain = add_clips(*onto, *from, "clips");
  ASSERT_TRUE(made && plain);
  for (std::size_t c = 0; c < plain->model.clips().size(); ++c) {
    const Clip& clip = plain->model.clips()[c];
    for (const double part : {0.0, 0.43, 1.0}) {
      const double time = clip.start + part * clip.length();
      const auto ours = places(made->model, made->model.clips()[c], time);
      const auto theirs = places(plain->model, clip, time);
      for (std::size_t b = 0; b < ours.size(); ++b) {
        EXPECT_LT(glm::distance(ours[b], theirs[b]), 1e-4) << clip.name << ' ' << made->model.bones()[b].name;
      }
    }
  }
}

TEST(AddClips, SuggestsRetargetingWhereProportionsDiffer) {
  const Imported from{mannequin(), {}, {}};
  const auto added = add_clips({grown_mannequin(), {}, {}}, from, "mannequin");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_TRUE(mentions(added->notes, "other proportions than the model's"));
  EXPECT_TRUE(mentions(added->notes, "retargeting"));
  const auto same = add_clips(from, from, "mannequin");
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_FALSE(mentions(same->notes, "retargeting"));
}

}  // namespace
}  // namespace throng::test
