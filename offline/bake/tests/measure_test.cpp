// SPDX-License-Identifier: Apache-2.0
// The bake's own report against measurements made another way.
#include <algorithm>

#include "reference_measure.h"
#include "throng/character/decode.h"

namespace throng {
namespace {

void expect_agreement(const ErrorFigures& reported, const std::vector<double>& errors) {
  EXPECT_NEAR(reported.rms_mm, ReferenceErrors::rms(errors), 1e-9);
  EXPECT_NEAR(reported.p999_mm, ReferenceErrors::p999(errors), 0.01 * ReferenceErrors::p999(errors));
}

TEST(Measure, AgreesWithBruteForceOnLoopsAndOnClipsThatStop) {
  ModelDraft draft = swaying_bar();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 14, 20.0, 0.5, [](double t) { return 2.0 * t * t; })}));
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_FALSE(out.clips()[1].loops);
  ReferenceErrors all;
  for (std::size_t c = 0; c < out.clips().size(); ++c) {
    ReferenceErrors one;
    measure_clip(model, out, c, model.clips()[c], 1, one);
    measure_clip(model, out, c, model.clips()[c], 1, all);
    expect_agreement(out.clips()[c].error.at_frames, one.at_frames);
    expect_agreement(out.clips()[c].error.between, one.between);
    expect_holds(out.clips()[c].error.at_frames, out.clips()[c].error.between, one);
  }
  expect_agreement(out.error().at_frames, all.at_frames);
  expect_agreement(out.error().between, all.between);
  expect_holds(out.error().at_frames, out.error().between, all);
  EXPECT_GT(out.error().between.max_mm, 10.0 * out.error().at_frames.max_mm);
}

TEST(Measure, IsInMillimetresOfACharacterOneMetreEightyTall) {
  const Character out = baked(built(swaying_bar()));
  EXPECT_NEAR(out.error().mm_per_unit, 1800.0 / 2.0, 1e-3);  // the bar is two units tall
}

TEST(Measure, NamesWhereItIsWorst) {
  ModelDraft draft = swaying_bar();
  Clip whip = clip_of(
      "whip", {turning(1, {0, 0, 1}, 31, 30.0, 2.0, [](double t) { return t > 0.49 && t < 0.51 ? 2.0 : 0.0; })});
  draft.clips.push_back(whip);
  const Character out = baked(built(draft), {.frame_rate = 7.0});
  EXPECT_EQ(out.error().worst_clip, "whip");
  EXPECT_EQ(out.error().worst_bone, "upper");
  EXPECT_NEAR(out.error().worst_time, 2.5, 0.05);
}

// The largest angle between a decoded normal and the source's, in degrees, at one point of an interval.
double normal_error(const Model& model, const Character& out, std::uint32_t frame, double blend) {
  const BakedClip& clip = out.clips()[0];
  const Cursor cursor{clip.first_frame + frame, clip.first_frame + (frame + 1) % clip.frame_count, 0.0f};
  const double seconds = clip.length * (frame + blend) / (clip.loops ? clip.frame_count : clip.frame_count - 1);
  const auto decoded = decode_pose(out, clip, cursor, blend);
  const auto truth = source_vertices(model, out, sample(model, model.clips()[0], clip.source_start + seconds));
  double worst = 0.0;
  for (std::size_t v = 0; v < truth.normals.size(); ++v) {
    const glm::dvec3 across = glm::cross(decoded.normals[v], truth.normals[v]);
    worst = std::max(worst, std::atan2(glm::length(across), glm::dot(decoded.normals[v], truth.normals[v])));
  }
  return worst * 180.0 / kPi;
}

// With uniform scale, and with one that is not, where normals need the inverse transpose (spec F6).
TEST(Measure, NormalsAgreeWithBruteForce) {
  for (const float squash : {1.3f, 1.0f}) {
    ModelDraft draft = swaying_bar();
    for (int i = 0; i <= 30; ++i) {
      const float s = 1.3f + 0.3f * static_cast<float>(std::sin(2.0 * kPi * i / 30.0));
      draft.clips[0].bones[1].scale.times.push_back(static_cast<float>(i) / 30.0f);
      draft.clips[0].bones[1].scale.values.emplace_back(s, squash == 1.0f ? 1.0f : s, s);
    }
    const Model model = built(draft);
    const Character out = baked(model, {.frame_rate = 6.0});
    EXPECT_EQ(out.clips()[0].encoding, squash == 1.0f ? Encoding::rows : Encoding::q16);
    double at_frames = 0.0;
    double between = 0.0;
    for (std::uint32_t frame = 0; frame < out.clips()[0].frame_count; ++frame) {
      at_frames = std::max(at_frames, normal_error(model, out, frame, 0.0));
      between = std::max(between, normal_error(model, out, frame, 0.5));
    }
    EXPECT_NEAR(out.error().at_frames.normal_max_degrees, at_frames, 1e-4);
    EXPECT_NEAR(out.error().between.normal_max_degrees, between, 1e-4);
    EXPECT_GT(between, 0.1);
  }
}

TEST(Measure, ComparesNormalsToo) {
  const Model model = built(swaying_bar());
  const Character out = baked(model);
  EXPECT_GT(out.error().at_frames.normal_max_degrees, 0.0);
  EXPECT_LT(out.error().at_frames.normal_max_degrees, 0.01);
  EXPECT_LT(out.error().between.normal_max_degrees, 0.1);
  const Character coarse = baked(model, {.frame_rate = 5.0});
  EXPECT_GT(coarse.error().between.normal_max_degrees, 1.0);
}

}  // namespace
}  // namespace throng
