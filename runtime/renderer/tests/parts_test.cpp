// SPDX-License-Identifier: Apache-2.0
// Characters that wear some of their parts look, in every pass, as if the others had never been there.
#include <gtest/gtest.h>

#include "own_renderer.h"
#include "small_scene.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/playback/crowd.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

constexpr Camera kFront{{0.0, 1.5, 9.0}, {0.0, 1.0, 0.0}, 40.0};
constexpr float kAside = 2.0f;  // where the middles of the cards are

struct Arrays {
  CharacterDraft card = test::card_draft({});
  std::vector<BakedVertex> vertices;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint8_t> parts;
};

// With all of the arrays in one draw, and bounds that have room for both sides.
Character drawn_at_once(CharacterDraft model, const std::shared_ptr<Arrays>& arrays) {
  model.storage = SharedBytes(std::shared_ptr<const Arrays>(arrays), {});
  model.vertices = arrays->vertices;
  model.indices = arrays->indices;
  model.vertex_parts = arrays->parts;
  model.draws = {{0, 0, static_cast<std::uint32_t>(arrays->indices.size())}};
  model.sources = {{.vertex_count = static_cast<std::uint32_t>(arrays->vertices.size())}};
  model.bounds = {{-3.0, 0.0, -0.01}, {3.0, 3.0, 0.01}};
  for (BakedClip& clip : model.clips) clip.bounds = model.bounds;
  return test::built(std::move(model));
}

// Cards beside each other, a part each; `sides`: −1 left, 1 right. All have the bounds of both.
Character cards(std::span<const int> sides) {
  const auto arrays = std::make_shared<Arrays>();
  CharacterDraft model = arrays->card;
  for (const int side : sides) {
    const auto first = static_cast<std::uint32_t>(arrays->vertices.size());
    for (BakedVertex vertex : arrays->card.vertices) {
      vertex.position.x += kAside * static_cast<float>(side);
      arrays->vertices.push_back(vertex);
      arrays->parts.push_back(static_cast<std::uint8_t>(model.parts.size()));
    }
    for (const std::uint32_t index : arrays->card.indices) arrays->indices.push_back(first + index);
    const double x = static_cast<double>(kAside) * side;
    model.parts.push_back({side < 0 ? "left" : "right", {{x - 1.0, 0.0, -0.01}, {x + 1.0, 3.0, 0.01}}});
  }
  return drawn_at_once(std::move(model), arrays);
}

const Character& both() {
  static const Character made = cards(std::array{-1, 1});
  return made;
}

PartMask only(std::string_view name) {
  PartMask mask;
  for (std::uint32_t i = 0; i < both().parts().size(); ++i)
    if (both().parts()[i].name != name) mask.take_off(PartId(i));
  return mask;
}

constexpr std::uint32_t kFirstOf40 = 5;
constexpr std::uint32_t kSecondOf40 = 37;  // 5 in the other word of a mask

// Forty parts of a triangle each, of which only two are to be seen: one left, one right. Three vertices a part, so that
// words of four vertices hold several.
Character forty_triangles() {
  const auto arrays = std::make_shared<Arrays>();
  CharacterDraft model = arrays->card;
  for (std::uint32_t part = 0; part < 40; ++part) {
    const double x = part == kFirstOf40 ? -2.0 : 2.0;
    const bool seen = part == kFirstOf40 || part == kSecondOf40;
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      BakedVertex vertex = arrays->card.vertices[seen ? corner : 0];
      vertex.position.x += static_cast<float>(x);
      arrays->indices.push_back(static_cast<std::uint32_t>(arrays->vertices.size()));
      arrays->vertices.push_back(vertex);
      arrays->parts.push_back(static_cast<std::uint8_t>(part));
    }
    model.parts.push_back({fmt::format("{}", part), {{x - 1.0, 0.0, -0.01}, {x + 1.0, 3.0, 0.01}}});
  }
  return drawn_at_once(std::move(model), arrays);
}

class WornParts : public test::OnDevice {
 protected:
  Image picture(const Crowd& crowd, const SceneSettings& settings) {
    auto scene = SceneRenderer::create(context(), settings).value();
    EXPECT_TRUE(scene.add(crowd.character(ModelId())));
    EXPECT_TRUE(scene.set_instances(ModelId(), crowd.instances(ModelId()), crowd.plays(ModelId())));
    return scene.render(kFront, 0).value();
  }
};

