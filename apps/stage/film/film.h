// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures one after another: numbered PNG files, or a film through ffmpeg. A film appears under its name only when it
// is whole.

#include <optional>
#include <string>

#include "film/film_format.h"
#include "film/process.h"
#include "output.h"
#include "throng/base/draft_file.h"
#include "throng/base/result.h"
#include "throng/character/image.h"

struct FilmSettings {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  double fps = 30.0;
  bool transparent = false;
};

class Film {
 public:
  // Whether the name is of a film or, with a number in it as in %04d.png, of several pictures.
  static bool is_film(const std::string& output);
  // The name of one of several pictures, counted from 0.
  static std::string numbered(const std::string& output, std::size_t image);

  // Before the first picture is drawn. Refused, in words: sizes or transparency that the format cannot have, and a
  // machine without ffmpeg.
  static throng::Result<Film> open(const Output& output, const FilmSettings& settings);

  throng::Result<void> add(const throng::Image& image);
  // Until then the file that was there before is untouched.
  throng::Result<void> close();

 private:
  explicit Film(const Output& output) : output_(output) {}
  throng::Result<void> hand_over();

  Output output_;
  const FilmFormat* format_ = nullptr;      // null: numbered pictures
  std::optional<throng::DraftFile> draft_;  // where ffmpeg writes
  std::optional<throng::ProcessInput> ffmpeg_;
  std::size_t images_ = 0;
};
