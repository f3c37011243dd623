// SPDX-License-Identifier: Apache-2.0
#pragma once
// Characters that move, and how far each pixel's surface did between two pictures, worked out in double.

#include <gtest/gtest.h>

#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/playback/crowd.h"

namespace throng::test {

inline constexpr Ticks kSecond = kTicksPerSecond;
inline constexpr std::array kSkinningWays{Skinning::compute, Skinning::vertex};

// A character as one picture shows it.
struct Snapshot {
  InstanceRecord instance{};
  PlayRecord play{};
  Ticks now = 0;
  glm::dmat4 clip_from_world{1.0};
};

// Corners of triangles in clip space.
using Corners = std::vector<glm::dvec4>;

// What a picture shows: triangles as they are in it, and as they were in the last one.
struct Surfaces {
  std::vector<std::uint32_t> indices = {};
  Corners from = {};
  Corners to = {};

  // Adds the triangles of something else, as they are in the same pictures.
  void add(std::span<const std::uint32_t> more, const Corners& more_from, const Corners& more_to);
};

class MotionOnDevice : public OnDevice {
 protected:
  void begin(Skinning skinning, const Character& character);

  // Draws a picture, and says how that character was in it.
  Snapshot show(Ticks now, std::size_t index = 0);

  // The triangles of the character alone.
  Surfaces surfaces_of(const Snapshot& before, const Snapshot& now) const;

  void expect_motion(const Snapshot& before, const Snapshot& now, double least_motion = 0.005) {
    expect_motion(surfaces_of(before, now), least_motion);
  }

  // At every pixel inside some triangle, of those that `drawn` has where it is given.
  void expect_motion(const Surfaces& shown, double least_motion, std::span<const float> drawn = {});
  void expect_no_motion();

  Character model = card_model({});
  Crowd crowd;
  std::optional<CharacterRenderer> renderer;
  std::optional<OwnRenderer> own;
  std::vector<float> colour;  // red, of the last picture; 0 where there is nothing
};

}  // namespace throng::test
