// SPDX-License-Identifier: Apache-2.0
#pragma once
// A crowd with one character in it.

#include <gtest/gtest.h>

#include "events_oracle.h"

namespace throng {

struct One {
  Crowd crowd{two_clips()};
  InstanceId id;

  explicit One(const Play& play = {}) : id(crowd.add({.play = play}, 0).value()) {}

  PlayState at(double seconds) {
    crowd.advance(ticks(seconds));
    return crowd.state(id, ticks(seconds)).value();
  }
  void play(const Play& play, double seconds) { ASSERT_TRUE(crowd.play(id, play, ticks(seconds))); }
  void queue(const Play& play, double seconds) { ASSERT_TRUE(crowd.queue(id, play, ticks(seconds))); }
};

inline constexpr double kTick = 2e-6;  // seconds; two of them

}  // namespace throng
