// SPDX-License-Identifier: Apache-2.0
#include "throng/scene/scene_renderer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "test_device.h"
#include "test_models.h"
#include "throng/playback/pack_rotation.h"

namespace throng {
namespace {

constexpr std::uint32_t kWidth = 160;
constexpr std::uint32_t kHeight = 120;
constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

SceneSettings lit_scene() {
  SceneSettings settings{.width = kWidth, .height = kHeight};
  settings.shadow_size = 512;
  settings.contact_size = 256;
  settings.look.sun_direction = {-0.4f, 0.8f, 0.6f};
  return settings;
}

class Scene : public test::OnDevice {
 protected:
  SceneRenderer make(const SceneSettings& settings = lit_scene()) {
    auto scene = SceneRenderer::create(context(), settings);
    EXPECT_TRUE(scene) << scene.error().message;
    return std::move(*scene);
  }
  static Result<ModelId> add(SceneRenderer& scene, const Character& model, const test::Cast& cast) {
    auto added = scene.add(model);
    if (!added) return added;
    if (auto done = scene.set_instances(*added, cast.instances, cast.plays); !done) return fail(std::move(done));
    return added;
  }
  SceneRenderer with_card(const Material& material, std::uint32_t clip = 0) {
    SceneRenderer scene = make();
    const auto added = add(scene, test::card_model(material), {test::standing(clip)});
    EXPECT_TRUE(added) << added.error().message;
    return scene;
  }
};

struct Pixel {
  int r, g, b;
};

// Of the place (x, y), each from 0 to 1.
Pixel at(const Image& image, double x, double y) {
  const auto column = static_cast<std::size_t>(x * image.width);
  const auto row = static_cast<std::size_t>(y * image.height);
  const std::uint8_t* rgba = &image.rgba[(row * image.width + column) * 4];
  return {rgba[0], rgba[1], rgba[2]};
}

int brightness(const Pixel& pixel) { return pixel.r + pixel.g + pixel.b; }

std::size_t different_pixels(const Image& a, const Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4)
    if (!std::equal(&a.rgba[i], &a.rgba[i] + 4, &b.rgba[i])) ++count;
  return count;
}

Material coloured(const glm::vec4& colour) {
  Material material;
  material.base_colour = colour;
  return material;
}

TEST_F(Scene, DrawsTheSameBytesTwiceAndOnAnotherRenderer) {
  SceneRenderer scene = with_card(coloured({0.8, 0.2, 0.1, 1}));
  const Image first = scene.render(kFront, 0).value();
  const Image second = scene.render(kFront, 0).value();
  EXPECT_EQ(first.rgba, second.rgba);
  SceneRenderer other = with_card(coloured({0.8, 0.2, 0.1, 1}));
  EXPECT_EQ(first.rgba, other.render(kFront, 0).value().rgba);
  EXPECT_EQ(first.width, kWidth);
  EXPECT_EQ(first.rgba.size(), std::size_t{kWidth} * kHeight * 4);
  for (std::size_t i = 3; i < first.rgba.size(); i += 4) ASSERT_EQ(first.rgba[i], 255);
}

TEST_F(Scene, IsTransparentWhereNobodyIsAndByHowMuchOfAPixelIsCovered) {
  SceneSettings settings = lit_scene();
  settings.transparent = true;
  SceneRenderer scene = make(settings);
  // Half of it in alpha, which an opaque material does not mind.
  ASSERT_TRUE(add(scene, test::card_model(coloured({0.8, 0.05, 0.05, 0.5})), {test::standing(0)}));
  const Image image = scene.render(kFront, 0).value();
  std::size_t clear = 0, whole = 0, partly = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    const std::uint8_t alpha = image.rgba[i + 3];
    ++(alpha == 0 ? clear : alpha == 255 ? whole : partly);
    if (alpha == 0) continue;
    EXPECT_GT(image.rgba[i], 2 * image.rgba[i + 1]) << "neither ground nor sky shows through";
    // At an edge the colour is the card's own, not one mixed with black.
    EXPECT_NEAR(image.rgba[i], at(image, 0.5, 0.5).r, 40) << "alpha " << int{alpha};
  }
  EXPECT_GT(clear, whole);
  EXPECT_GT(whole, 100u);
  EXPECT_GT(partly, 10u) << "multisampled edges";
}

