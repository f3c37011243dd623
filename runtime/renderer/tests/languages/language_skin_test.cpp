// SPDX-License-Identifier: Apache-2.0
// One source, three languages: whole vertices of characters, with cross-fades, as HLSL on lavapipe and as ESSL through
// OpenGL ES, against the same as GLSL. That GLSL is right, the other tests of this folder say.
#include <gtest/gtest.h>

#include <algorithm>

#include "instrumented.h"
#include "language_scene.h"
#include "test_device.h"
#include "throng/character/encoding.h"

namespace throng {
namespace {

constexpr std::uint32_t kGlslCode[] = {
#include "language_skin.comp.inc"
};
constexpr std::uint32_t kHlslCode[] = {
#include "language_skin.hlsl.inc"
};
// Of an atlas bound as RGBA8, which is read as numbers from 0 to 1.
constexpr std::uint32_t kGlslUnormCode[] = {
#include "language_skin+atlas_unorm8.comp.inc"
};
constexpr std::uint32_t kHlslUnormCode[] = {
#include "language_skin_unorm8.hlsl.inc"
};

// The order in which a matrix is multiplied is a language's own.
constexpr test::SceneBound kHlslMatrices{1e-7, 4e-6};

struct Case {
  std::string name = {};
  test::ModelShape shape = {};
  std::uint32_t quality = 4;
};
void PrintTo(const Case& tested, std::ostream* stream) { *stream << tested.name; }

class LanguagesSkin : public test::OnDevice, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    scene_.batch.quality = GetParam().quality;
  }

  test::LanguageScene scene_ = test::make_scene(GetParam().shape);
};

TEST_P(LanguagesSkin, TheSameVerticesAsHlslAndAsGlsl) {
  const bool matrices = std::ranges::any_of(GetParam().shape.encodings, [](Encoding encoding) {
    return encoding == Encoding::rows || encoding == Encoding::half_rows;
  });
  expect_same(run_compute(context(), kHlslCode, scene_), run_compute(context(), kGlslCode, scene_), scene_,
              matrices ? kHlslMatrices : test::kExactly);
}

TEST_P(LanguagesSkin, TheSameVerticesAsEsslAndAsGlsl) {
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << why_not;
  expect_same(run_essl(*gles, scene_), run_compute(context(), kGlslCode, scene_), scene_, test::kEssl);
}

// A file's rgbm bytes as any target has them, against the same read as whole numbers, and both against C++.
class LanguagesUnorm8 : public test::OnDevice, public ::testing::WithParamInterface<bool> {
 protected:
  test::LanguageScene scene_ = test::make_scene({.layout = {50, 1, true},
                                                 .vertices = 30,
                                                 .clip_frames = {8, 5, 1},
                                                 .encodings = {Encoding::rgbm},
                                                 .tangents = GetParam(),
                                                 .layer_rows = 7});
};

TEST_P(LanguagesUnorm8, ReadsRgba8AsNumbersInEveryLanguage) {
  ASSERT_GT(scene_.model.atlas().layer_count, 2u);
  const test::SceneNumbers as_words = run_compute(context(), kGlslCode, scene_);
  expect_same(run_compute(context(), kGlslUnormCode, scene_, test::AtlasAs::unorm8), as_words, scene_, test::kExactly);
  expect_same(run_compute(context(), kHlslUnormCode, scene_, test::AtlasAs::unorm8), as_words, scene_, test::kExactly);
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << "as ESSL: " << why_not;
  expect_same(run_essl(*gles, scene_, test::AtlasAs::unorm8), as_words, scene_, test::kEssl);
}

TEST_P(LanguagesUnorm8, ReadsWhatTheDecoderReads) {
  expect_as_decoded(run_compute(context(), kGlslUnormCode, scene_, test::AtlasAs::unorm8), scene_, 2e-5);
}

INSTANTIATE_TEST_SUITE_P(Rgbm, LanguagesUnorm8, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "with_tangents" : "without_tangents"; });

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto shape = [](std::vector<Encoding> encodings) {
    const std::uint32_t texel_words = std::ranges::any_of(encodings, is_half) ? 2 : 4;
    return test::ModelShape{.bones = 9, .layout = {33, texel_words}, .vertices = 30, .encodings = std::move(encodings)};
  };
  for (const Encoding encoding : kEncodings) {
    const ItemKind kind = info_of(encoding).kind;
    if (kind == ItemKind::slot || kind == ItemKind::channel) continue;  // language_chains_test.cpp
    std::string name(name_of(encoding));
    std::ranges::replace(name, '-', '_');
    all.push_back({name, shape({encoding})});
    all.back().shape.tangents = encoding == Encoding::v8 || encoding == Encoding::half_vertex;
  }
  all.push_back({"quaternions_and_rows", shape({Encoding::q8, Encoding::rows})});
  all.push_back({"vertices_without_tangents", shape({Encoding::v8, Encoding::half_vertex})});
  all.push_back({"small_texels", shape({Encoding::q12, Encoding::q16})});
  all.back().shape.layout = {100, 2};
  all.push_back({"bones_over_layers", shape({Encoding::q16, Encoding::q8})});
  all.back().shape.layer_rows = 5;
  all.push_back({"vertices_over_layers", shape({Encoding::v8})});
  all.back().shape.layer_rows = 9;
  all.push_back({"half_quaternion_a_frame_a_row", shape({Encoding::half_quaternion})});
  all.back().shape.layout = {90, 2, true};
  all.back().shape.layer_rows = 4;
  all.push_back({"two_bones", shape({Encoding::x16}), 2});
  all.push_back({"one_bone_at_the_nearest_frame", shape({Encoding::q16}), test::kNearestFrame | 1});
  all.push_back({"morph_targets", shape({Encoding::q16, Encoding::rows}), test::kMorphTargets | 4});
  all.back().shape.morphs = 3;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, LanguagesSkin, ::testing::ValuesIn(test::a_part_if_instrumented(cases())),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace throng
