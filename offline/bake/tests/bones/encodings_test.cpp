// SPDX-License-Identifier: Apache-2.0
// Every encoding of bones on real rigs: what is decoded is where the report says, and the report says no more than it
// must.
#include "encodings_where.h"
#include "mannequin_model.h"
#include "reference_measure.h"
#include "shared_models.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

struct Case {
  const char* file;
  const char* clip;  // a pattern; one clip is enough for what is shown here
};

void PrintTo(const Case& c, std::ostream* out) { *out << (*c.file != 0 ? c.file : "mannequin"); }

const Clip& source_clip(const Model& model, const BakedClip& clip) {
  return model.clips()[*model.find_clip(clip.name)];
}

class EveryEncoding : public testing::TestWithParam<Case> {};

TEST_P(EveryEncoding, IsAsFarOffAsItsReportSays) {
  const auto imported = load(GetParam().file);
  if (!imported) GTEST_SKIP() << "no shared models here";
  const Model& model = imported->model;
  ThreadExecutor executor(2);
  for (const Encoding encoding : test::bone_encodings()) {
    SCOPED_TRACE(name_of(encoding));
    const BakeSettings settings{.encoding = encoding, .frame_rate = 15.0, .clips = {GetParam().clip}, .levels = 1};
    const auto out = bake(model, settings, executor);
    ASSERT_TRUE(out.has_value()) << out.error().message;
    const BakedClip& clip = out->clips()[0];
    EXPECT_EQ(clip.encoding, encoding);
    constexpr std::uint32_t kPoints = 12;  // others than the bake looks at
    ReferenceErrors truth;
    measure_clip(model, *out, 0, source_clip(model, clip), 1, truth, kPoints);
    EXPECT_GT(clip.error.at_frames.max_mm, 0.0);
    expect_holds(clip.error.at_frames, clip.error.between, truth);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const Cursor cursor{clip.first_frame + frame, clip.first_frame + frame, 0.0f};
      for (const glm::dvec3& p : decode_pose(*out, clip, cursor, 0.0).positions) {
        ASSERT_TRUE(glm::all(glm::greaterThanEqual(p, clip.bounds.min)) &&
                    glm::all(glm::lessThanEqual(p, clip.bounds.max)));
      }
    }
    EXPECT_TRUE(encode_character(*out).has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryEncoding,
                         testing::Values(Case{"", "walk"}, Case{"khronos/Fox/Fox.glb", "Walk"},
                                         Case{"khronos/CesiumMan/CesiumMan.glb", "*"},
                                         Case{"khronos/RiggedFigure/RiggedFigure.glb", "*"},
                                         Case{"kenney/character.glb", "*walk*"},
                                         Case{"kaykit/Knight.glb", "Walking_A"}));

// q16 is at least 40 times more exact at the frames than the classic quaternion layout at the same bytes.
TEST(EncodingSizes, Q16IsFortyTimesMoreExactThanHalfFloatsOfTheSameSize) {
  ThreadExecutor executor(2);
  for (const Case& c : {Case{"", "*"}, Case{"khronos/Fox/Fox.glb", "*"}, Case{"khronos/CesiumMan/CesiumMan.glb", "*"},
                        Case{"kaykit/Knight.glb", "*Walk*"}}) {
    const auto imported = load(c.file);
    if (!imported) continue;
    const auto bake_as = [&](Encoding encoding) {
      return bake(imported->model, {.encoding = encoding, .frame_rate = 30.0, .clips = {c.clip}, .levels = 1}, executor)
          .value();
    };
    const Character q16 = bake_as(Encoding::q16);
    const Character half = bake_as(Encoding::half_quaternion);
    EXPECT_FALSE(q16.clips().empty());
    EXPECT_EQ(q16.atlas().words.size(), half.atlas().words.size());
    EXPECT_GT(half.error().at_frames.max_mm, 40.0 * q16.error().at_frames.max_mm) << c.file;
  }
}

TEST(EncodingSizes, AreWhatTheirNamesSay) {
  const Model model = test::mannequin_model();
  ThreadExecutor executor(2);
  const auto bytes = [&](Encoding encoding) {
    const auto out = bake(model, {.encoding = encoding, .clips = {"walk"}, .levels = 1}, executor);
    const double items = static_cast<double>(out->bones().size()) * out->clips()[0].frame_count;
    return 4.0 * static_cast<double>(out->atlas().words.size()) / items;
  };
  EXPECT_DOUBLE_EQ(bytes(Encoding::q16), 16.0);
  EXPECT_DOUBLE_EQ(bytes(Encoding::x16), 16.0);
  EXPECT_NEAR(bytes(Encoding::q12), 12.0, 0.3);  // a word of rounding a frame
  EXPECT_NEAR(bytes(Encoding::q8), 8.0, 1.0);    // and the frame's origin
  EXPECT_DOUBLE_EQ(bytes(Encoding::rows), 24.0);
  EXPECT_DOUBLE_EQ(bytes(Encoding::half_quaternion), 16.0);
  EXPECT_DOUBLE_EQ(bytes(Encoding::half_rows), 24.0);
  EXPECT_LE(bytes(Encoding::local8), 10.0);
}

}  // namespace
}  // namespace throng
