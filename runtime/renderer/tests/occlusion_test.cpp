// SPDX-License-Identifier: Apache-2.0
// Who is left out of a picture because something stood before them in the last.
#include <gtest/gtest.h>

#include <algorithm>

#include "hiding_renderer.h"
#include "instrumented.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

using test::DepthKind;
using test::HidingRenderer;

const Camera kCamera{{0.0, 1.0, 10.0}, {0.0, 1.0, 0.0}, 60.0};

// Upright, and no thicker than its picture: it fills its own box.
Character card() {
  Material material;
  material.double_sided = true;
  CharacterDraft model = test::card_draft(material);
  model.clips[0].bounds = {{-1.0, 0.0, 0.0}, {1.0, 2.0, 0.0}};
  model.clips[1].bounds = {{-1.0, 0.0, 0.0}, {1.0, 3.0, 0.0}};
  return test::built(std::move(model));
}

test::TestCharacter scaled(const glm::vec3& place, float scale) {
  test::TestCharacter character = test::standing(0, place);
  character.instance.scale = scale;
  return character;
}

// A large card first, 5 m before the eye: ±1.5 m across, from −0.5 to 2.5 m. Behind it at 20 m small cards.
struct Field {
  test::Cast cast{scaled({0.0f, -0.5f, 5.0f}, 1.5f)};
  std::uint64_t surely_hidden = 0;
  std::uint64_t surely_seen = 1;  // the large one
};

Field make_field() {
  Field field;
  for (int row = 0; row < 11; ++row)
    for (int column = -12; column <= 12; ++column) {
      const glm::vec3 place(0.9f * static_cast<float>(column), 1.0f + 0.9f * static_cast<float>(row - 5), -10.0f);
      field.cast.add(scaled(place, 0.2f));
      // The large card's shadow from the eye, four times as far away: ±6 m across and from −5 to 7 m. A small one is
      // about 1.3 pixels; a texel of the first level is 2 pixels, 0.6 m there.
      const glm::vec2 past(std::abs(place.x) - 6.0f, std::abs(place.y + 0.2f - 1.0f) - 6.0f);
      const float most = std::max(past.x, past.y);
      field.surely_hidden += most < -1.3f ? 1 : 0;
      field.surely_seen += most > 0.2f ? 1 : 0;
    }
  return field;
}

class Occlusion : public test::OnDevice {};
class OcclusionOf : public Occlusion, public ::testing::WithParamInterface<DepthKind> {};

TEST_P(OcclusionOf, HidesFromTheSecondImageOnWhoStandsBehindSomething) {
  HidingRenderer own(context(), card(), GetParam());
  const Field field = make_field();
  ASSERT_GT(field.surely_hidden, 60u);
  ASSERT_GT(field.surely_seen, 60u);
  ASSERT_TRUE(own.crowd.set_instances(ModelId(0), field.cast.instances, field.cast.plays));
  const CrowdCounts first = own.draw(kCamera);
  EXPECT_EQ(first.hidden, 0u);
  EXPECT_EQ(first.in_picture, field.cast.size());
  const CrowdCounts second = own.draw(kCamera);
  EXPECT_GE(second.hidden, field.surely_hidden);
  EXPECT_GE(second.in_picture, field.surely_seen);
  EXPECT_EQ(second.in_picture + second.hidden, field.cast.size());
  EXPECT_EQ(second.drawn, second.in_picture) << "without shadows, the hidden are not animated";
  EXPECT_EQ(own.draw(kCamera).hidden, second.hidden) << "it stays so";

  test::Cast without = field.cast;
  without.instances[0].position.y += 1000.0f;
  ASSERT_TRUE(own.crowd.set_instances(ModelId(0), without.instances, without.plays));
  EXPECT_EQ(own.draw(kCamera).hidden, second.hidden) << "what hid them is gone, but was there in the last image";
  EXPECT_EQ(own.draw(kCamera).hidden, 0u) << "one image late they are back";
  EXPECT_EQ(own.crowd.far_counts().in_picture, field.cast.size() - 1);
}

