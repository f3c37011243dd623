#pragma once
// Pictures one after another: numbered PNG files, or a film through ffmpeg. A film appears under its name only when it
// is whole.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "throng/asset/image.h"
#include "throng/base/process.h"
#include "throng/base/result.h"

class Film {
 public:
  static bool is_film(const std::string& output);
  static throng::Result<Film> open(const std::string& output, std::uint32_t width, std::uint32_t height, double fps);

  throng::Result<void> add(const throng::Image& image);
  throng::Result<void> close();

  Film(Film&& other) noexcept
      : output_(std::move(other.output_)),
        ffmpeg_(std::exchange(other.ffmpeg_, std::nullopt)),
        images_(other.images_) {}
  Film& operator=(Film&&) = delete;
  ~Film();

 private:
  explicit Film(std::string output) : output_(std::move(output)) {}
  std::string part() const { return output_ + ".part"; }

  std::string output_;
  std::optional<throng::ProcessInput> ffmpeg_;  // none: numbered pictures
  std::size_t images_ = 0;
};
