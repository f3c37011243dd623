// SPDX-License-Identifier: Apache-2.0
// The boxes of clips and parts hold every vertex at every moment, between frames too, and are no larger than they must
// be.
#include <gtest/gtest.h>

#include "chain_of_bars.h"
#include "encodings_where.h"
#include "small_models.h"

namespace throng {
namespace {

// Of every vertex of a clip, at frames and at many moments between two.
Bounds drawn_in(const Character& character, const BakedClip& clip) {
  constexpr int kLooks = 60;
  Bounds seen;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const bool last = frame + 1 == clip.frame_count;
    const std::uint32_t next = last ? (clip.loops ? 0 : frame) : frame + 1;
    for (int i = 0; i < kLooks; ++i) {
      const auto decoded = decode_pose(character, clip, {clip.first_frame + frame, clip.first_frame + next, 0.0f},
                                       static_cast<double>(i) / kLooks);
      for (const glm::dvec3& position : decoded.positions) seen.add(position);
    }
  }
  return seen;
}

// How far a box is past another on the side where it is most.
double past(const Bounds& box, const Bounds& other) {
  const glm::dvec3 off = glm::max(other.min - box.min, box.max - other.max);
  return std::max({off.x, off.y, off.z});
}

BakeSettings every_frame_of(Encoding encoding, double rate) {
  BakeSettings settings{.encoding = encoding, .frame_rate = rate, .levels = 1};
  settings.mode = is_vertex_encoding(encoding) ? BakeMode::vertices : BakeMode::bones;
  settings.near = false;
  return settings;
}

class BoundsOfEncodings : public ::testing::TestWithParam<Encoding> {};

// Between two frames each joint turns by a third of a turn, so that the end of the chain goes round once and more:
// three times where it is longest.
TEST_P(BoundsOfEncodings, HoldAChainThatTurnsFarBetweenTwoFrames) {
  for (const std::uint32_t links : {1u, 2u, 3u, 4u, 6u, 9u})
    for (const double begin : {0.0, 0.5, 1.0}) {
      ModelDraft draft = test::chain_of_bars(links);
      const auto round = [begin](double t) { return begin + 2.0 * kPi * t; };
      draft.clips = {test::turning_chain("round", links, {0, 0, 1}, 3, round, true)};
      const Model model = built(std::move(draft));
      const Character out = baked(model, every_frame_of(GetParam(), 3.0));
      const BakedClip& clip = out.clips()[0];
      ASSERT_EQ(clip.frame_count, 3u);
      Bounds seen = drawn_in(out, clip);
      EXPECT_LE(past(seen, clip.bounds), 0.0) << links << " links from " << begin;
      for (int i = 0; i < 180; ++i) seen.add(pose_bounds(model, sample(model, model.clips()[0], i / 180.0)));
      EXPECT_LE(past(clip.bounds, seen), 0.25 * seen.diagonal()) << links << " links from " << begin;
    }
}

// Where motion is as smooth between frames as it usually is, there is next to nothing to spare.
TEST_P(BoundsOfEncodings, AreTightAroundUsualMotion) {
  const Model model = built(test::swinging_chain());
  const Character out = baked(model, every_frame_of(GetParam(), 30.0));
  for (const BakedClip& clip : out.clips()) {
    const Bounds seen = drawn_in(out, clip);
    EXPECT_LE(past(seen, clip.bounds), 0.0) << clip.name;
    EXPECT_LE(past(clip.bounds, seen), 0.01 * seen.diagonal()) << clip.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, BoundsOfEncodings, ::testing::ValuesIn(kEncodings), [](const auto& tested) {
  std::string name(name_of(tested.param));
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace throng
