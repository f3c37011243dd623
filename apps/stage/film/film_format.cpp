// SPDX-License-Identifier: Apache-2.0
#include "film/film_format.h"

#include <algorithm>
#include <array>
#include <optional>

#include "throng/base/text.h"

namespace {

using Bytes = std::span<const std::byte>;

std::uint64_t big_endian(Bytes bytes) {
  std::uint64_t value = 0;
  for (const std::byte byte : bytes) value = value << 8 | std::to_integer<std::uint64_t>(byte);
  return value;
}

bool begins_with(Bytes bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::equal(text.begin(), text.end(), bytes.begin(), [](char c, std::byte b) {
           return static_cast<unsigned char>(c) == std::to_integer<unsigned char>(b);
         });
}

// Boxes one after another, each with its size and its name, that fill the file; `moov` is the index, `mdat` the
// pictures.
bool is_whole_mp4(Bytes file) {
  bool index = false;
  bool pictures = false;
  while (!file.empty()) {
    constexpr std::size_t kHeader = 8;
    constexpr std::size_t kLongHeader = 16;
    if (file.size() < kHeader) return false;
    std::uint64_t size = big_endian(file.first(4));
    if (size == 1) size = file.size() < kLongHeader ? 0 : big_endian(file.subspan(kHeader, 8));
    if (size < kHeader || size > file.size()) return false;
    index = index || begins_with(file.subspan(4), "moov");
    pictures = pictures || begins_with(file.subspan(4), "mdat");
    file = file.subspan(size);
  }
  return index && pictures;
}

// An element of EBML: its name, how long its header is, and how long it is after that; nothing where that is not told.
struct Element {
  std::uint64_t name = 0;
  std::size_t header = 0;
  std::optional<std::uint64_t> size;
};

// A number that says by its leading zeros how many bytes it has.
std::size_t number_length(std::byte first) {
  std::size_t length = 1;
  for (unsigned mask = 0x80; mask != 0 && (std::to_integer<unsigned>(first) & mask) == 0; mask >>= 1) ++length;
  return length;
}

std::optional<Element> element_at(Bytes bytes) {
  if (bytes.empty()) return std::nullopt;
  const std::size_t name = number_length(bytes[0]);
  if (name > 4 || bytes.size() <= name) return std::nullopt;
  const std::size_t size = number_length(bytes[name]);
  if (size > 8 || bytes.size() < name + size) return std::nullopt;
  const std::uint64_t mask = (std::uint64_t{1} << 7 * size) - 1;
  const std::uint64_t value = big_endian(bytes.subspan(name, size)) & mask;
  // All ones: it goes on until something else begins, as in a film that was never finished.
  return Element{big_endian(bytes.first(name)), name + size, value == mask ? std::nullopt : std::optional(value)};
}

// A segment that fills the file and has cues, which are its index.
bool is_whole_webm(Bytes file) {
  constexpr std::uint64_t kHead = 0x1A45DFA3;
  constexpr std::uint64_t kSegment = 0x18538067;
  constexpr std::uint64_t kCues = 0x1C53BB6B;
  const auto head = element_at(file);
  if (!head || head->name != kHead || !head->size || *head->size > file.size() - head->header) return false;
  file = file.subspan(head->header + *head->size);
  const auto segment = element_at(file);
  if (!segment || segment->name != kSegment || segment->size != file.size() - segment->header) return false;
  file = file.subspan(segment->header);
  bool index = false;
  while (!file.empty()) {
    const auto next = element_at(file);
    if (!next || !next->size || *next->size > file.size() - next->header) return false;
    index = index || next->name == kCues;
    file = file.subspan(next->header + *next->size);
  }
  return index;
}

// Reads a GIF's blocks; every step says whether there was enough.
class GifReader {
 public:
  explicit GifReader(Bytes file) : file_(file) {}

  bool is_whole() {
    constexpr std::size_t kHeader = 13;
    if (!begins_with(file_, "GIF8") || !skip(kHeader) || !skip_colours(file_[10])) return false;
    for (bool any = false;;) {
      if (at_ >= file_.size()) return false;
      switch (std::to_integer<int>(file_[at_++])) {
        case 0x21:  // an extension
          if (!skip(1) || !skip_blocks()) return false;
          break;
        case 0x2C: {  // a picture
          constexpr std::size_t kDescriptor = 9;
          if (!skip(kDescriptor) || !skip_colours(file_[at_ - 1]) || !skip(1) || !skip_blocks()) return false;
          any = true;
          break;
        }
        case 0x3B:  // the end
          return any && at_ == file_.size();
        default:
          return false;
      }
    }
  }

 private:
  bool skip(std::size_t count) {
    if (count > file_.size() - at_) return false;
    at_ += count;
    return true;
  }
  // The table of colours that flags speak of.
  bool skip_colours(std::byte flags) {
    const auto bits = std::to_integer<unsigned>(flags);
    return (bits & 0x80u) == 0 || skip(std::size_t{3} << ((bits & 7u) + 1));
  }
  bool skip_blocks() {
    while (at_ < file_.size()) {
      const auto length = std::to_integer<std::size_t>(file_[at_++]);
      if (length == 0) return true;
      if (!skip(length)) return false;
    }
    return false;
  }

  Bytes file_;
  std::size_t at_ = 0;
};

bool is_whole_gif(Bytes file) { return GifReader(file).is_whole(); }

const std::array<FilmFormat, 3>& formats() {
  static const std::array<FilmFormat, 3> kFormats{{
      {".mp4",
       "mp4",
       {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"},
       {},
       true,
       0.0,
       is_whole_mp4},
      {".webm",
       "webm",
       {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1",
        "-pix_fmt", "yuv420p"},
       // Pictures that are shown later than others cannot carry transparency.
       {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1",
        "-pix_fmt", "yuva420p", "-auto-alt-ref", "0"},
       false,
       0.0,
       is_whole_webm},
      // A palette a picture: one for all would have to wait for the last, with every picture in memory.
      {".gif",
       "gif",
       {"-filter_complex",
        "split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];[b][p]paletteuse=new=1", "-loop", "0"},
       {"-filter_complex",
        "split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=1[p];[b][p]paletteuse=new=1:alpha_threshold="
        "128",
        "-loop", "0"},
       false,
       // It counts in hundredths of a second, and browsers show what is there for less than two of them for ten.
       50.0,
       is_whole_gif},
  }};
  return kFormats;
}

}  // namespace

std::span<const FilmFormat> film_formats() { return formats(); }

const FilmFormat* film_format_of(const std::string& name) {
  for (const FilmFormat& format : formats()) {
    if (throng::lower(name).ends_with(format.ending)) return &format;
  }
  return nullptr;
}
