// The encoding's own promises: how near a decoded bone is to what was encoded, and how two frames mix.
#include "throng/asset/q16.h"

#include <gtest/gtest.h>

#include <cmath>

namespace throng {
namespace {

constexpr Q16Range kRange{{-1.0, 0.0, -2.0}, {2.0, 3.0, 4.0}, 1.25};

// q and −q are one rotation.
double angle_between(const glm::dquat& a, const glm::dquat& b) {
  const double cosine = std::abs(glm::dot(glm::normalize(a), glm::normalize(b)));
  return 2.0 * std::acos(std::min(1.0, cosine));
}

TEST(Q16, DecodesToWithinHalfAStepOfWhatWasEncoded) {
  for (int i = 0; i < 500; ++i) {
    const double t = i * 0.37;
    BoneSample in;
    in.rotation =
        glm::normalize(glm::dquat(std::sin(t), std::cos(2.1 * t), std::sin(3.3 * t + 1.0), std::cos(t * 0.7)));
    in.position = {std::sin(t), 1.5 + 1.5 * std::cos(1.7 * t), 2.0 * std::sin(0.3 * t)};
    in.scale = 1.25 * (0.5 + 0.5 * std::sin(0.9 * t));
    const BoneSample out = decode_q16(encode_q16(in, kRange), kRange);
    EXPECT_LT(angle_between(in.rotation, out.rotation), 2.0 / 32767.0);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LE(std::abs(out.position[axis] - in.position[axis]), 0.5001 * kRange.pivot_size[axis] / 65535.0);
    }
    EXPECT_LE(std::abs(out.scale - in.scale), 0.5001 * kRange.scale_max / 65535.0);
  }
}

TEST(Q16, PacksLowHalvesFirst) {
  BoneSample sample;
  sample.rotation = glm::dquat(-1.0, 1.0, 0.0, 0.5);  // w x y z; not a rotation, but it shows each place
  sample.position = kRange.pivot_min + kRange.pivot_size * glm::dvec3(1.0, 0.0, 1.0);
  sample.scale = 1.25;
  const Texel texel = encode_q16(sample, kRange);
  EXPECT_EQ(texel.x, 0x00007FFFu);  // x = 1, y = 0
  EXPECT_EQ(texel.y, 0x80014000u);  // z = 0.5, w = −1
  EXPECT_EQ(texel.z, 0x0000FFFFu);  // px = 1, py = 0
  EXPECT_EQ(texel.w, 0xFFFFFFFFu);  // pz = 1, scale = 1
}

TEST(Q16, ReadsTheLowestIntegerAsMinusOneAsShadersDo) {
  EXPECT_EQ(decode_q16({0x00008000u, 0, 0, 0}, kRange).rotation.x, -1.0);
}

TEST(Q16, ClampsWhatLiesOutsideTheRange) {
  BoneSample sample;
  sample.position = {-50.0, 50.0, 0.0};
  sample.scale = 9.0;
  const BoneSample out = decode_q16(encode_q16(sample, kRange), kRange);
  EXPECT_EQ(out.position.x, -1.0);
  EXPECT_EQ(out.position.y, 3.0);
  EXPECT_EQ(out.scale, 1.25);
}

TEST(Q16, AnAxisWithoutExtentDecodesExactly) {
  const Q16Range flat{{0.1, 0.2, 0.3}, {0.0, 0.0, 0.0}, 1.0};
  BoneSample sample;
  sample.position = {0.1, 0.2, 0.3};
  EXPECT_EQ(decode_q16(encode_q16(sample, flat), flat).position, sample.position);
}

TEST(Q16, MixesAlongTheShortArcWhateverTheSigns) {
  BoneSample from;
  BoneSample to;
  from.rotation = glm::angleAxis(glm::radians(170.0), glm::dvec3(0, 1, 0));
  to.rotation = -glm::angleAxis(glm::radians(190.0), glm::dvec3(0, 1, 0));
  to.position = {2.0, 4.0, 6.0};
  to.scale = 3.0;
  const BoneSample middle = interpolate(from, to, 0.5);
  EXPECT_LT(angle_between(middle.rotation, glm::angleAxis(glm::radians(180.0), glm::dvec3(0, 1, 0))), 1e-7);
  EXPECT_NEAR(glm::length(middle.rotation), 1.0, 1e-12);
  EXPECT_EQ(middle.position, glm::dvec3(1.0, 2.0, 3.0));
  EXPECT_EQ(middle.scale, 2.0);
}

}  // namespace
}  // namespace throng