TEST_F(Scene, ShowsTheMaterialsColourWhereTheModelIs) {
  const Image image = with_card(coloured({0.8, 0.05, 0.05, 1})).render(kFront, 0).value();
  const Pixel middle = at(image, 0.5, 0.5);
  EXPECT_GT(middle.r, 2 * middle.g);
  const Pixel corner = at(image, 0.05, 0.05);
  EXPECT_LT(std::abs(corner.r - corner.g), 40) << "the sky is not red";
}

TEST_F(Scene, TintsEachInstance) {
  SceneRenderer scene = make();
  test::TestCharacter left = test::standing(0, {-1.6f, 0.0f, 0.0f});
  test::TestCharacter right = test::standing(0, {1.6f, 0.0f, 0.0f});
  left.instance.tint = 0xFF2020FFu;   // red lowest
  right.instance.tint = 0xFFFF2020u;  // blue
  ASSERT_TRUE(add(scene, test::card_model({}), {left, right}));
  const Image image = scene.render(kFront, 0).value();
  EXPECT_GT(at(image, 0.3, 0.5).r, 2 * at(image, 0.3, 0.5).b);
  EXPECT_GT(at(image, 0.7, 0.5).b, 2 * at(image, 0.7, 0.5).r);
}

TEST_F(Scene, MovesWithTimeAloneAndSoDoesItsShadow) {
  SceneSettings settings = lit_scene();
  settings.look.sun_direction = {-0.7f, 0.45f, 0.45f};  // long shadows to the right
  SceneRenderer scene = make(settings);
  test::TestCharacter rising = test::standing(1);
  rising.play.track.rate = {0, 1u << 24};  // 256 ticks for the whole clip
  ASSERT_TRUE(add(scene, test::card_model(coloured({0.2, 0.2, 0.8, 1})), {rising}));
  const Camera high{{0.0, 6.0, 7.0}, {0.0, 0.5, 0.0}, 40.0};
  const Image before = scene.render(high, 0).value();
  const Image after = scene.render(high, 255).value();
  EXPECT_GT(different_pixels(before, after), 500u);
  // Far to the right nothing of the card itself is drawn: only its shadow can change the ground there.
  std::size_t changed = 0;
  for (double x = 0.75; x < 0.99; x += 0.01)
    for (double y = 0.2; y < 0.9; y += 0.01)
      if (std::abs(brightness(at(before, x, y)) - brightness(at(after, x, y))) > 60) ++changed;
  EXPECT_GT(changed, 50u);
}

// A dark card that leans back, so that it mirrors the sun.
Image leaning_card(SceneSettings settings, Shading shading, const VulkanContext& context) {
  settings.shading = shading;
  SceneRenderer scene = SceneRenderer::create(context, settings).value();
  test::TestCharacter card = test::standing(0, {0.0f, 0.2f, 0.0f});
  card.instance.rotation = pack_rotation({std::cos(-0.3), std::sin(-0.3), 0.0, 0.0});
  EXPECT_TRUE(scene.add(test::card_model(coloured({0.05, 0.05, 0.05, 1}))));
  EXPECT_TRUE(scene.set_instances(ModelId(0), std::span(&card.instance, 1), std::span(&card.play, 1)));
  return scene.render(kFront, 0).value();
}

TEST_F(Scene, ShadesPlainlyWithoutHighlightsAndWithTheSameSilhouette) {
  SceneSettings settings = lit_scene();
  settings.transparent = true;
  settings.look.sun_direction = {0.0f, 0.9f, 1.0f};
  const Image full = leaning_card(settings, Shading::full, context());
  const Image plain = leaning_card(settings, Shading::plain, context());
  std::size_t covered = 0;
  for (std::size_t i = 3; i < full.rgba.size(); i += 4) {
    ASSERT_EQ(full.rgba[i], plain.rgba[i]) << "the silhouette";
    covered += full.rgba[i] > 0 ? 1 : 0;
  }
  EXPECT_GT(covered, 500u);
  EXPECT_GT(brightness(at(full, 0.5, 0.5)), brightness(at(plain, 0.5, 0.5)) + 20) << "the highlight";
  EXPECT_GT(brightness(at(plain, 0.5, 0.5)), 60) << "lit all the same";
}

