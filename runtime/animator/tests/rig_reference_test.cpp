// SPDX-License-Identifier: Apache-2.0
// Every clip against the truth in double: for the mannequin and, where the shared folder is there, every model in it.

#include <algorithm>
#include <random>

#include "compiled_rig.h"
#include "every_model.h"
#include "mannequin_model.h"
#include "paths.h"
#include "rig_models.h"
#include "rig_poses.h"
#include "throng/clip_facts/decide.h"
#include "throng/clip_facts/key_rate.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using namespace test;

constexpr std::size_t kMostClips = 3;  // of one model

// Forwards at 60 a second, backwards, both ends and beyond, at random.
std::vector<float> times_of(const RigClip& clip) {
  std::vector<float> times{0.0f, clip.length, -1.0f, clip.length + 1.0f};
  for (int i = 0; i < 8; ++i) times.push_back(static_cast<float>(i) / 60.0f);
  for (int i = 0; i < 8; ++i) times.push_back(clip.length - static_cast<float>(i) / 50.0f);
  std::minstd_rand random(7);
  std::uniform_real_distribution<float> anywhere(0.0f, std::max(clip.length, 1e-3f));
  for (int i = 0; i < 8; ++i) times.push_back(anywhere(random));
  return times;
}

// Right at a jump a rounded time lies on one side of it or the other.
bool near_a_jump(const Clip& clip, double time) {
  const auto near = [&](const auto& curve) {
    return curve.interpolation == Interpolation::step &&
           std::any_of(curve.times.begin(), curve.times.end(), [&](double key) { return std::abs(key - time) < 1e-5; });
  };
  const auto bone_near = [&](const BoneTrack& t) { return near(t.translation) || near(t.rotation) || near(t.scale); };
  return std::any_of(clip.bones.begin(), clip.bones.end(), bone_near) ||
         std::any_of(clip.morphs.begin(), clip.morphs.end(), [&](const MorphTrack& t) { return near(t.weights); });
}

void expect_clips_as_the_truth(const Model& model) {
  const auto rig = test::compiled_rig(model).value();
  const double size = size_of(model);
  SerialExecutor executor;
  const std::vector<DecidedClip> decided = decide_clip_facts(model, model.clips(), {}, executor).value();
  for (std::uint32_t clip = 0; clip < std::min(kMostClips, rig->clips().size()); ++clip) {
    const Clip& source = model.clips()[clip];
    TestCharacter character(*rig, clip);
    for (const float time : times_of(rig->clips()[clip])) {
      // The seam of an open loop leads back to the first pose; the source says nothing of it.
      const bool on_seam = static_cast<double>(time) > source.length() + 1e-6 &&
                           static_cast<double>(rig->clips()[clip].length) > source.length() + 1e-6;
      const double at = std::clamp(source.start + static_cast<double>(time), source.start, source.end);
      // A loop that nearly closes is closed over its last step.
      const double step = 1.0 / key_rate_of(source).value_or(30.0);
      const bool closing = decided[clip].closed && at > source.end - step - 1e-6;
      if (on_seam || closing || near_a_jump(source, at)) continue;
      ASSERT_TRUE(character.pose(time));
      const Gap gap = gap_to_truth(character, model, sample(model, source, at), size);
      EXPECT_LE(gap.angle, 1.05e-4) << source.name << " at " << time;
      EXPECT_LE(gap.distance, 1.05e-5) << source.name << " at " << time;
      EXPECT_LE(gap.factor, 1.05e-5) << source.name << " at " << time;
      EXPECT_LE(gap.place, 1e-4) << source.name << " at " << time;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(RigReference, SamplesKeysAtManyRatesAndUnevenScalesAsTheTruthDoes) { expect_clips_as_the_truth(dancing_model()); }

TEST(RigReference, SamplesTheMannequinAsTheTruthDoes) { expect_clips_as_the_truth(test::mannequin_model()); }

class RigReferenceModels : public testing::TestWithParam<std::string> {};

TEST_P(RigReferenceModels, AreSampledAsTheTruthSays) {
  if (GetParam().empty()) GTEST_SKIP() << "no shared models";
  const auto imported = import_model(shared_folder() / "models" / GetParam());
  ASSERT_TRUE(imported) << imported.error().message;
  expect_clips_as_the_truth(imported->model);
}

INSTANTIATE_TEST_SUITE_P(All, RigReferenceModels, testing::ValuesIn(every_model()), model_test_name);

}  // namespace
}  // namespace throng
