// SPDX-License-Identifier: Apache-2.0
// Time to frames in double, and its agreement with the integers that shaders use.
#include <gtest/gtest.h>

#include <cmath>

#include "throng/character/character.h"

namespace throng {
namespace {

BakedClip clip_of(bool loops, std::uint32_t frames, double length) {
  BakedClip clip;
  clip.loops = loops;
  clip.frame_count = frames;
  clip.first_frame = 10;
  clip.length = length;
  return clip;
}

TEST(ExactCursor, WrapsALoopOverItsSeam) {
  const BakedClip clip = clip_of(true, 4, 2.0);
  EXPECT_EQ(clip.rate(), 2.0);
  const ExactCursor seam = cursor_at_time(clip, 1.75);
  EXPECT_EQ(seam.cursor.frame, 13u);
  EXPECT_EQ(seam.cursor.next, 10u);
  EXPECT_DOUBLE_EQ(seam.blend, 0.5);
  EXPECT_EQ(cursor_at_time(clip, 2.0).cursor.frame, 10u);
  EXPECT_EQ(cursor_at_time(clip, 1e6 + 0.5).cursor.frame, 11u);
  EXPECT_EQ(cursor_at_time(clip, -0.25).cursor.frame, 13u);
}

TEST(ExactCursor, StopsAtBothEndsOfAClipThatDoesNotLoop) {
  const BakedClip clip = clip_of(false, 5, 2.0);
  EXPECT_EQ(clip.rate(), 2.0);
  const ExactCursor end = cursor_at_time(clip, 2.5);
  EXPECT_EQ(end.cursor.frame, 14u);
  EXPECT_EQ(end.cursor.next, 14u);
  EXPECT_EQ(end.blend, 0.0);
  EXPECT_EQ(cursor_at_time(clip, -1.0).cursor.frame, 10u);
}

TEST(ExactCursor, OneFrameIsAlwaysThatFrame) {
  for (const bool loops : {false, true}) {
    for (const double length : {0.0, 1.0}) {
      const ExactCursor at = cursor_at_time(clip_of(loops, 1, length), 0.7);
      EXPECT_EQ(at.cursor.frame, 10u);
      EXPECT_EQ(at.cursor.next, 10u);
    }
  }
}

TEST(ExactCursor, AFractionThatRoundsUpStaysBelowOneTurn) {
  const BakedClip clip = clip_of(true, 7, 0.7);
  for (const double seconds : {-1e-17, -1e-300, std::nextafter(0.7, 0.0), 0.7 * 3}) {
    const ExactCursor at = cursor_at_time(clip, seconds);
    EXPECT_GE(at.cursor.frame, 10u);
    EXPECT_LT(at.cursor.frame, 17u);
    EXPECT_LT(at.cursor.blend, 1.0f);
  }
}

TEST(ExactCursor, AgreesWithTheShadersIntegers) {
  for (const bool loops : {true, false}) {
    const BakedClip clip = clip_of(loops, 31, 1.0);
    const ClipRecord record = clip_record(CharacterDraft{}, clip);
    for (std::uint32_t i = 0; i < 1000; ++i) {
      const std::uint32_t high = i * 4294967u + 12345u;
      const Cursor shader = gpu::cursor_at(record, glm::uvec2(0u, high));
      const ExactCursor exact = cursor_at_time(clip, high / 4294967296.0);
      EXPECT_EQ(shader.frame, exact.cursor.frame) << i;
      EXPECT_EQ(shader.next, exact.cursor.next) << i;
      EXPECT_NEAR(static_cast<double>(shader.blend), exact.blend, 1e-7) << i;
    }
  }
}

}  // namespace
}  // namespace throng