TEST_F(Scene, PlainShadingLeavesShadowsOnTheGround) {
  SceneSettings settings = lit_scene();
  settings.look.sun_softness = 0.3f;  // so soft that little of it is dark
  settings.look.paving = 0.0f;
  const Image full = leaning_card(settings, Shading::full, context());
  const Image plain = leaning_card(settings, Shading::plain, context());
  EXPECT_NEAR(brightness(at(full, 0.1, 0.9)), brightness(at(plain, 0.1, 0.9)), 12) << "the ground in the sun";
  int darkest_full = 3 * 255, darkest_plain = 3 * 255;
  for (double x = 0.0; x < 1.0; x += 0.01)
    for (double y = 0.62; y < 0.9; y += 0.01) {
      darkest_full = std::min(darkest_full, brightness(at(full, x, y)));
      darkest_plain = std::min(darkest_plain, brightness(at(plain, x, y)));
    }
  EXPECT_LT(darkest_plain, brightness(at(plain, 0.1, 0.9)) - 120);
  EXPECT_LT(darkest_plain, darkest_full - 20) << "firm edges";
}

TEST_F(Scene, CharactersStandInEachOthersShadowOnAGpuAndOnASoftwareDriver) {
  SceneSettings settings = lit_scene();
  settings.look.sun_direction = {0.0f, 0.4f, 1.0f};  // from behind the camera
  const auto draw = [&](DrawnOn drawn_on, bool shaded) {
    settings.drawn_on = drawn_on;
    SceneRenderer scene = make(settings);
    test::Cast cast{test::standing(0)};
    if (shaded) cast.add(test::standing(0, {0.0f, 1.5f, 4.0f}));  // above what the camera sees of the other
    EXPECT_TRUE(add(scene, test::card_model({}), cast));
    return scene.render({{0.0, 0.6, 8.0}, {0.0, 0.6, 0.0}, 25.0}, 0).value();
  };
  const Image on_gpu = draw(DrawnOn::gpu, true);
  EXPECT_EQ(on_gpu.rgba, draw(DrawnOn::software, true).rgba);
  EXPECT_GT(brightness(at(draw(DrawnOn::software, false), 0.5, 0.5)), brightness(at(on_gpu, 0.5, 0.5)) + 100);
}

// How much darker the darkest-made place of the ground is in `darkened`.
int most_darkened(const Image& plain, const Image& darkened) {
  int most = 0;
  for (double x = 0.0; x < 1.0; x += 0.01)
    for (double y = 0.62; y < 0.9; y += 0.01)
      most = std::max(most, brightness(at(plain, x, y)) - brightness(at(darkened, x, y)));
  return most;
}

TEST_F(Scene, ThrowsAShadowOnTheGround) {
  const Image empty = make().render(kFront, 0).value();
  EXPECT_GT(most_darkened(empty, with_card({}).render(kFront, 0).value()), 120);
}

// Pixels that are brighter than all eight around them, or darker, by more than `much`: no edge makes one, noise many.
std::size_t specks(const Image& image, int much) {
  const auto bright = [&image](std::size_t x, std::size_t y) {
    const std::uint8_t* rgba = &image.rgba[(y * image.width + x) * 4];
    return rgba[0] + rgba[1] + rgba[2];
  };
  std::size_t count = 0;
  for (std::size_t y = 1; y + 1 < image.height; ++y)
    for (std::size_t x = 1; x + 1 < image.width; ++x) {
      int least = 3 * 255, most = 0;
      for (std::size_t i = 0; i < 9; ++i) {
        if (i == 4) continue;
        least = std::min(least, bright(x + i % 3 - 1, y + i / 3 - 1));
        most = std::max(most, bright(x + i % 3 - 1, y + i / 3 - 1));
      }
      if (bright(x, y) > most + much || bright(x, y) < least - much) ++count;
    }
  return count;
}

