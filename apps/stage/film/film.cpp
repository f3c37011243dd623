// SPDX-License-Identifier: Apache-2.0
#include "film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "throng/base/file.h"
#include "throng/base/try.h"

using namespace throng;

namespace {

// "%04d": where it stands in the name and how many digits it wants.
struct Number {
  std::size_t begin = 0;
  std::size_t end = 0;
  int digits = 0;
};

// The first there is: "50%dance.png" has none.
std::optional<Number> find_number(const std::string& name) {
  for (std::size_t begin = name.find('%'); begin != std::string::npos; begin = name.find('%', begin + 1)) {
    std::size_t end = begin + 1;
    int digits = 0;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) {
      digits = std::min(digits * 10 + (name[end++] - '0'), 20);
    }
    const bool number = end < name.size() && name[end] == 'd';
    const bool goes_on = end + 1 < name.size() && std::isalnum(static_cast<unsigned char>(name[end + 1])) != 0;
    if (number && !goes_on) return Number{begin, end + 1, digits};
  }
  return std::nullopt;
}

std::vector<std::string> ffmpeg_words(const FilmFormat& format, const FilmSettings& settings, const std::string& file) {
  std::vector<std::string> words{"ffmpeg", "-loglevel", "error", "-xerror", "-y", "-f", "rawvideo", "-pix_fmt", "rgba"};
  words.insert(words.end(), {"-s", fmt::format("{}x{}", settings.width, settings.height)});
  words.insert(words.end(), {"-r", fmt::format("{}", settings.fps), "-i", "-"});
  const auto& encoding = settings.transparent ? format.transparent : format.opaque;
  words.insert(words.end(), encoding.begin(), encoding.end());
  words.insert(words.end(), {"-f", std::string(format.container), "file:" + file});
  return words;
}

std::string transparent_endings() {
  std::string list = ".png";
  for (const FilmFormat& format : film_formats()) {
    if (!format.transparent.empty()) list += fmt::format(", {}", format.ending);
  }
  return list;
}

Result<void> check(const FilmFormat& format, const FilmSettings& settings, const std::string& name) {
  if (settings.transparent && format.transparent.empty()) {
    return fail("{}: {} films cannot be transparent; these can: {}", name, format.ending, transparent_endings());
  }
  if (format.even_sides && (settings.width % 2 != 0 || settings.height % 2 != 0)) {
    return fail("{}: the width and height of {} films must be even, not {}x{}", name, format.ending, settings.width,
                settings.height);
  }
  if (format.most_fps > 0.0 && settings.fps > format.most_fps) {
    return fail("{}: {} films have at most {:g} images a second, not {:g}; lower --fps, or take another ending", name,
                format.ending, format.most_fps, settings.fps);
  }
  return {};
}

// Beside which file the film is made.
Result<std::filesystem::path> place_of_draft(const Output& output) {
  if (!output.is_stream()) return output.path();
  // ffmpeg goes back and forth in what it writes, which a device or a FIFO does not let it do.
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (!error) return folder / "throng-film";
  return fail("{}: a film for a device or a FIFO is made in a file first, but TMPDIR names no folder", output.name());
}

}  // namespace

bool Film::is_film(const std::string& output) {
  return film_format_of(output) != nullptr || find_number(output).has_value();
}

std::string Film::numbered(const std::string& output, std::size_t image) {
  const auto number = find_number(output);
  if (!number) return output;
  return output.substr(0, number->begin) + fmt::format("{:0{}}", image, number->digits) + output.substr(number->end);
}

Result<Film> Film::open(const Output& output, const FilmSettings& settings) {
  Film film(output);
  film.format_ = film_format_of(output.name());
  if (film.format_ == nullptr) return film;
  THRONG_CHECK(check(*film.format_, settings, output.name()));
  THRONG_TRY(const std::filesystem::path place, place_of_draft(output));
  THRONG_TRY(DraftFile draft, DraftFile::beside(place));
  film.draft_.emplace(std::move(draft));
  auto ffmpeg = ProcessInput::start(ffmpeg_words(*film.format_, settings, film.draft_->name()));
  if (!ffmpeg)
    return fail("{}; films need ffmpeg (apt-get install ffmpeg), or write pictures: -o '%04d.png'",
                ffmpeg.error().message);
  film.ffmpeg_.emplace(std::move(*ffmpeg));
  return film;
}

Result<void> Film::add(const Image& image) {
  if (format_ == nullptr) return write_png(image, numbered(output_.name(), images_++));
  if (auto written = ffmpeg_->write(std::as_bytes(std::span(image.rgba))); !written) {
    return fail(with_context(output_.name(), std::move(written).error()));
  }
  return {};
}

Result<void> Film::hand_over() {
  if (!output_.is_stream()) return draft_->keep();
  THRONG_TRY(const SharedBytes film, map_file(draft_->name()));
  return write_file(output_.path(), film.span());
}

Result<void> Film::close() {
  if (format_ == nullptr) return {};
  if (auto finished = ffmpeg_->finish(); !finished)
    return fail(with_context(output_.name(), std::move(finished).error()));
  THRONG_TRY(const SharedBytes film, map_file(draft_->name()));
  if (!format_->is_whole(film.span())) {
    return fail("{}: ffmpeg left a film that is not whole; is the disk full?", output_.name());
  }
  return hand_over();
}
