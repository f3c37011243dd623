// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures one after another: numbered PNG files, or a film through ffmpeg. A film appears under its name only when it
// is whole.

#include <filesystem>
#include <optional>
#include <string>

#include "process.h"
#include "throng/base/draft_file.h"
#include "throng/base/result.h"
#include "throng/character/image.h"

class Film {
 public:
  static bool is_film(const std::string& output);
  static throng::Result<Film> open(const std::string& output, std::uint32_t width, std::uint32_t height, double fps);

  throng::Result<void> add(const throng::Image& image);
  throng::Result<void> close();

 private:
  explicit Film(std::string output) : output_(std::move(output)) {}

  std::string output_;
  std::optional<throng::DraftFile> draft_;      // none: numbered pictures
  std::optional<throng::ProcessInput> ffmpeg_;  // … which writes the draft
  std::size_t images_ = 0;
};