TEST_F(Scene, SoftensShadowsWithoutStipple) {
  SceneSettings settings = lit_scene();
  settings.samples = 1;
  settings.shadow_size = 2048;
  settings.look.sun_direction = {-0.2f, 0.5f, 0.8f};
  settings.look.sun_softness = 0.08f;
  settings.look.paving = 0.0f;
  SceneRenderer scene = make(settings);
  const std::array<test::TestCharacter, 2> cards{test::standing(0, {-2.0f, 1.6f, 1.0f}), test::standing(0)};
  ASSERT_TRUE(add(scene, test::card_model({}), {cards[0], cards[1]}));
  // Nothing but the ground and the shadows on it, one wide and one firm, and the dimness where the second card stands.
  const Camera down{{-0.3, 7.5, -2.6}, {-0.3, 0.0, -3.6}, 50.0};
  const Image image = scene.render(down, 0).value();
  int darkest = 3 * 255, brightest = 0;
  for (double x = 0.05; x < 1.0; x += 0.05)
    for (double y = 0.05; y < 1.0; y += 0.05) {
      darkest = std::min(darkest, brightness(at(image, x, y)));
      brightest = std::max(brightest, brightness(at(image, x, y)));
    }
  EXPECT_GT(brightest - darkest, 150) << "there is a shadow to look at";
  EXPECT_EQ(specks(image, 5), 0u);
}

TEST_F(Scene, DarkensTheGroundAroundWhatTouchesIt) {
  test::TestCharacter lying = test::standing(0, {0.0f, 0.1f, 1.0f});
  lying.instance.rotation = pack_rotation({std::sqrt(0.5), -std::sqrt(0.5), 0.0, 0.0});  // on its back
  SceneSettings settings = lit_scene();
  settings.look.sun_colour = glm::vec3(0.0f);  // no shadow but that of the sky
  SceneRenderer dim = make(settings);
  ASSERT_TRUE(add(dim, test::card_model({}), {lying}));
  settings.contact_size = 0;
  SceneRenderer plain = make(settings);
  ASSERT_TRUE(add(plain, test::card_model({}), {lying}));
  EXPECT_GT(most_darkened(plain.render(kFront, 0).value(), dim.render(kFront, 0).value()), 15);
  EXPECT_EQ(most_darkened(dim.render(kFront, 0).value(), plain.render(kFront, 0).value()), 0) << "nothing is brighter";
}

TEST_F(Scene, SamplesTexturesAndCutsTheirHoles) {
  Material material;
  material.base_image = 0;
  material.nearest_filter = true;
  material.alpha_mode = AlphaMode::mask;
  CharacterDraft draft = test::card_draft(material);
  draft.images.push_back(test::png({{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {0, 0, 0, 0}}}));
  const Character model = test::built(std::move(draft));
  SceneRenderer scene = make();
  const auto added = add(scene, model, {test::standing(0)});
  ASSERT_TRUE(added) << added.error().message;
  const Camera straight{{0.0, 1.0, 8.0}, {0.0, 1.0, 0.0}, 40.0};
  const Image image = scene.render(straight, 0).value();
  const Image empty = make().render(straight, 0).value();
  EXPECT_GT(at(image, 0.42, 0.4).r, 100 + at(image, 0.42, 0.4).g) << "first pixel: top left";
  EXPECT_GT(at(image, 0.58, 0.4).g, 100 + at(image, 0.58, 0.4).r);
  EXPECT_GT(at(image, 0.42, 0.6).b, 60 + at(image, 0.42, 0.6).r);
  EXPECT_NEAR(at(image, 0.58, 0.52).b, at(empty, 0.58, 0.52).b, 60) << "through the hole: what is behind";
  EXPECT_GT(at(image, 0.58, 0.52).r, 60);
}

// Mesa's software driver would look at every texel of such a footprint, one picture an hour.
TEST_F(Scene, DrawsTexturesThatRepeatBeyondAllMeasure) {
  constexpr std::array<std::uint8_t, 4> kRed{255, 0, 0, 255};
  Material material;
  material.base_image = 0;
  CharacterDraft draft = test::card_draft(material);
  std::vector<BakedVertex> vertices(draft.vertices.begin(), draft.vertices.end());
  for (BakedVertex& vertex : vertices) vertex.uv *= 60000.0f;
  draft.vertices = vertices;
  draft.images.push_back(test::png({{kRed, kRed, kRed, kRed}}));
  SceneRenderer scene = make();
  const auto added = add(scene, test::built(std::move(draft)), {test::standing(0)});
  ASSERT_TRUE(added) << added.error().message;
  const Image image = scene.render(kFront, 0).value();
  EXPECT_GT(at(image, 0.5, 0.5).r, 100 + at(image, 0.5, 0.5).g);
}

