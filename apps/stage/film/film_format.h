// SPDX-License-Identifier: Apache-2.0
#pragma once
// The films that ffmpeg makes for us, by the endings of their names.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/bytes.h"

struct FilmFormat {
  std::string_view ending;     // ".mp4"
  std::string_view container;  // as ffmpeg calls it
  // What ffmpeg is told to encode with, for films without and with transparency; none: it cannot have any.
  std::vector<std::string_view> opaque;
  std::vector<std::string_view> transparent;
  bool even_sides = false;  // its width and height must be
  double most_fps = 0.0;    // images a second that are shown as fast as they should be; 0: any number
  // Whether a file is whole. A disk that fills while ffmpeg writes need not make it fail: it may leave a film without
  // the index that players look for.
  bool (*is_whole)(std::span<const std::byte> file);
};

std::span<const FilmFormat> film_formats();

// Finds the format by the ending of a name, in any case; null: it is none of them.
const FilmFormat* film_format_of(const std::string& name);
