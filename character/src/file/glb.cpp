// SPDX-License-Identifier: Apache-2.0
#include "file/glb.h"

#include <array>
#include <limits>
#include <optional>

#include "file/format.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

constexpr std::array<std::byte, 4> kZeros{};

template <class Integer>
void put(std::string& out, Integer value) {
  for (std::size_t shift = 0; shift < 8 * sizeof value; shift += 8) out += static_cast<char>((value >> shift) & 0xFFu);
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Where the digits start, counted from the file's first byte.
std::optional<std::size_t> find_digits(std::string_view file) {
  const std::size_t marker = file.substr(0, format::kMaxJsonSize).find(format::kHashMarker);
  if (marker == std::string_view::npos) return std::nullopt;
  const std::size_t digits = marker + format::kHashMarker.size();
  if (file.size() - digits < format::kHashDigits) return std::nullopt;
  return digits;
}

// XXH3-64 of two little-endian 64-bit numbers, the XXH3-64 of what is before the digits and of what is after them.
// `pieces` are the file; the digits start at `digits` and lie in the first.
std::string hash_of(const std::vector<std::span<const std::byte>>& pieces, std::size_t digits) {
  Hasher64 after;
  after.add(pieces[0].subspan(digits + format::kHashDigits));
  for (std::size_t i = 1; i < pieces.size(); ++i) after.add(pieces[i]);
  std::string halves;
  put(halves, hash64(pieces[0].first(digits)));
  put(halves, after.value());
  return fmt::format("{:016x}", hash64(std::as_bytes(std::span(halves))));
}

Result<void> check_hash(std::span<const std::byte> bytes) {
  const auto digits = find_digits(as_text(bytes));
  if (!digits) return fail("not a Throng asset, or one cut short: it holds no hash; bake the model again");
  if (as_text(bytes).substr(*digits, format::kHashDigits) != hash_of({bytes}, *digits)) {
    return fail("damaged: its hash does not match its content; copy it again or bake the model again");
  }
  return {};
}

Result<std::span<const std::byte>> take_chunk(ByteReader& reader, std::uint32_t type, std::string_view name) {
  THRONG_TRY(const std::uint32_t length, reader.u32());
  THRONG_TRY(const std::uint32_t found, reader.u32());
  if (found != type) return fail("its {} chunk is missing", name);
  return reader.take(length);
}

}  // namespace

Result<GlbParts> open_glb(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto magic = reader.u32();
  if (!magic || *magic != format::kMagic) return fail("not a GLB file: it does not start with 'glTF'");
  THRONG_CHECK(check_hash(bytes));
  const auto version = reader.u32();
  if (!version || *version != 2) return fail("not GLB version 2");
  const auto length = reader.u32();
  if (!length || *length != bytes.size()) return fail("its header says another length than its {} bytes", bytes.size());
  THRONG_TRY(const auto json, take_chunk(reader, format::kChunkJson, "JSON"));
  THRONG_TRY(const auto bin, take_chunk(reader, format::kChunkBin, "BIN"));
  if (json.size() > format::kMaxJsonSize) return fail("its JSON is larger than {} bytes", format::kMaxJsonSize);
  return GlbParts{as_text(json), bin};
}

std::vector<std::span<const std::byte>> GlbPieces::all() const {
  std::vector<std::span<const std::byte>> pieces{std::as_bytes(std::span(head))};
  pieces.insert(pieces.end(), bin.begin(), bin.end());
  return pieces;
}

std::size_t GlbPieces::size() const {
  std::size_t sum = 0;
  for (const auto& piece : all()) sum += piece.size();
  return sum;
}

Result<GlbPieces> make_glb(std::string json, std::vector<std::span<const std::byte>> bin) {
  constexpr std::size_t kBeforeBin = format::kHeaderSize + 2 * format::kChunkHeaderSize;
  while ((kBeforeBin + json.size()) % format::kAlignment != 0) json += ' ';
  if (json.size() > format::kMaxJsonSize) {
    return fail("its JSON would take {} bytes; at most {} are allowed", json.size(), format::kMaxJsonSize);
  }
  GlbPieces pieces{{}, std::move(bin)};
  if (const std::size_t part = pieces.size() % 4; part != 0) pieces.bin.push_back(std::span(kZeros).first(4 - part));
  const std::size_t bin_size = pieces.size();
  const std::size_t size = kBeforeBin + json.size() + bin_size;
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    return fail("the asset would take {} bytes; a GLB holds 4 GiB: bake fewer clips or at a lower rate", size);
  }
  for (const std::size_t value :
       {std::size_t{format::kMagic}, std::size_t{2}, size, json.size(), std::size_t{format::kChunkJson}}) {
    put(pieces.head, static_cast<std::uint32_t>(value));
  }
  pieces.head += json;
  put(pieces.head, static_cast<std::uint32_t>(bin_size));
  put(pieces.head, format::kChunkBin);
  const auto digits = find_digits(pieces.head);
  if (!digits) return fail("the JSON has no place for the hash");
  pieces.head.replace(*digits, format::kHashDigits, hash_of(pieces.all(), *digits));
  return pieces;
}

std::vector<std::byte> joined(const GlbPieces& pieces) {
  std::vector<std::byte> out;
  out.reserve(pieces.size());
  for (const auto& piece : pieces.all()) out.insert(out.end(), piece.begin(), piece.end());
  return out;
}

}  // namespace throng::detail::character
