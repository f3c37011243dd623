// SPDX-License-Identifier: Apache-2.0
// Cross-fades, quality levels and both ways to skin, against the double reference of throng/playback/deform.h.
#include <gtest/gtest.h>

#include <algorithm>

#include "chain_of_bars.h"
#include "encodings_where.h"
#include "instrumented.h"
#include "skinning_check.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

constexpr Ticks kNow = 777;
// What float rounding may add up to on a model some ten units large.
constexpr double kRoundingUnits = 3e-5;
constexpr double kRoundingDegrees = 0.06;
// The skinning pass reads and writes normals in 32 bits. Where bones nearly cancel one out, what is left of it turns by
// more than they are off.
constexpr double kPackedDegrees = 0.5;

std::size_t fading(const test::Cast& cast) {
  std::size_t count = 0;
  for (const PlayRecord& play : cast.plays) {
    const float weight = gpu::fade_weight(play, {static_cast<std::uint32_t>(kNow), 0u});
    count += play.fade_ticks != 0 && weight > 0.05f && weight < 0.95f ? 1 : 0;
  }
  return count;
}

// In model space from the vertex shader's code, in world space from the skinning pass.
void expect_like_deform(const Character& model, const test::Cast& cast, const SkinnedCrowd& crowd, SkinSpace space,
                        const std::string& what) {
  double position = 0.0;
  double degrees = 0.0;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    const DecodedVertices exact = deform(model, cast.plays[i], kNow);
    const glm::dmat4 world = space == SkinSpace::world ? world_from_model(cast.instances[i]) : glm::dmat4(1.0);
    const double scale = space == SkinSpace::world ? double{cast.instances[i].scale} : 1.0;
    for (std::size_t v = 0; v < crowd.vertices_per_instance; ++v) {
      const std::size_t at = i * crowd.vertices_per_instance + v;
      const glm::dvec3 point(world * glm::dvec4(exact.positions[v], 1.0));
      const glm::dvec3 normal = glm::dmat3(world) * exact.normals[v] / scale;
      position = std::max(position, glm::distance(glm::dvec3(crowd.positions[at]), point));
      degrees = std::max(degrees, test::degrees_between(crowd.normals[at], normal));
    }
  }
  EXPECT_LT(position, space == SkinSpace::world ? 4.0 * kRoundingUnits : kRoundingUnits) << what;
  EXPECT_LT(degrees, space == SkinSpace::world ? kPackedDegrees : kRoundingDegrees) << what;
}

class Fades : public test::OnDevice {
 protected:
  void expect_right(const test::ModelShape& shape, const std::string& what) {
    const Character model = test::random_model(shape);
    const test::Cast cast = test::random_cast(model, 120, 11, true);
    ASSERT_GT(fading(cast), 15u);
    for (const test::SkinWay& way : test::kSkinWays) {
      auto skinner = CrowdReadback::create(context(), model, way.settings);
      ASSERT_TRUE(skinner) << what << ": " << skinner.error().message;
      const auto crowd = skinner->skin(cast.instances, cast.plays, kNow, way.space);
      ASSERT_TRUE(crowd) << what << ": " << crowd.error().message;
      expect_like_deform(model, cast, *crowd, way.space, fmt::format("{}, {}", what, way.name));
    }
  }
};

class FadesOfEncodings : public Fades, public ::testing::WithParamInterface<Encoding> {};

