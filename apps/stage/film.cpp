// SPDX-License-Identifier: Apache-2.0
#include "film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

using namespace throng;

namespace {

// "%04d": where it stands in the name and how many digits it wants.
struct Number {
  std::size_t begin = 0;
  std::size_t end = 0;
  int digits = 0;
};

std::optional<Number> find_number(const std::string& name) {
  const std::size_t begin = name.find('%');
  if (begin == std::string::npos) return std::nullopt;
  std::size_t end = begin + 1;
  int digits = 0;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) {
    digits = std::min(digits * 10 + (name[end++] - '0'), 20);
  }
  if (end == name.size() || name[end] != 'd') return std::nullopt;
  return Number{begin, end + 1, digits};
}

std::string numbered(const std::string& name, const Number& number, std::size_t image) {
  return name.substr(0, number.begin) + fmt::format("{:0{}}", image, number.digits) + name.substr(number.end);
}

}  // namespace

bool Film::is_film(const std::string& output) { return output.ends_with(".mp4") || find_number(output).has_value(); }

Result<Film> Film::open(const std::string& output, std::uint32_t width, std::uint32_t height, double fps) {
  Film film(output);
  if (!output.ends_with(".mp4")) return film;
  if (width % 2 != 0 || height % 2 != 0)
    return fail("{}: a film's width and height must be even, not {}x{}", output, width, height);
  auto draft = DraftFile::beside(output);
  if (!draft) return fail(std::move(draft));
  film.draft_.emplace(std::move(*draft));
  auto ffmpeg = ProcessInput::start({"ffmpeg",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pix_fmt",
                                     "rgba",
                                     "-s",
                                     fmt::format("{}x{}", width, height),
                                     "-r",
                                     fmt::format("{}", fps),
                                     "-i",
                                     "-",
                                     "-c:v",
                                     "libx264",
                                     "-preset",
                                     "medium",
                                     "-crf",
                                     "18",
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-movflags",
                                     "+faststart",
                                     "-f",
                                     "mp4",
                                     "file:" + film.draft_->name()});
  if (!ffmpeg)
    return fail("{}; films need ffmpeg (apt-get install ffmpeg), or write pictures: -o '%04d.png'",
                ffmpeg.error().message);
  film.ffmpeg_.emplace(std::move(*ffmpeg));
  return film;
}

Result<void> Film::add(const Image& image) {
  if (!ffmpeg_) return write_png(image, numbered(output_, *find_number(output_), images_++));
  if (auto written = ffmpeg_->write(std::as_bytes(std::span(image.rgba))); !written) {
    return fail(with_context(output_, std::move(written).error()));
  }
  return {};
}

Result<void> Film::close() {
  if (!ffmpeg_) return {};
  if (auto finished = ffmpeg_->finish(); !finished) return fail(with_context(output_, std::move(finished).error()));
  return draft_->keep();
}