// Its box ends before it does: nothing shows past it, and only depth keeps it from hiding itself.
TEST_P(OcclusionOf, NobodyAloneIsEverHidden) {
  CharacterDraft draft = card().draft();
  draft.clips[0].bounds = {{-0.7, 0.3, 0.0}, {0.7, 1.7, 0.0}};
  const Character model = test::built(std::move(draft));
  HidingRenderer own(context(), model, GetParam());
  for (const float from_origin : {0.0f, 2500.0f})
    for (const float distance : {0.7f, 2.0f, 6.0f, 17.0f, 60.0f, 300.0f})
      for (const double yaw : {0.0, 3.0, 35.0, 80.0, 180.0}) {
        const glm::vec3 place(from_origin, 0.0f, 0.7f * from_origin);
        const test::TestCharacter alone = test::standing(0, place);
        ASSERT_TRUE(own.crowd.set_instances(ModelId(0), std::array{alone.instance}, std::array{alone.play}));
        const double turn = glm::radians(yaw);
        const glm::dvec3 middle = glm::dvec3(place) + glm::dvec3(0.0, 1.0, 0.0);
        const glm::dvec3 away(std::sin(turn), yaw > 30.0 ? 0.4 : 0.0, std::cos(turn));
        const Camera camera{middle + static_cast<double>(distance) * away, middle, 40.0};
        own.pyramid.forget();
        for (int i = 0; i < 2; ++i) {
          const CrowdCounts counts = own.draw(camera);
          EXPECT_EQ(counts.in_picture, 1u) << distance << " m, " << yaw << "°, at " << from_origin;
          EXPECT_EQ(counts.hidden, 0u) << distance << " m, " << yaw << "°, at " << from_origin;
        }
      }
}

// A wall before the eye says nothing about what is beside and behind.
TEST_P(OcclusionOf, NobodyIsHiddenWhereTheLastImageDidNotLook) {
  HidingRenderer own(context(), card(), GetParam());
  test::Cast cast{scaled({0.0f, -20.0f, 5.0f}, 20.0f)};
  for (int i = 0; i < 36; ++i) {
    const float turn = glm::radians(10.0f * static_cast<float>(i));
    cast.add(scaled({30.0f * std::sin(turn), 0.5f, 10.0f - 30.0f * std::cos(turn)}, 0.5f));
  }
  ASSERT_TRUE(own.crowd.set_instances(ModelId(0), cast.instances, cast.plays));
  own.draw(kCamera);
  EXPECT_GE(own.draw(kCamera).hidden, 5u) << "the wall hides those before the eye";
  for (const glm::dvec3 side : {glm::dvec3(1, 0, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1)}) {
    own.draw(kCamera);
    const CrowdCounts turned = own.draw({kCamera.eye, kCamera.eye + side, 40.0});
    EXPECT_EQ(turned.hidden, 0u);
    EXPECT_GE(turned.in_picture, 4u);
  }
  own.draw(kCamera);
  own.culling = false;
  EXPECT_EQ(own.draw(kCamera).in_picture, cast.size()) << "without culling all are drawn";
}

INSTANTIATE_TEST_SUITE_P(
    Depth, OcclusionOf,
    ::testing::Values(DepthKind{}, DepthKind{VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_4_BIT, VK_COMPARE_OP_GREATER},
                      DepthKind{VK_FORMAT_D16_UNORM, VK_SAMPLE_COUNT_1_BIT, VK_COMPARE_OP_LESS},
                      DepthKind{VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, VK_COMPARE_OP_LESS}),
    [](const auto& one) {
      return std::string(one.param.format == VK_FORMAT_D16_UNORM ? "D16" : "D32") +
             (one.param.samples == VK_SAMPLE_COUNT_1_BIT ? "" : "Multisampled") +
             (one.param.compare == VK_COMPARE_OP_LESS ? "Less" : "Greater");
    });

class OcclusionScene : public Occlusion {
 protected:
  SceneRenderer make(const test::Cast& cast, std::uint32_t samples) {
    SceneSettings settings{.width = 47, .height = 27, .samples = samples};
    settings.shadow_size = 64;
    settings.cascades = 1;
    settings.contact_size = 0;
    settings.occlusion = true;
    auto scene = SceneRenderer::create(context(), settings);
    EXPECT_TRUE(scene) << scene.error().message;
    EXPECT_TRUE(scene->add(card()));
    EXPECT_TRUE(scene->set_instances(ModelId(0), cast.instances, cast.plays));
    return std::move(*scene);
  }
};