TEST_P(FadesOfEncodings, BlendAsTheReferenceDoes) {
  expect_right(test::folding_shape({GetParam()}), std::string(name_of(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Encodings, FadesOfEncodings, ::testing::ValuesIn(test::a_part_if_instrumented(kEncodings)),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_F(Fades, BlendBetweenEncodings) {
  expect_right(test::folding_shape({Encoding::q16, Encoding::rows, Encoding::q8}), "with matrices");
  const auto is_rotation = [](const EncodingInfo& info) { return info.kind == ItemKind::bone; };
  expect_right(test::folding_shape(test::encodings_where(is_rotation)), "rotations");
  expect_right(test::folding_shape({Encoding::local8, Encoding::q12}), "with chains");
  expect_right(test::folding_shape({Encoding::local8, Encoding::half_rows}), "chains and matrices");
  expect_right(test::folding_shape({Encoding::localv, Encoding::q12}), "with channels");
  expect_right(test::folding_shape(test::vertex_encodings(), false), "vertices");
}

// More columns than a group of threads can share.
TEST_F(Fades, SkinModelsOfVeryManyBones) {
  test::ModelShape shape{.bones = 900, .layout = {512, 4}, .vertices = 300};
  expect_right(shape, "900 bones");
}

// A vertex on its strongest bones alone, their weights made whole again; or at the nearer frame.
TEST_P(FadesOfEncodings, KeepToTheirQuality) {
  if (is_vertex_encoding(GetParam())) GTEST_SKIP() << "no bones";
  const Character model = test::random_model(test::folding_shape({GetParam()}));
  const test::Cast cast = test::random_cast(model, 60, 3);
  for (const test::SkinWay& way : test::kSkinWays)
    for (const std::uint32_t bones : {1u, 2u, 3u}) {
      std::vector<BakedVertex> vertices(model.vertices().begin(), model.vertices().end());
      for (BakedVertex& vertex : vertices) {
        for (std::size_t i = 0; i < 4; ++i)
          for (std::size_t j = i + 1; j < 4; ++j)
            if (vertex.weights[j] > vertex.weights[i]) {
              std::swap(vertex.weights[i], vertex.weights[j]);
              std::swap(vertex.bones[i], vertex.bones[j]);
            }
        std::uint32_t kept = 0;
        for (std::size_t i = 0; i < 4; ++i) kept += i < bones ? vertex.weights[i] : 0u;
        std::uint32_t left = 65535;
        for (std::size_t i = 3; i > 0; --i) {
          vertex.weights[i] = static_cast<std::uint16_t>(i < bones ? vertex.weights[i] * 65535u / kept : 0u);
          left -= vertex.weights[i];
        }
        vertex.weights[0] = static_cast<std::uint16_t>(left);
      }
      CharacterDraft draft = model.draft();
      draft.vertices = vertices;
      const Character fewer = test::built(std::move(draft));
      CrowdReadbackSettings settings = way.settings;
      settings.quality = {bones, true};
      auto skinner = CrowdReadback::create(context(), model, settings);
      ASSERT_TRUE(skinner) << skinner.error().message;
      const auto crowd = skinner->skin(cast.instances, cast.plays, kNow, SkinSpace::world);
      ASSERT_TRUE(crowd) << crowd.error().message;
      double worst = 0.0;
      for (std::size_t i = 0; i < cast.size(); ++i) {
        const DecodedVertices exact = deform(fewer, cast.plays[i], kNow);
        const glm::dmat4 world = world_from_model(cast.instances[i]);
        for (std::size_t v = 0; v < exact.positions.size(); ++v) {
          const glm::dvec3 point(world * glm::dvec4(exact.positions[v], 1.0));
          worst = std::max(worst, glm::distance(glm::dvec3(crowd->positions[i * exact.positions.size() + v]), point));
        }
      }
      // 65535ths of a weight move a vertex between bones some ten units apart.
      EXPECT_LT(worst, 2e-3) << bones << " bones, " << way.name;
    }
}

TEST_F(Fades, StandAtTheNearerFrameWhereNothingIsInterpolated) {
  const Character model = test::random_model(test::folding_shape({Encoding::q16}));
  const test::Cast cast = test::random_cast(model, 200, 3);
  auto skinner = CrowdReadback::create(context(), model, {.quality = {4, false}});
  ASSERT_TRUE(skinner);
  const auto crowd = skinner->skin(cast.instances, cast.plays, kNow, SkinSpace::model);
  ASSERT_TRUE(crowd);
  std::size_t forward = 0;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    const Cursor between = test::cpu_cursor(model, cast.plays[i].track, kNow);
    const Cursor& found = crowd->moments[i].cursor;
    EXPECT_EQ(found.frame, between.blend < 0.5f ? between.frame : between.next);
    EXPECT_EQ(found.blend, 0.0f);
    forward += between.blend >= 0.5f ? 1 : 0;
  }
  EXPECT_GT(forward, 20u);
}

// Half-way from one side to the other no part of a limb is torn off: blended about the model's origin, rings of a
// link's two ends were half a unit apart.
TEST(FadesOfLimbs, StayJoined) {
  const Model model = built(test::swinging_chain());
  SerialExecutor executor;
  for (const Encoding encoding : {Encoding::local8, Encoding::localv}) {
    BakeSettings settings{.encoding = encoding, .frame_rate = 10.0, .max_error_mm = std::nullopt, .levels = 1};
    const Character chain = bake(model, settings, executor).value();
    PlayRecord play = test::standing(1).play;
    play.previous = test::standing(0).play.track;
    play.fade_ticks = 1000;
    play.fade_start = {500, 0};
    const std::vector<glm::dvec3> positions = deform(chain, play, 1000).positions;
    double longest = 0.0;
    for (std::size_t i = 0; i < chain.indices().size(); ++i) {
      const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
      longest = std::max(longest, glm::distance(positions[chain.indices()[i]], positions[chain.indices()[next]]));
    }
    EXPECT_LT(longest, 0.25) << name_of(encoding) << ": edges are 0.13 long at rest";
  }
}

}  // namespace
}  // namespace throng