// The card faces the camera, its tangent points right, the sun stands on the left.
TEST_F(Scene, BendsLightByTheNormalMapWhereThereAreTangents) {
  const std::vector<glm::vec4> tangents(4, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
  const auto lit = [&](std::array<std::uint8_t, 4> texel, float scale, bool has_tangents) {
    Material material = coloured({0.4, 0.4, 0.4, 1});
    material.normal_image = 0;
    material.normal_scale = scale;
    CharacterDraft draft = test::card_draft(material);
    draft.images.push_back(test::png({{texel, texel, texel, texel}}));
    if (has_tangents) draft.tangents = tangents;
    const Character model = test::built(std::move(draft));
    SceneRenderer scene = make();
    const auto added = add(scene, model, {test::standing(0)});
    EXPECT_TRUE(added) << added.error().message;
    return brightness(at(scene.render(kFront, 0).value(), 0.5, 0.5));
  };
  constexpr std::array<std::uint8_t, 4> kLeft{40, 128, 220, 255}, kRight{215, 128, 220, 255};
  const int flat = brightness(at(with_card(coloured({0.4, 0.4, 0.4, 1})).render(kFront, 0).value(), 0.5, 0.5));
  EXPECT_GT(lit(kLeft, 1.0f, true), flat + 20);
  EXPECT_LT(lit(kRight, 1.0f, true), flat - 20);
  EXPECT_LT(lit(kRight, 1.0f, true), lit(kRight, 0.3f, true) - 10) << "the scale counts";
  EXPECT_NEAR(lit(kRight, 1.0f, false), flat, 2) << "without tangents nobody knows which way";
}

TEST_F(Scene, ReadsTheColoursOfTexturesAsSrgb) {
  Material textured;
  textured.base_image = 0;
  CharacterDraft draft = test::card_draft(textured);
  constexpr std::array<std::uint8_t, 4> kGrey{128, 128, 128, 255};
  draft.images.push_back(test::png({{kGrey, kGrey, kGrey, kGrey}}));
  const Character model = test::built(std::move(draft));
  SceneRenderer scene = make();
  ASSERT_TRUE(add(scene, model, {test::standing(0)}));
  const Image by_texture = scene.render(kFront, 0).value();
  constexpr float kLinear = 0.2159f;  // ((128 / 255 + 0.055) / 1.055) ^ 2.4
  const Image by_factor = with_card(coloured({kLinear, kLinear, kLinear, 1.0f})).render(kFront, 0).value();
  int most = 0;
  for (std::size_t i = 0; i < by_factor.rgba.size(); ++i)
    most = std::max(most, std::abs(by_texture.rgba[i] - by_factor.rgba[i]));
  EXPECT_LE(most, 2);
}

TEST_F(Scene, HidesBackFacesUnlessTheMaterialHasTwoSides) {
  const Camera behind{{0.0, 1.0, -8.0}, {0.0, 1.0, 0.0}, 40.0};
  Material material = coloured({0.9, 0.02, 0.02, 1});
  const auto red = [&] {
    const Pixel middle = at(with_card(material).render(behind, 0).value(), 0.5, 0.5);
    return middle.r > 2 * middle.g;
  };
  EXPECT_FALSE(red());
  material.double_sided = true;
  EXPECT_TRUE(red());
}

TEST_F(Scene, TakesOneDrawPerMaterialForAnyNumberOfInstances) {
  CharacterDraft draft = test::card_draft({});
  draft.materials.push_back(coloured({1, 0, 0, 1}));
  draft.draws = {{0, 0, 3}, {1, 3, 3}};
  const Character model = test::built(std::move(draft));
  SceneRenderer scene = make();
  ASSERT_TRUE(add(scene, model, {test::standing(0)}));
  const DrawReport one = scene.draw(kFront, 0).value();
  EXPECT_EQ(one.colour_draws, 3u) << "two materials, and specks";
  EXPECT_EQ(one.shadow_draws, 4u);
  EXPECT_EQ(one.far.vertices, 4u);
  test::Cast many;
  for (int i = 0; i < 1000; ++i)
    many.add(test::standing(0, {static_cast<float>(i % 40) - 20.0f, 0.0f, static_cast<float>(-i / 40)}));
  ASSERT_TRUE(scene.set_instances(ModelId(0), many.instances, many.plays)) << "the buffer grows";
  const DrawReport thousand = scene.draw(kFront, 0).value();
  EXPECT_EQ(thousand.colour_draws, 3u);
  EXPECT_EQ(thousand.far_characters, 1000u);
  EXPECT_GT(thousand.far.in_picture, 100u);
  EXPECT_LT(thousand.far.in_picture, 1000u);
  EXPECT_EQ(thousand.far.triangles, 2 * thousand.far.in_picture);
  ASSERT_TRUE(scene.set_instances(ModelId(0), {}, {}));
  EXPECT_EQ(scene.draw(kFront, 0).value().colour_draws, 0u);
  EXPECT_EQ(scene.render(kFront, 0).value().rgba, make().render(kFront, 0).value().rgba) << "nobody is left";
}

TEST_F(Scene, DrawsInstancesAtTheEdgeOfThePictureThatAreSkippedOutsideIt) {
  SceneRenderer scene = with_card({});
  const Image nobody = make().render(kFront, 0).value();
  for (float x = -7.0f; x <= 7.0f; x += 0.5f) {
    ASSERT_TRUE(scene.set_instances(ModelId(0), std::array{test::standing(0, {x, 0.0f, 0.0f}).instance},
                                    std::array{test::standing(0).play}));
    const Image image = scene.render(kFront, 0).value();
    // Half the picture's width at the card's distance is 8 · tan 20° · 4/3 = 3.88 m, the card is 1 m wide to each side.
    const bool touches_picture = std::abs(x) - 1.0f < 3.8f;
    if (touches_picture) {
      EXPECT_GT(different_pixels(image, nobody), 20u) << x;
    }
  }
}

TEST_F(Scene, HoldsSeveralModels) {
  SceneRenderer scene = with_card(coloured({0.9, 0.02, 0.02, 1}));
  ASSERT_EQ(
      add(scene, test::card_model(coloured({0.02, 0.02, 0.9, 1})), {test::standing(0, {2.5f, 0.0f, 0.0f})}).value(),
      ModelId(1));
  const Image image = scene.render(kFront, 0).value();
  EXPECT_GT(at(image, 0.5, 0.5).r, 2 * at(image, 0.5, 0.5).b);
  EXPECT_GT(at(image, 0.8, 0.5).b, at(image, 0.8, 0.5).r + 40);
  EXPECT_NEAR(scene.bounds().max.x, 3.5, 1e-4);
  EXPECT_FALSE(scene.set_instances(ModelId(2), {}, {}));
}

TEST_F(Scene, DrawsWithoutMultisampling) {
  SceneSettings settings = lit_scene();
  settings.samples = 1;
  SceneRenderer scene = make(settings);
  ASSERT_TRUE(add(scene, test::card_model(coloured({0.9, 0.02, 0.02, 1})), {test::standing(0)}));
  const Image image = scene.render(kFront, 0).value();
  EXPECT_GT(at(image, 0.5, 0.5).r, 2 * at(image, 0.5, 0.5).g);
}

// The share of pixels whose brightness differs by more than 60 of 765.
double unlike(const Image& a, const Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    const auto sum = [i](const Image& image) { return image.rgba[i] + image.rgba[i + 1] + image.rgba[i + 2]; };
    count += std::abs(sum(a) - sum(b)) > 60 ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(a.rgba.size() / 4);
}

TEST_F(Scene, CastsInCascadesWhatOneLargeMapCasts) {
  test::Cast field;
  for (int i = 0; i < 400; ++i)
    field.add(test::standing(0, {static_cast<float>(i % 20) * 4.0f - 38.0f, 0.0f, static_cast<float>(-i / 20) * 4.0f}));
  const auto draw = [&](const SceneSettings& settings, std::uint32_t shadow_draws) {
    SceneRenderer scene = make(settings);
    EXPECT_TRUE(add(scene, test::card_model({}), field));
    const Image image = scene.render({{0.0, 9.0, 12.0}, {0.0, 0.0, -14.0}, 40.0}, 0).value();
    EXPECT_EQ(scene.report().shadow_draws, shadow_draws);
    return image;
  };
  SceneSettings settings = lit_scene();
  settings.contact_size = 0;
  const Image cascades = draw(settings, 3);
  settings.cascades = 1;
  settings.shadow_size = 4096;
  const Image one = draw(settings, 1);
  EXPECT_LT(unlike(cascades, one), 0.02);
  settings.look.sun_direction = {0.4f, 0.8f, 0.6f};
  EXPECT_GT(unlike(one, draw(settings, 1)), 0.05) << "shadows that fall elsewhere are told apart";
}

TEST_F(Scene, RefusesInWords) {
  const auto message = [&](const SceneSettings& settings) {
    const auto scene = SceneRenderer::create(context(), settings);
    return scene ? std::string("none") : scene.error().message;
  };
  SceneSettings settings = lit_scene();
  settings.width = 100000;
  EXPECT_NE(message(settings).find("a picture of 100000 × 120"), std::string::npos) << message(settings);
  settings = lit_scene();
  settings.height = 0;
  EXPECT_NE(message(settings).find("sizes go from 1"), std::string::npos);
  settings = lit_scene();
  settings.samples = 3;
  EXPECT_NE(message(settings).find("3 samples"), std::string::npos);
  settings = lit_scene();
  settings.shadow_size = 1 << 20;
  EXPECT_NE(message(settings).find("shadow maps"), std::string::npos);
  settings = lit_scene();
  settings.cascades = 5;
  EXPECT_NE(message(settings).find("take 1 to 4"), std::string::npos) << message(settings);
  SceneRenderer scene = make();
  EXPECT_FALSE(scene.render({.eye = {1, 1, 1}, .target = {1, 1, 1}}, 0));
  Material broken;
  broken.name = "skin";
  broken.base_image = 0;
  CharacterDraft bad_image = test::card_draft(broken);
  bad_image.images.push_back({"torn.png", "image/png", SharedBytes(std::vector<std::byte>(20))});
  EXPECT_EQ(add(scene, test::built(std::move(bad_image)), {})
                .error()
                .message.rfind("card: material 'skin': image 'torn.png'", 0),
            0u);
}

// Two models in one pool, one of which is posed on the GPU; some rise. Whoever the pool has no room for is skinned by
// the vertex shaders, in the picture and in every shadow map.
TEST_F(Scene, LooksTheSameWherePoolHasNoRoomForEverybodyAndLosesNoDetail) {
  const auto draw = [&](std::uint32_t pool_vertices) {
    SceneSettings settings = lit_scene();
    settings.speck_pixels = 0.0f;
    settings.pool_vertices = pool_vertices;
    SceneRenderer scene = make(settings);
    for (const auto& [encoding, x] : {std::pair{Encoding::q16, -2.0f}, std::pair{Encoding::local8, 0.5f}}) {
      test::Cast cast;
      for (int i = 0; i < 20; ++i) {
        test::TestCharacter one =
            test::standing(1, {x + 0.1f * static_cast<float>(i), 0.0f, -0.5f * static_cast<float>(i % 5)});
        one.play.track.phase = {0, static_cast<std::uint32_t>(i) << 27};
        cast.add(one);
      }
      const auto added = add(scene, test::card_model({.double_sided = true}, encoding), cast);
      EXPECT_TRUE(added) << added.error().message;
    }
    Image picture = scene.render(kFront, 0).value();
    EXPECT_EQ(scene.report().far.in_picture, 40u) << pool_vertices;
    EXPECT_EQ(scene.report().far.vertices, 160u) << pool_vertices << ": all at full detail";
    return std::pair(std::move(picture), scene.report().colour_draws);
  };
  const auto [whole, draws] = draw(160);
  for (const std::uint32_t room : {159u, 100u, 81u, 37u, 1u}) {
    const auto [picture, same_draws] = draw(room);
    EXPECT_EQ(same_draws, draws) << "one call a material of each model";
    // Normals are packed in the pool and are not in the vertex shader.
    std::size_t off = 0;
    int farthest = 0;
    for (std::size_t i = 0; i < whole.rgba.size(); ++i) {
      const int difference = std::abs(int{whole.rgba[i]} - int{picture.rgba[i]});
      off += difference > 2 ? 1 : 0;
      farthest = std::max(farthest, difference);
    }
    EXPECT_LT(off, whole.rgba.size() / 2000) << room << ": " << farthest << " at most";
  }
}

}  // namespace
}  // namespace throng
