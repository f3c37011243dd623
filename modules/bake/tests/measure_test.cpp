// The bake's own report against measurements made another way.
#include <algorithm>

#include "reference_measure.h"

namespace throng {
namespace {

void expect_agreement(const ErrorFigures& reported, const std::vector<double>& errors) {
  EXPECT_NEAR(reported.max_mm, ReferenceErrors::max(errors), 1e-9);
  EXPECT_NEAR(reported.rms_mm, ReferenceErrors::rms(errors), 1e-9);
  EXPECT_NEAR(reported.p999_mm, ReferenceErrors::p999(errors), 0.01 * ReferenceErrors::p999(errors));
}

TEST(Measure, AgreesWithBruteForceOnLoopsAndOnClipsThatStop) {
  ModelDraft draft = swaying_bar();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 14, 20.0, 0.5, [](double t) { return 2.0 * t * t; })}));
  const Model model = built(draft);
  const BakedModel out = baked(model);
  ASSERT_FALSE(out.clips[1].loops);
  ReferenceErrors all;
  for (std::size_t c = 0; c < out.clips.size(); ++c) {
    ReferenceErrors one;
    measure_clip(model, out, c, model.clips()[c], 1, one);
    measure_clip(model, out, c, model.clips()[c], 1, all);
    expect_agreement(out.clips[c].error.at_frames, one.at_frames);
    expect_agreement(out.clips[c].error.between, one.between);
  }
  expect_agreement(out.error.at_frames, all.at_frames);
  expect_agreement(out.error.between, all.between);
  EXPECT_GT(out.error.between.max_mm, 10.0 * out.error.at_frames.max_mm);
}

TEST(Measure, IsInMillimetresOfACharacterOneMetreEightyTall) {
  const BakedModel out = baked(built(swaying_bar()));
  EXPECT_NEAR(out.error.mm_per_unit, 1800.0 / 2.0, 1e-3);  // the bar is two units tall
}

TEST(Measure, NamesWhereItIsWorst) {
  ModelDraft draft = swaying_bar();
  Clip whip = clip_of(
      "whip", {turning(1, {0, 0, 1}, 31, 30.0, 2.0, [](double t) { return t > 0.49 && t < 0.51 ? 2.0 : 0.0; })});
  draft.clips.push_back(whip);
  const BakedModel out = baked(built(draft), {.frame_rate = 7.0});
  EXPECT_EQ(out.error.worst_clip, "whip");
  EXPECT_EQ(out.error.worst_bone, "upper");
  EXPECT_NEAR(out.error.worst_time, 2.5, 0.05);
}

TEST(Measure, ComparesNormalsToo) {
  const Model model = built(swaying_bar());
  const BakedModel out = baked(model);
  EXPECT_GT(out.error.at_frames.normal_max_degrees, 0.0);
  EXPECT_LT(out.error.at_frames.normal_max_degrees, 0.01);
  EXPECT_LT(out.error.between.normal_max_degrees, 0.1);
  const BakedModel coarse = baked(model, {.frame_rate = 5.0});
  EXPECT_GT(coarse.error.between.normal_max_degrees, 1.0);
}

}  // namespace
}  // namespace throng
