// SPDX-License-Identifier: Apache-2.0
#include "throng/character/image.h"

#include "small_asset.h"

namespace throng {
namespace {

TEST(Image, ComesBackFromPngAsItWas) {
  const auto image = decode_image(small_png());
  ASSERT_TRUE(image.has_value()) << image.error().message;
  EXPECT_EQ(image->width, 2u);
  EXPECT_EQ(image->height, 2u);
  EXPECT_EQ(image->rgba, (std::vector<std::uint8_t>{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 8, 7, 6}));
}

TEST(Image, WritingReplacesTheWholeFileOrNothing) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.png", "old").has_value());
  EXPECT_FALSE(write_png({2, 2, {1, 2, 3}}, folder / "a.png").has_value());
  EXPECT_FALSE(write_png({0, 2, {}}, folder / "a.png").has_value());
  EXPECT_EQ(*read_text_file(folder / "a.png"), "old");
}

TEST(Image, OtherFormatsAreRefusedInWords) {
  const std::string bmp = "BM" + std::string(60, '\0');
  const auto image = decode_image(std::as_bytes(std::span(bmp)));
  ASSERT_FALSE(image.has_value());
  EXPECT_NE(image.error().message.find("PNG"), std::string::npos);
  EXPECT_FALSE(decode_image({}).has_value());
}

// Width in the PNG's header, big-endian at byte 16: refused by the size alone, before memory is asked for.
TEST(Image, SizesPastTheLimitAreRefusedBeforeDecoding) {
  auto png = small_png();
  png[16] = std::byte{0};
  png[17] = std::byte{0};
  png[18] = std::byte{0x40};
  png[19] = std::byte{0x01};  // 16385
  const auto image = decode_image(png);
  ASSERT_FALSE(image.has_value());
  EXPECT_NE(image.error().message.find("16385"), std::string::npos) << image.error().message;
}

// More than stb itself takes for a picture: what is said is the size, not that it is none.
TEST(Image, SizesBeyondAllReasonAreNamed) {
  auto png = small_png();
  for (const std::size_t at : {16u, 20u}) {
    png[at + 2] = std::byte{0xEA};
    png[at + 3] = std::byte{0x60};
  }
  const auto size = image_size(png);
  ASSERT_FALSE(size.has_value());
  EXPECT_EQ(size.error().message, "image: 60000 × 60000 pixels; at most 16384 × 16384 are read");
}

// 8192 × 8192 pixels in a hundred bytes: 768 MiB to decode, where 512 are allowed.
TEST(Image, ASmallFileMayNotAskForMuchMemory) {
  auto png = small_png();
  for (const std::size_t at : {16u, 20u}) {
    png[at + 2] = std::byte{0x20};
    png[at + 3] = std::byte{0};
  }
  for (const auto& refused : {image_size(png).error(), decode_image(png).error()}) {
    EXPECT_NE(refused.message.find("8192 × 8192 pixels in 0 kB take 768 MiB to decode; at most 512 MiB"),
              std::string::npos)
        << refused.message;
  }
  for (const std::size_t at : {16u, 20u}) png[at + 2] = std::byte{0x10};
  const auto smaller = image_size(png);
  ASSERT_TRUE(smaller.has_value()) << smaller.error().message;
  EXPECT_EQ(smaller->width, 4096u);
}

TEST(Image, EveryTruncationIsRefusedOrReadsWithoutHarm) {
  const auto png = small_png();
  std::size_t refused = 0;
  for (std::size_t size = 0; size < png.size(); ++size) {
    if (!decode_image(std::span(png).first(size))) ++refused;
  }
  EXPECT_GT(refused, png.size() / 2);
}

}  // namespace
}  // namespace throng
