// SPDX-License-Identifier: Apache-2.0
// Every model there is in every encoding of bones: decoded poses are the source's to within what the report says, and
// the report says no more than it must; what cannot be held is refused with the encodings that can.
#include <filesystem>

#include "encodings_where.h"
#include "reference_measure.h"
#include "shared_models.h"

namespace throng {
namespace {

constexpr std::size_t kMostMeasured = 400000;  // vertices times points of a clip that are all measured again

BakeSettings settings_for(const Model& model, Encoding encoding) {
  BakeSettings settings{.encoding = encoding, .frame_rate = 6.0, .levels = 1, .drop_morphs = true};
  // One clip shows what there is to see; a name that would read as a pattern is left to mean all.
  const std::string first = model.clips().empty() ? "" : model.clips()[0].name;
  if (!first.empty() && first.find_first_of("*?[") == std::string::npos) settings.clips = {first};
  return settings;
}

void expect_within_report(const Model& model, const Character& out) {
  const BakedClip& clip = out.clips()[0];
  Clip source = model.clips().empty() ? Clip{} : model.clips()[0];
  source.morphs.clear();                 // as the bake was told to
  constexpr std::uint32_t kPoints = 30;  // of an interval: many keys are among them, and others than the bake looks at
  const std::size_t points = out.vertices().size() * clip.frame_count * kPoints;
  const auto step = static_cast<std::uint32_t>(1 + points / kMostMeasured);
  ReferenceErrors truth;
  measure_clip(model, out, 0, source, step, truth, kPoints);
  const double at_frames = ReferenceErrors::max(truth.at_frames);
  const double between = ReferenceErrors::max(truth.between);
  EXPECT_LE(at_frames, clip.error.at_frames.max_mm * (1.0 + 1e-9) + 1e-12);
  EXPECT_LE(between, clip.error.between.max_mm * (1.0 + 1e-9) + 1e-12);
  if (step == 1) expect_holds(clip.error.at_frames, clip.error.between, truth);
}

class EveryModel : public testing::TestWithParam<Encoding> {};

TEST_P(EveryModel, IsAsFarOffAsItsReportSays) {
  const auto files = every_gltf();
  if (files.empty()) GTEST_SKIP() << "no shared models here";
  ThreadExecutor executor(2);
  std::size_t baked = 0;
  std::size_t refused = 0;
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const auto imported = import_gltf(file);
    if (!imported) continue;  // the importer's own tests say which and why
    const auto out = bake(imported->model, settings_for(imported->model, GetParam()), executor);
    if (!out) {
      // Nothing to draw, or something that this encoding cannot hold, said with what can.
      const bool empty = out.error().message.find("no triangles") != std::string::npos;
      EXPECT_TRUE(empty || out.error().message.find("bake it as ") != std::string::npos) << out.error().message;
      refused += empty ? 0 : 1;
      continue;
    }
    ++baked;
    expect_within_report(imported->model, *out);
  }
  EXPECT_GT(baked, test::kInstrumented ? 4u : 25u);
  const bool holds_all = is_affine_encoding(GetParam());
  EXPECT_TRUE(!holds_all || refused == 0) << refused;
  RecordProperty("baked", static_cast<int>(baked));
  RecordProperty("refused", static_cast<int>(refused));
}

INSTANTIATE_TEST_SUITE_P(Encodings, EveryModel, testing::ValuesIn(test::bone_encodings()), [](const auto& parameter) {
  std::string name(name_of(parameter.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace throng
