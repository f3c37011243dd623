// SPDX-License-Identifier: Apache-2.0
// localv without storage buffers: words from an R32UI texture and skeletons from an RGBA32UI one, as GLSL, HLSL and
// ESSL, in one pass and in two, against the C++ decoder.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "instrumented.h"
#include "language_scene.h"
#include "test_device.h"
#include "throng/character/channels.h"

namespace throng {
namespace {

constexpr std::uint32_t kGlslCode[] = {
#include "language_skin+chains.comp.inc"
};
constexpr std::uint32_t kHlslCode[] = {
#include "language_skin_chains.hlsl.inc"
};

constexpr double kUlp = 1.1920928955078125e-7;  // 2^-23: of 1
// Of a link's rotation: its components are steps of up to 22 bits, two are mixed evenly, turned by a third and
// normalised. Of what the whole character spans, where translations are.
constexpr double kUlps = 8.0;
constexpr std::size_t kFewestItems = 100000;

// Links of random skeletons at random moments of random clips.
class LanguagesLinks : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    look_at_links(scene_);
    ASSERT_GE(std::size_t{scene_.batch.vertex_count} * scene_.batch.instance_count, kFewestItems);
  }

  BoneSample expected(const PoseLink& link, std::span<const std::uint32_t> at) const {
    const BakedClip& clip = scene_.model.clips()[at[3]];
    const ChannelReader reader(scene_.model.channel_words(), clip.channels);
    const ChannelFrames frames = reader.frames_at(at[0], at[1], double{std::bit_cast<float>(at[2])});
    BoneSample sample = link.rest;
    if (link.rotation_slot) sample.rotation = reader.rotation(*link.rotation_slot, frames).value_or(sample.rotation);
    if (link.translation_slot)
      sample.position = reader.vector(*link.translation_slot, frames).value_or(sample.position);
    if (link.scale_slot) sample.scale = reader.vector(*link.scale_slot, frames).value_or(glm::dvec3(sample.scale)).x;
    return sample;
  }

  void expect_decoded(const test::SceneNumbers& found, const char* language) const {
    const std::vector<PoseLink>& links = scene_.model.skeleton();
    ASSERT_EQ(found.size(), scene_.instances.size() * links.size() * 12);
    double worst = 0.0;
    std::size_t moving = 0;
    for (std::size_t i = 0; i < found.size() / 12; ++i) {
      const auto item = std::span(found).subspan(12 * i, 12);
      const PoseLink& link = links[i % links.size()];
      const BoneSample exact = expected(link, item.subspan(8));
      moving += exact.rotation != link.rest.rotation ? 1 : 0;
      const auto number = [&](std::size_t n) { return double{std::bit_cast<float>(item[n])}; };
      const glm::dvec3 position(number(0), number(1), number(2));
      const glm::dquat rotation(number(7), number(4), number(5), number(6));
      const glm::dvec3 off = glm::abs(position - exact.position) / glm::max(glm::abs(exact.position), glm::dvec3(1.0));
      const double scale_off = std::abs(number(3) - exact.scale) / std::max(1.0, std::abs(exact.scale));
      const glm::dquat turn_off = rotation - exact.rotation;
      double most = std::max({off.x, off.y, off.z, scale_off});
      for (int c = 0; c < 4; ++c) most = std::max(most, std::abs(turn_off[c]));
      ASSERT_LE(most, kUlps * kUlp) << language << ", character " << i / links.size() << ", link " << i % links.size();
      worst = std::max(worst, most);
    }
    EXPECT_GT(moving, found.size() / 12 / 3);
    RecordProperty(std::string("worst_ulps_") + language, fmt::format("{:.1f}", worst / kUlp));
  }

  test::LanguageScene scene_ = test::make_scene({.bones = 3,
                                                 .clip_frames = {40, 9, 1, 33},
                                                 .clip_loops = {true, false, true, false},
                                                 .encodings = {Encoding::localv},
                                                 .links = 60},
                                                2000);
};

TEST_F(LanguagesLinks, AreDecodedAsInCppFromTextures) {
  expect_decoded(run_compute(context(), kGlslCode, scene_), "glsl");
  expect_decoded(run_compute(context(), kHlslCode, scene_), "hlsl");
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << "as ESSL: " << why_not;
  expect_decoded(run_essl(*gles, scene_), "essl");
}

struct Case {
  std::string name = {};
  test::ModelShape shape = {};
  std::uint32_t quality = 4;
};
void PrintTo(const Case& tested, std::ostream* stream) { *stream << tested.name; }

// What sums up along a chain of floats, on characters of 16 m and twice that, 10 m apart.
constexpr double kChain = 2e-5;

class LanguagesChains : public test::OnDevice, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    scene_.batch.quality = GetParam().quality;
  }

  bool follows_all_bones() const { return GetParam().quality == 4; }

  test::LanguageScene scene_ = test::make_scene(GetParam().shape);
};

TEST_P(LanguagesChains, AreWalkedWhereTheVertexIs) {
  const test::SceneNumbers as_glsl = run_compute(context(), kGlslCode, scene_);
  if (follows_all_bones()) expect_as_decoded(as_glsl, scene_, kChain);
  expect_same(run_compute(context(), kHlslCode, scene_), as_glsl, scene_, test::kEssl);
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << "as ESSL: " << why_not;
  expect_same(run_essl(*gles, scene_), as_glsl, scene_, test::kEssl);
}

TEST_P(LanguagesChains, AreWalkedByAFragmentShaderBefore) {
  const bool matrices = (scene_.constants.encodings & gpu::kAffineEncodings) != 0;
  if (matrices || (GetParam().quality & test::kNearestFrame) != 0) return;  // which is for other bones and frames
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << why_not;
  const test::SceneNumbers found = run_essl_in_passes(*gles, scene_);
  if (follows_all_bones()) expect_as_decoded(found, scene_, kChain);
  expect_same(found, run_compute(context(), kGlslCode, scene_), scene_, test::kEssl);
}

std::vector<Case> cases() {
  const auto shape = [](std::vector<Encoding> encodings) {
    return test::ModelShape{.bones = 9,
                            .layout = {33, 4},
                            .vertices = 30,
                            .clip_frames = {12, 7},
                            .encodings = std::move(encodings),
                            .links = 11};
  };
  std::vector<Case> all{{"localv", shape({Encoding::localv})},
                        {"localv_and_q16", shape({Encoding::localv, Encoding::q16})},
                        {"localv_and_rows", shape({Encoding::localv, Encoding::rows})},
                        {"two_bones", shape({Encoding::localv}), 2},
                        {"one_bone_at_the_nearest_frame", shape({Encoding::localv}), test::kNearestFrame | 1}};
  all.push_back({"long_chains", shape({Encoding::localv})});
  all.back().shape.bones = 30;
  all.back().shape.links = 40;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, LanguagesChains, ::testing::ValuesIn(test::a_part_if_instrumented(cases())),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace throng