TEST_F(WornParts, AreDrawnAndThrowShadowsAsIfTheOthersWereNotThere) {
  for (const Skinning skinning : {Skinning::compute, Skinning::vertex}) {
    SceneSettings settings = test::small_scene();
    settings.skinning = skinning;
    for (const int side : {-1, 1}) {
      Crowd dressed(both());
      ASSERT_TRUE(dressed.add({.look = {.parts = only(side < 0 ? "left" : "right")}}, 0));
      Crowd bare(cards(std::array{side}));
      ASSERT_TRUE(bare.add({}, 0));
      Crowd full(both());
      ASSERT_TRUE(full.add({}, 0));
      const Image seen = picture(dressed, settings);
      EXPECT_EQ(seen.rgba, picture(bare, settings).rgba) << side;
      EXPECT_NE(seen.rgba, picture(full, settings).rgba) << side;
    }
  }
}

// One above the other, one wears the left of the forty, one the right: each its own, and no neighbour's.
TEST_F(WornParts, AreEachCharactersOwnWhateverTheirNumbers) {
  const Character model = forty_triangles();
  for (const Skinning skinning : {Skinning::compute, Skinning::vertex}) {
    RendererSettings settings{.targets = test::OwnRenderer::targets()};
    settings.skinning = skinning;
    auto renderer = CharacterRenderer::create(context(), settings).value();
    ASSERT_TRUE(renderer.add(model));
    test::OwnRenderer own(context());
    own.camera = {{0.0, 0.0, 12.0}, {0.0, 0.0, 0.0}, 40.0};
    Crowd crowd(model);
    const auto all_but = [](std::uint32_t part) { return PartMask(std::uint64_t{1} << part); };
    const auto alone = [](std::uint32_t part) { return PartMask(~(std::uint64_t{1} << part)); };
    const InstanceId upper =
        crowd.add({.placement = {.position = {0.0f, 1.0f, 0.0f}}, .look = {.parts = alone(kFirstOf40)}}, 0).value();
    const InstanceId lower =
        crowd.add({.placement = {.position = {0.0f, -3.0f, 0.0f}}, .look = {.parts = alone(kSecondOf40)}}, 0).value();
    // Whether anything is in the upper left, upper right, lower left and lower right quarter.
    const auto quarters = [&] {
      EXPECT_TRUE(renderer.update(crowd));
      const std::vector<float> red = own.draw(renderer, 0);
      std::array<bool, 4> seen{};
      for (std::size_t i = 0; i < red.size(); ++i)
        if (red[i] > 0.0f) seen[i / test::kSize * 2 / test::kSize * 2 + i % test::kSize * 2 / test::kSize] = true;
      return seen;
    };
    EXPECT_EQ(quarters(), (std::array{true, false, false, true}));
    ASSERT_TRUE(crowd.wear(upper, all_but(kFirstOf40)));
    ASSERT_TRUE(crowd.wear(lower, all_but(kSecondOf40)));
    EXPECT_EQ(quarters(), (std::array{false, true, true, false}));
  }
}

TEST_F(WornParts, AreAllThatMovesAndAllThatIsSeen) {
  auto renderer = CharacterRenderer::create(context(), {.targets = test::OwnRenderer::targets(true)}).value();
  ASSERT_TRUE(renderer.add(both()));
  test::OwnRenderer own(context(), true);
  Crowd crowd(both());
  const InstanceId id = crowd.add({}, 0).value();
  const auto moving = [&] {
    std::array<int, 2> pixels{};
    for (const float x : {0.0f, 0.2f}) {
      EXPECT_TRUE(crowd.place(id, {.position = {x, 0.0f, 0.0f}}));
      EXPECT_TRUE(renderer.update(crowd));
      own.draw(renderer, 0);
    }
    for (std::size_t i = 0; i < own.motion().size(); ++i)
      if (own.motion()[i].x != 0.0f) ++pixels[i % test::kSize * 2 / test::kSize];
    return pixels;
  };
  EXPECT_GT(moving()[0], 20);
  EXPECT_GT(moving()[1], 20);
  ASSERT_TRUE(crowd.wear(id, only("left")));
  EXPECT_GT(moving()[0], 20);
  EXPECT_EQ(moving()[1], 0);
  EXPECT_EQ(crowd.worn(id).value(), only("left"));
}

