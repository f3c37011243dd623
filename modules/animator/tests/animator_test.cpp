#include "throng/animator/animator.h"

#include <gtest/gtest.h>

#include <cmath>

namespace throng {
namespace {

// One bone that moves along x: clip 0 from 0 to 1 in a second, looping; clip 1 stands at x = 10; clip 2 moves once.
Model sliding_model() {
  ModelDraft draft;
  draft.bones = {{"bone", std::nullopt, {}}};
  const auto slide = [](float from, float to) {
    Clip clip;
    clip.end = 1.0;
    clip.bones = {{0, {Interpolation::linear, {0.0f, 1.0f}, {{from, 0, 0}, {to, 0, 0}}}, {}, {}}};
    return clip;
  };
  draft.clips = {slide(0, 1), slide(10, 10), slide(0, 1)};
  draft.clips[2].loops = false;
  return build_model(draft).value();
}

double x(const Animator& animator) { return animator.pose().bones[0].translation.x; }

TEST(Animator, IsAtRestUntilAClipIsPlayed) {
  const Model model = sliding_model();
  Animator animator(model);
  animator.advance(1.0);
  EXPECT_EQ(x(animator), 0.0);
}

TEST(Animator, LoopsAClipAndStopsOneThatDoesNot) {
  const Model model = sliding_model();
  Animator looping(model);
  ASSERT_TRUE(looping.play({.clip = 0}));
  looping.advance(3.25);
  EXPECT_NEAR(x(looping), 0.25, 1e-9);
  Animator stopping(model);
  ASSERT_TRUE(stopping.play({.clip = 2}));
  stopping.advance(3.25);
  EXPECT_EQ(x(stopping), 1.0);
}

TEST(Animator, PlaysBackwardsAndFromAnOffset) {
  const Model model = sliding_model();
  Animator animator(model);
  ASSERT_TRUE(animator.play({.clip = 0, .speed = -0.5, .offset = 0.25}));
  EXPECT_NEAR(x(animator), 0.25, 1e-9);
  animator.advance(1.0);
  EXPECT_NEAR(x(animator), 0.75, 1e-9);
}

TEST(Animator, CrossFadesFromThePoseOfTheMomentToTheClip) {
  const Model model = sliding_model();
  Animator animator(model);
  ASSERT_TRUE(animator.play({.clip = 0, .speed = 0.0, .offset = 0.5}));
  ASSERT_TRUE(animator.play({.clip = 1, .fade = 2.0}));
  EXPECT_NEAR(x(animator), 0.5, 1e-9) << "nothing jumps when the fade begins";
  animator.advance(1.0);
  EXPECT_NEAR(x(animator), 0.5 * 0.5 + 0.5 * 10.0, 1e-9);
  ASSERT_TRUE(animator.play({.clip = 0, .fade = 1.0, .speed = 0.0})) << "interrupting the fade";
  EXPECT_NEAR(x(animator), 5.25, 1e-9) << "nothing jumps then either";
  animator.advance(1.5);
  EXPECT_NEAR(x(animator), 0.0, 1e-9);
  EXPECT_EQ(animator.fade_weight(), 1.0);
}

TEST(Animator, RefusesWhatCannotBePlayedAndGoesOn) {
  const Model model = sliding_model();
  Animator animator(model);
  ASSERT_TRUE(animator.play({.clip = 0}));
  EXPECT_FALSE(animator.play({.clip = 3}));
  EXPECT_FALSE(animator.play({.clip = 1, .fade = -1.0}));
  EXPECT_FALSE(animator.play({.clip = 1, .speed = NAN}));
  animator.advance(0.5);
  animator.advance(NAN);
  animator.advance(-3.0);
  EXPECT_NEAR(x(animator), 0.5, 1e-9);
}

TEST(Animator, KeepsItsPlaceForHours) {
  const Model model = sliding_model();
  Animator animator(model);
  ASSERT_TRUE(animator.play({.clip = 0}));
  for (int i = 0; i < 2 * 3600 * 64; ++i) animator.advance(1.0 / 64.0);
  EXPECT_NEAR(std::remainder(animator.time(), 1.0), 0.0, 1e-9);
}

}  // namespace
}  // namespace throng
