// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/frame_ring.h"

#include <gtest/gtest.h>

#include <optional>

namespace throng {
namespace {

// Tells when it goes.
struct Object {
  explicit Object(int* gone) : gone_(gone) {}
  Object(Object&& other) noexcept : gone_(std::exchange(other.gone_, nullptr)) {}
  ~Object() {
    if (gone_ != nullptr) ++*gone_;
  }
  int* gone_;
};

TEST(FrameRing, GivesEverySlotItsTurn) {
  FrameRing ring(3);
  for (const std::size_t slot : {0u, 1u, 2u, 0u}) {
    EXPECT_EQ(ring.slot(), slot);
    ring.advance();
    EXPECT_EQ(ring.last_slot(), slot);
  }
  EXPECT_EQ(ring.recorded(), 4u);
}

TEST(FrameRing, GivesTheSlotOfADroppedImageBackOnce) {
  FrameRing ring(2);
  EXPECT_FALSE(ring.drop()) << "nothing was recorded";
  ring.advance();
  ring.advance();
  EXPECT_TRUE(ring.drop());
  EXPECT_EQ(ring.slot(), 1u);
  EXPECT_FALSE(ring.drop()) << "the image before may be in flight";
}

TEST(FrameRing, KeepsWhatWasRetiredUntilNoImageInFlightCanReadIt) {
  for (const std::uint32_t in_flight : {1u, 2u, 3u}) {
    FrameRing ring(in_flight);
    int gone = 0;
    ring.advance();  // reads the object
    ring.retire(Object(&gone));
    for (std::uint32_t i = 0; i < in_flight; ++i) {
      ring.release_finished();
      EXPECT_EQ(gone, 0) << i << " of " << in_flight;
      ring.advance();
    }
    ring.release_finished();
    EXPECT_EQ(gone, 1);
    EXPECT_EQ(ring.retired_count(), 0u);
  }
}

}  // namespace
}  // namespace throng