// Its left card is in the picture, its right one past the picture's edge.
TEST_F(WornParts, DecideWhoIsInThePicture) {
  auto renderer = CharacterRenderer::create(context(), {.targets = test::OwnRenderer::targets()}).value();
  ASSERT_TRUE(renderer.add(both()));
  test::OwnRenderer own(context());
  Crowd crowd(both());
  const InstanceId id = crowd.add({.placement = {.position = {5.0f, 0.0f, 0.0f}}}, 0).value();
  const auto seen = [&] {
    EXPECT_TRUE(renderer.update(crowd));
    own.draw(renderer, 0);
    return renderer.far_counts().in_picture;
  };
  EXPECT_EQ(seen(), 1u);
  ASSERT_TRUE(crowd.wear(id, only("right")));
  EXPECT_EQ(seen(), 0u);
  ASSERT_TRUE(crowd.wear(id, only("left")));
  EXPECT_EQ(seen(), 1u);
  ASSERT_TRUE(
      crowd.add({.placement = {.position = {5.0f, 0.0f, 0.0f}}, .look = {.parts = only("right")}}, 0).has_value());
  EXPECT_EQ(seen(), 1u) << "each by what it wears itself";
}

TEST_F(WornParts, MakeSpecksNarrower) {
  SceneSettings settings = test::small_scene();
  settings.speck_pixels = 1000.0f;
  Crowd full(both());
  ASSERT_TRUE(full.add({}, 0));
  Crowd none(both());
  Crowd dressed(both());
  ASSERT_TRUE(dressed.add({.placement = {.position = {0.0f, 0.0f, 99.0f}}}, 0).has_value()) << "behind the eye";
  const InstanceId id = dressed.add({.look = {.parts = only("left")}}, 0).value();
  const Image nobody = picture(none, settings);
  const auto right_half = [&](const Image& image) {
    int different = 0;
    for (std::size_t i = 0; i < image.rgba.size(); ++i)
      if (i / 4 % image.width > image.width * 5 / 8 && image.rgba[i] != nobody.rgba[i]) ++different;
    return different;
  };
  EXPECT_GT(right_half(picture(full, settings)), 0);
  EXPECT_LT(right_half(picture(dressed, settings)), right_half(picture(full, settings)));
  ASSERT_TRUE(dressed.wear(id, PartMask(~std::uint64_t{0})));
  EXPECT_EQ(picture(dressed, settings).rgba, nobody.rgba) << "who wears nothing is no speck either";
}

// A red card on the left, and a blue one in the middle or, otherwise, nothing but its part.
Character coloured_cards(bool with_blue) {
  const auto arrays = std::make_shared<Arrays>();
  CharacterDraft model = arrays->card;
  for (const bool blue : {false, true}) {
    const auto first = static_cast<std::uint32_t>(arrays->vertices.size());
    for (BakedVertex vertex : arrays->card.vertices) {
      vertex.colour = {static_cast<std::uint8_t>(blue ? 0 : 255), 0, static_cast<std::uint8_t>(blue ? 255 : 0), 255};
      vertex.position.x -= blue ? 0.0f : kAside;
      if (blue && !with_blue) vertex.position = glm::vec3(0.0f);
      arrays->vertices.push_back(vertex);
      arrays->parts.push_back(blue ? 1 : 0);
    }
    for (const std::uint32_t index : arrays->card.indices) arrays->indices.push_back(first + index);
    const double x = blue ? 0.0 : -static_cast<double>(kAside);
    model.parts.push_back({blue ? "blue" : "red", {{x - 1.0, 0.0, -0.01}, {x + 1.0, 3.0, 0.01}}});
  }
  return drawn_at_once(std::move(model), arrays);
}

TEST_F(WornParts, GiveSpecksTheirColoursAndWidth) {
  SceneSettings settings = test::small_scene();
  settings.speck_pixels = 1000.0f;
  const auto shown = [&](bool with_blue, PartMask worn) {
    Crowd crowd(coloured_cards(with_blue));
    EXPECT_TRUE(crowd.add({.look = {.parts = worn}}, 0));
    return picture(crowd, settings);
  };
  const PartMask red(2);  // all but the second
  const Image seen = shown(true, red), alone = shown(false, red), all = shown(true, {});
  const auto apart = [](const Image& a, const Image& b) {
    int most = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) most = std::max(most, std::abs(int{a.rgba[i]} - int{b.rgba[i]}));
    return most;
  };
  EXPECT_LE(apart(seen, alone), 1) << "as if there were no blue card";
  EXPECT_GT(apart(seen, all), 30);
}

}  // namespace
}  // namespace throng
