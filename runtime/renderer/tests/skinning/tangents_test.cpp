// SPDX-License-Identifier: Apache-2.0
// Tangents that the GPU works out, against the reference in double: of every encoding, skinned in the vertex shader and
// in the pool, at rest and in frames, between frames and in cross-fades. Those of near characters are tested beside
// their other vertices (near/).
#include <gtest/gtest.h>

#include <algorithm>

#include "instrumented.h"
#include "skinning_check.h"
#include "test_device.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

constexpr Ticks kNow = 777;
// The pool holds a direction in 32 bits, one of which is the side.
constexpr double kDegrees = 0.05;

// Every vertex of every character, placed; how many there were whose side a mirror had changed.
std::size_t expect_tangents(const Character& model, const test::Cast& cast, const SkinnedCrowd& crowd) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    const DecodedVertices exact = deform(model, cast.plays[i], kNow);
    const glm::vec4 q = gpu::unpack_rotation(cast.instances[i].rotation);
    const glm::dquat turn(q.w, q.x, q.y, q.z);
    for (std::size_t v = 0; v < exact.tangents.size(); ++v) {
      const glm::vec4 found = crowd.tangents[i * crowd.vertices_per_instance + v];
      const double off = test::degrees_between(glm::dvec3(found), turn * glm::dvec3(exact.tangents[v]));
      EXPECT_LT(off, kDegrees) << "character " << i << ", vertex " << v;
      EXPECT_EQ(double{found.w}, exact.tangents[v].w) << "character " << i << ", vertex " << v;
      if (::testing::Test::HasFailure()) return changed;
      if (!model.tangents().empty() && exact.tangents[v].w != double{model.tangents()[v].w}) ++changed;
    }
  }
  return changed;
}

class TangentsOnGpu : public test::OnDevice, public ::testing::WithParamInterface<Encoding> {};

TEST_P(TangentsOnGpu, AreThoseOfTheReference) {
  const Character model = test::random_model(test::folding_shape({GetParam()}));
  ASSERT_TRUE(model.has_tangents());
  const bool mirrors = is_affine_encoding(GetParam()) || GetParam() == Encoding::half_quaternion;
  for (const bool fades : {false, true}) {
    const test::Cast cast = test::random_cast(model, 60, 5, fades);
    for (const test::SkinWay& way : test::kSkinWays) {
      SCOPED_TRACE(fmt::format("{}{}", way.name, fades ? ", fading" : ""));
      auto skinner = CrowdReadback::create(context(), model, way.settings);
      ASSERT_TRUE(skinner) << skinner.error().message;
      const auto crowd = skinner->skin(cast.instances, cast.plays, kNow, SkinSpace::world);
      ASSERT_TRUE(crowd) << crowd.error().message;
      const std::size_t changed = expect_tangents(model, cast, *crowd);
      EXPECT_EQ(changed > 50, mirrors) << "what mirrors changes sides";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, TangentsOnGpu, ::testing::ValuesIn(test::a_part_if_instrumented(kEncodings)),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Too many columns to share: every vertex of the pool then reads its own.
TEST_F(TangentsOnGpu, AreThoseOfTheReferenceWhereAGroupCannotShareItsColumns) {
  for (const Encoding encoding : {Encoding::q16, Encoding::rows, Encoding::local8}) {
    test::ModelShape shape{.bones = 2000, .layout = {4096, 2}, .vertices = 90, .encodings = {encoding}};
    shape.clip_frames = {2, 1};
    shape.tangents = true;
    const Character model = test::random_model(shape);
    const test::Cast cast = test::random_cast(model, 12, 6, true);
    auto skinner = CrowdReadback::create(context(), model, {.skinning = Skinning::compute});
    ASSERT_TRUE(skinner) << skinner.error().message;
    expect_tangents(model, cast, skinner->skin(cast.instances, cast.plays, kNow, SkinSpace::world).value());
  }
}

}  // namespace
}  // namespace throng
