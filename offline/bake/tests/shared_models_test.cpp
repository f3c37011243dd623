// SPDX-License-Identifier: Apache-2.0
// Real rigs, and the built-in one: they bake, and what is decoded is where the report says it is.
#include <filesystem>

#include "mannequin_model.h"
#include "shared_models.h"
#include "small_models.h"
#include "throng/character/file.h"

namespace throng {
namespace {

struct Expected {
  const char* file;          // "" is the mannequin
  double most_at_frames;     // millimetres
  double most_between_p999;  // millimetres
};

void PrintTo(const Expected& e, std::ostream* out) { *out << (*e.file != 0 ? e.file : "mannequin"); }

class RealRig : public testing::TestWithParam<Expected> {};

TEST_P(RealRig, DecodesToWithinItsReportedError) {
  const auto imported = load(GetParam().file);
  if (!imported) GTEST_SKIP() << "no shared models here";
  const Model& model = imported->model;
  ThreadExecutor executor(2);
  const auto out = bake(model, {.max_error_mm = {}, .levels = 1, .notes = imported->notes}, executor);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_LT(out->error().at_frames.max_mm, GetParam().most_at_frames);
  EXPECT_LT(out->error().between.p999_mm, GetParam().most_between_p999);
  EXPECT_LT(out->error().at_frames.normal_max_degrees, 0.02);
  const double unit = out->error().mm_per_unit;
  for (std::size_t c = 0; c < out->clips().size(); c += 1 + out->clips().size() / 4) {
    const BakedClip& clip = out->clips()[c];
    const std::uint32_t frame = clip.frame_count / 3;
    const double at_frame = clip.rate() > 0.0 ? frame / clip.rate() : 0.0;
    EXPECT_LE(error_at(model, *out, c, at_frame) * unit, out->error().at_frames.max_mm + 1e-6) << clip.name;
    const double between = clip.rate() > 0.0 ? (frame + 0.5) / clip.rate() : 0.0;
    const double worst = std::max(out->error().between.max_mm, out->error().at_frames.max_mm);
    EXPECT_LE(error_at(model, *out, c, between) * unit, worst + 1e-6) << clip.name;
  }
  const auto bytes = encode_character(*out);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  EXPECT_TRUE(decode_character(SharedBytes(*bytes)).has_value());
}

INSTANTIATE_TEST_SUITE_P(Models, RealRig,
                         testing::Values(Expected{"", 0.1, 15.0}, Expected{"khronos/Fox/Fox.glb", 0.3, 30.0},
                                         Expected{"khronos/CesiumMan/CesiumMan.glb", 0.06, 3.0},
                                         Expected{"derived/Fox_quantized.glb", 0.3, 30.0},
                                         Expected{"khronos/RiggedFigure/RiggedFigure.glb", 0.06, 0.1},
                                         Expected{"kenney/character.glb", 0.06, 1.0}));

// The first report anyone sees.
TEST(BuiltInModel, IsBakedWithinAMillimetreWithoutAWarning) {
  ThreadExecutor executor(2);
  const auto out = bake(test::mannequin_model(), {.levels = 1}, executor);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  const ErrorReport& error = out->error();
  EXPECT_LT(std::max(error.at_frames.max_mm, error.between.max_mm), 1.0)
      << error.worst_clip << ", " << error.worst_bone << " at " << error.worst_time;
  EXPECT_TRUE(out->warnings().empty());
  EXPECT_LT(out->atlas().words.size_bytes(), 120000u);
}

// CesiumMan's 48 keys start at 1/24 s and the 49th, which would close the loop, is left out.
TEST(LoopGuess, CesiumManLoopsOneKeyAfterItsLast) {
  const auto imported = load("khronos/CesiumMan/CesiumMan.glb");
  if (!imported) GTEST_SKIP() << "no shared models here";
  const Character out = baked(imported->model);
  EXPECT_TRUE(out.clips()[0].loops);
  EXPECT_EQ(out.clips()[0].frame_count, 48u);
  EXPECT_NEAR(out.clips()[0].length, 2.0, 1e-5);
}

}  // namespace
}  // namespace throng
