// SPDX-License-Identifier: Apache-2.0
#include "pictures/png.h"

#include <zlib.h>

#include <cstdlib>
#include <span>
#include <string_view>

namespace throng::detail::import {
namespace {

void put_big_endian(std::vector<std::byte>& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(value >> shift & 0xFF));
}

void put_chunk(std::vector<std::byte>& out, std::string_view type, std::span<const std::uint8_t> data) {
  put_big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  for (const char c : type) out.push_back(static_cast<std::byte>(c));
  const auto bytes = std::as_bytes(data);
  out.insert(out.end(), bytes.begin(), bytes.end());
  const auto* checked = reinterpret_cast<const Bytef*>(out.data() + start);
  put_big_endian(out, static_cast<std::uint32_t>(crc32_z(0, checked, out.size() - start)));
}

// PNG's Paeth: whichever neighbour is nearest to left + above - corner.
int predicted(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left);
  const int to_above = std::abs(guess - above);
  const int to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

// Row `y` behind the number of its filter; Paeth is seldom far from the best.
void filter_row(const RawPicture& picture, std::size_t y, std::vector<std::uint8_t>& out) {
  constexpr std::uint8_t kPaeth = 4;
  const std::size_t row = picture.row_size();
  const std::uint8_t* here = picture.pixels.data() + y * row;
  out.assign(1, kPaeth);
  for (std::size_t x = 0; x < row; ++x) {
    const bool first = x < picture.channels;
    const int left = first ? 0 : here[x - picture.channels];
    const int above = y == 0 ? 0 : *(here + x - row);
    const int corner = first || y == 0 ? 0 : *(here + x - row - picture.channels);
    out.push_back(static_cast<std::uint8_t>(here[x] - predicted(left, above, corner)));
  }
}

// Deflates row by row, so that a large picture is not held twice.
class Packer {
 public:
  Packer() : ready_(deflateInit(&stream_, Z_DEFAULT_COMPRESSION) == Z_OK) {}
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer() {
    if (ready_) deflateEnd(&stream_);
  }

  bool add(std::vector<std::uint8_t>& row, bool last) {
    if (!ready_) return false;
    stream_.next_in = row.data();
    stream_.avail_in = static_cast<uInt>(row.size());
    do {
      std::uint8_t block[1 << 16];
      stream_.next_out = block;
      stream_.avail_out = sizeof(block);
      if (deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) return false;
      packed_.insert(packed_.end(), block, block + (sizeof(block) - stream_.avail_out));
    } while (stream_.avail_out == 0);
    return true;
  }

  const std::vector<std::uint8_t>& packed() const { return packed_; }

 private:
  z_stream stream_{};
  bool ready_;
  std::vector<std::uint8_t> packed_;
};

}  // namespace

Result<std::vector<std::byte>> encode_png(const RawPicture& picture) {
  Packer packer;
  std::vector<std::uint8_t> row;
  for (std::size_t y = 0; y < picture.height; ++y) {
    filter_row(picture, y, row);
    if (!packer.add(row, y + 1 == picture.height)) return fail("cannot be packed as PNG");
  }
  std::vector<std::byte> out;
  for (const char c : std::string_view("\x89PNG\r\n\x1A\n")) out.push_back(static_cast<std::byte>(c));
  std::vector<std::byte> header;
  put_big_endian(header, picture.width);
  put_big_endian(header, picture.height);
  std::vector<std::uint8_t> fields;
  for (const std::byte byte : header) fields.push_back(std::to_integer<std::uint8_t>(byte));
  const std::uint8_t colour_type = picture.channels == 4 ? 6 : 2;
  fields.insert(fields.end(), {8, colour_type, 0, 0, 0});  // bits a channel; deflate, PNG's filters, not interlaced
  put_chunk(out, "IHDR", fields);
  put_chunk(out, "IDAT", packer.packed());
  put_chunk(out, "IEND", {});
  return out;
}

}  // namespace throng::detail::import
