// SPDX-License-Identifier: Apache-2.0
#include "film/film_format.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "film/film.h"
#include "throng/base/file.h"

namespace {

using namespace throng;

// A small film in every format, opaque and transparent, as it is on disk.
std::vector<std::byte> film_of(const FilmFormat& format, bool transparent) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("throng-film-test-{}{}", ::getpid(), format.ending);
  const auto output = Output::find(path.string(), Content::binary);
  auto film = Film::open(*output, {.width = 32, .height = 16, .fps = 10.0, .transparent = transparent});
  EXPECT_TRUE(film) << film.error().message;
  if (!film) return {};
  for (std::uint8_t i = 0; i < 5; ++i) {
    Image image{32, 16, std::vector<std::uint8_t>(std::size_t{4} * 32 * 16, static_cast<std::uint8_t>(40 * i))};
    EXPECT_TRUE(film->add(image));
  }
  const auto closed = film->close();
  EXPECT_TRUE(closed) << closed.error().message;
  const auto bytes = map_file(path);
  EXPECT_TRUE(bytes);
  std::filesystem::remove(path);
  return {bytes->span().begin(), bytes->span().end()};
}

class Films : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg here";
  }
  const FilmFormat& format_ = film_formats()[GetParam()];
};

TEST_P(Films, AreWholeAndNotWithoutTheirEnd) {
  for (const bool transparent : {false, true}) {
    if (transparent && format_.transparent.empty()) continue;
    const std::vector<std::byte> film = film_of(format_, transparent);
    ASSERT_GT(film.size(), 100u);
    EXPECT_TRUE(format_.is_whole(film)) << format_.ending;
    for (std::size_t size = 0; size < film.size(); ++size)
      ASSERT_FALSE(format_.is_whole(std::span(film).first(size))) << format_.ending << " cut to " << size;
  }
}

// What ffmpeg leaves on a disk that fills before it can write the index.
TEST_P(Films, AreNotWholeWithoutTheirIndex) {
  std::vector<std::byte> film = film_of(format_, false);
  const auto spoil = [&film](std::string_view name) {
    const auto found = std::find_end(  // films name their index before it, too
        film.begin(), film.end(), name.begin(), name.end(),
        [](std::byte b, char c) { return std::to_integer<unsigned char>(b) == static_cast<unsigned char>(c); });
    ASSERT_NE(found, film.end());
    found[1] ^= std::byte{1};
  };
  if (format_.ending == ".mp4") spoil("moov");
  if (format_.ending == ".webm") spoil("\x1C\x53\xBB\x6B");
  if (format_.ending == ".gif") film.back() = std::byte{0};
  EXPECT_FALSE(format_.is_whole(film));
}

std::string ending_of(const testing::TestParamInfo<std::size_t>& info) {
  return std::string(film_formats()[info.param].ending.substr(1));
}

INSTANTIATE_TEST_SUITE_P(Each, Films, testing::Range<std::size_t>(0, film_formats().size()), ending_of);

TEST(FilmNames, TellFilmsFromPictures) {
  for (const char* name : {"a.mp4", "A.MP4", "a.webm", "a.gif", "%04d.png", "a%d.png", "50%-%d.png"})
    EXPECT_TRUE(Film::is_film(name)) << name;
  for (const char* name : {"a.png", "a%.png", "-", "50%.png", "50%dance.png", "%d2.png", "/dev/null"})
    EXPECT_FALSE(Film::is_film(name)) << name;
  EXPECT_EQ(Film::numbered("f/%04d.png", 7), "f/0007.png");
  EXPECT_EQ(Film::numbered("a.png", 7), "a.png");
}

TEST(FilmRefuses, WhatTheFormatCannotHave) {
  const auto refusal = [](const char* name, const FilmSettings& settings) {
    return Film::open(*Output::find(name, Content::binary), settings).error().message;
  };
  EXPECT_EQ(refusal("/tmp/a.mp4", {.width = 63, .height = 36}),
            "/tmp/a.mp4: the width and height of .mp4 films must be even, not 63x36");
  EXPECT_EQ(refusal("/tmp/a.mp4", {.width = 64, .height = 36, .transparent = true}),
            "/tmp/a.mp4: .mp4 films cannot be transparent; these can: .png, .webm, .gif");
}

}  // namespace