// A cloud of cards in all directions, half of it under the ground, some fading, seen from outside and from within.
TEST_F(OcclusionScene, StillCrowdsLookTheSameWithFewerDrawn) {
  test::Cast cast = test::random_cast(card(), 160, 5, true);
  for (InstanceRecord& instance : cast.instances) instance.position *= glm::vec3(0.2f, 0.1f, 0.2f);
  const std::array cameras{Camera{{7.0, 2.6, 14.0}, {0.0, 1.2, 0.0}, 50.0},
                           Camera{{0.0, 30.0, 20.0}, {0.0, 0.0, 0.0}, 40.0}};
  for (const std::uint32_t samples : test::a_part_if_instrumented(std::array{1u, 4u})) {
    SceneRenderer scene = make(cast, samples);
    const SceneSettings& settings = scene.settings();
    for (const Camera& camera : cameras) {
      scene.set_detail(false, settings.pixel_error, settings.speck_pixels, 0);
      const Image expected = scene.render(camera, 777).value();
      EXPECT_EQ(scene.report().far.in_picture, cast.size()) << "without culling nobody is hidden";
      scene.set_detail(true, settings.pixel_error, settings.speck_pixels, 0);
      for (int i = 0; i < 2; ++i) {
        const Image seen = scene.render(camera, 777).value();
        const CrowdCounts counts = scene.report().far;
        EXPECT_EQ(seen.rgba, expected.rgba) << "from " << camera.eye.x << ", image " << i;
        EXPECT_GT(counts.hidden, 5u) << "for this to mean something";
        EXPECT_GE(counts.drawn, counts.in_picture + counts.hidden) << "the hidden throw their shadows";
      }
    }
  }
}

TEST_F(Occlusion, RefusesInWords) {
  const auto refusal = [&](const DepthPyramidSettings& settings) {
    const auto made = DepthPyramid::create(context(), settings);
    return made ? std::string("made") : made.error().message;
  };
  EXPECT_TRUE(refusal({.width = 0, .height = 9}).starts_with("depth pyramid: depth of 0 × 9; sizes go from 1 to "));
  EXPECT_TRUE(refusal({.width = 1u << 30, .height = 9}).starts_with("depth pyramid: depth of 1073741824 × 9; sizes"));
  EXPECT_EQ(refusal({.width = 8, .height = 9, .depth = VK_FORMAT_R8_UNORM}),
            "depth pyramid: format 9 is no depth; give the format of the depth attachment");
  EXPECT_TRUE(refusal({.width = 8, .height = 9, .samples = VK_SAMPLE_COUNT_64_BIT}).ends_with("; draw with fewer"));
  EXPECT_EQ(refusal({.width = 1, .height = 1}), "made");

  HidingRenderer own(context(), card(), {});
  const test::TestCharacter alone = test::standing(0);
  ASSERT_TRUE(own.crowd.set_instances(ModelId(0), std::array{alone.instance}, std::array{alone.play}));
  EXPECT_EQ(own.pyramid.occluders().pyramid, VkImageView{VK_NULL_HANDLE});
  own.draw(kCamera);
  const auto prepared = [&](auto change) {
    RendererImage image = own.image_of(kCamera);
    image.occluders = own.pyramid.occluders();
    change(image.occluders);
    const auto done = own.crowd.record_prepare(VK_NULL_HANDLE, image);
    return done ? std::string("prepared") : done.error().message;
  };
  EXPECT_EQ(prepared([](Occluders& by) { by.width = 0; }),
            "image: occluders of 0 × 77 pixels; take what DepthPyramid::occluders gives");
  EXPECT_EQ(prepared([](Occluders& by) { by.levels = 3; }),
            "image: occluders of 3 levels for 131 pixels; a pyramid goes down to one texel");
  EXPECT_EQ(prepared([](Occluders& by) { by.clip_from_world[1].y = NAN; }),
            "image: the occluders' clip_from_world holds a number that is not finite; check the last camera");
  EXPECT_EQ(prepared([](Occluders& by) { by.depth_step = -1.0f; }),
            "image: the occluders' depth is rounded by -1; it is a finite number");
}

}  // namespace
}  // namespace throng
