// SPDX-License-Identifier: Apache-2.0
#include "throng/character/surface_paint.h"

#include "small_asset.h"

namespace throng {
namespace {

// 2 × 2: red and green above blue and nearly black.
Material textured(Wrap u, Wrap v) {
  Material material{.name = "m", .base_colour = {1.0f, 0.5f, 1.0f, 0.25f}, .base_image = 0};
  material.wrap_u = u;
  material.wrap_v = v;
  return material;
}

SurfacePaint paint_of(const Material& material) {
  const std::vector<ImageSource> images{{"small", "image/png", SharedBytes(small_png())}};
  return SurfacePaint(material, images);
}

void expect_colour(const glm::vec4& colour, const glm::vec4& wanted) {
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(colour[i], wanted[i], 1e-3f) << i;
}

TEST(SurfacePaint, IsTheMaterialsColourTimesItsPicture) {
  const SurfacePaint paint = paint_of(textured(Wrap::repeat, Wrap::repeat));
  EXPECT_TRUE(paint.has_picture());
  expect_colour(paint.at({0.25f, 0.25f}), {1.0f, 0.0f, 0.0f, 0.25f});
  expect_colour(paint.at({0.75f, 0.25f}), {0.0f, 0.5f, 0.0f, 0.25f});
  expect_colour(paint.at({0.25f, 0.75f}), {0.0f, 0.0f, 1.0f, 0.25f});
  // sRGB (9, 8, 7), alpha 6.
  expect_colour(paint.at({0.75f, 0.75f}), {0.00273f, 0.00121f, 0.00212f, 0.25f * 6.0f / 255.0f});
}

TEST(SurfacePaint, WrapsAsItsMaterialDoes) {
  const glm::vec4 red{1.0f, 0.0f, 0.0f, 0.25f}, green{0.0f, 0.5f, 0.0f, 0.25f}, blue{0.0f, 0.0f, 1.0f, 0.25f};
  const SurfacePaint repeated = paint_of(textured(Wrap::repeat, Wrap::repeat));
  expect_colour(repeated.at({-0.25f, 0.25f}), green);
  expect_colour(repeated.at({1.25f, -0.25f}), blue);
  const SurfacePaint clamped = paint_of(textured(Wrap::clamp, Wrap::repeat));
  expect_colour(clamped.at({-0.25f, 0.25f}), red);
  expect_colour(clamped.at({7.0f, 0.25f}), green);
  const SurfacePaint mirrored = paint_of(textured(Wrap::repeat, Wrap::mirror));
  expect_colour(mirrored.at({0.25f, -0.25f}), red);
  expect_colour(mirrored.at({0.25f, 1.25f}), blue);
  expect_colour(mirrored.at({0.25f, 1.75f}), red);
  expect_colour(mirrored.at({0.25f, 2.75f}), blue);
}

TEST(SurfacePaint, WithoutAPictureThatCanBeReadIsTheMaterialsColour) {
  Material material = textured(Wrap::repeat, Wrap::repeat);
  const std::vector<ImageSource> broken{{"broken", "image/png", {}}};
  EXPECT_FALSE(SurfacePaint(material, broken).has_picture());
  expect_colour(SurfacePaint(material, broken).at({0.3f, 0.3f}), material.base_colour);
  material.base_image.reset();
  expect_colour(SurfacePaint(material, {}).at({0.3f, 0.3f}), material.base_colour);
}

// 1,024 texels wide in columns of black and white: what is seen is the mean of their light, and not of their bytes.
TEST(SurfacePaint, ShowsTheMeanOfWhatIsTooSmall) {
  Image image{1024, 1, {}};
  for (std::uint32_t i = 0; i < image.width; ++i) image.rgba.insert(image.rgba.end(), 4, i % 2 == 0 ? 255 : 0);
  const TemporaryFolder folder;
  ASSERT_TRUE(write_png(image, folder / "columns.png").has_value());
  const std::vector<ImageSource> images{{"columns", "image/png", map_file(folder / "columns.png").value()}};
  const SurfacePaint paint(Material{.name = "m", .base_image = 0}, images);
  for (const float u : {0.0f, 0.1f, 0.5f, 0.999f}) expect_colour(paint.at({u, 0.5f}), glm::vec4(0.5f));
}

}  // namespace
}  // namespace throng
