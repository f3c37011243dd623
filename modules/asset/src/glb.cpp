#include "glb.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "format.h"

namespace throng {
namespace {

void put_u32(std::vector<std::byte>& out, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>((value >> shift) & 0xFFu));
}

void put_u64(std::vector<std::byte>& out, std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<std::byte>((value >> shift) & 0xFFu));
}

void put(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Where the digits start, counted from the file's first byte.
std::optional<std::size_t> find_digits(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes.first(std::min(bytes.size(), format::kMaxJsonSize)));
  const std::size_t marker = text.find(format::kHashMarker);
  if (marker == std::string_view::npos) return std::nullopt;
  const std::size_t digits = marker + format::kHashMarker.size();
  if (bytes.size() - digits < format::kHashDigits) return std::nullopt;
  return digits;
}

Result<void> check_hash(std::span<const std::byte> bytes) {
  const auto digits = find_digits(bytes);
  if (!digits) return fail("not a Throng asset, or one cut short: it holds no hash; bake the model again");
  if (as_text(bytes).substr(*digits, format::kHashDigits) != glb_hash(bytes, *digits)) {
    return fail("damaged: its hash does not match its content; copy it again or bake the model again");
  }
  return {};
}

Result<std::span<const std::byte>> take_chunk(ByteReader& reader, std::uint32_t type, std::string_view name) {
  auto length = reader.u32();
  if (!length) return fail(std::move(length));
  auto found = reader.u32();
  if (!found) return fail(std::move(found));
  if (*found != type) return fail("its {} chunk is missing", name);
  return reader.take(*length);
}

}  // namespace

std::string glb_hash(std::span<const std::byte> bytes, std::size_t digits) {
  std::vector<std::byte> halves;
  put_u64(halves, hash64(bytes.first(digits)));
  put_u64(halves, hash64(bytes.subspan(digits + format::kHashDigits)));
  return fmt::format("{:016x}", hash64(halves));
}

Result<GlbParts> open_glb(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto magic = reader.u32();
  if (!magic || *magic != format::kMagic) return fail("not a GLB file: it does not start with 'glTF'");
  if (auto ok = check_hash(bytes); !ok) return fail(std::move(ok));
  const auto version = reader.u32();
  if (!version || *version != 2) return fail("not GLB version 2");
  const auto length = reader.u32();
  if (!length || *length != bytes.size()) return fail("its header says another length than its {} bytes", bytes.size());
  auto json = take_chunk(reader, format::kChunkJson, "JSON");
  if (!json) return fail(std::move(json));
  auto bin = take_chunk(reader, format::kChunkBin, "BIN");
  if (!bin) return fail(std::move(bin));
  if (json->size() > format::kMaxJsonSize) return fail("its JSON is larger than {} bytes", format::kMaxJsonSize);
  return GlbParts{as_text(*json), *bin};
}

Result<std::vector<std::byte>> make_glb(std::string json, std::span<const std::byte> bin) {
  constexpr std::size_t kBeforeBin = format::kHeaderSize + 2 * format::kChunkHeaderSize;
  while ((kBeforeBin + json.size()) % format::kAlignment != 0) json += ' ';
  if (json.size() > format::kMaxJsonSize) {
    return fail("its JSON would take {} bytes; at most {} are allowed", json.size(), format::kMaxJsonSize);
  }
  const std::size_t padding = (4 - bin.size() % 4) % 4;
  const std::size_t size = kBeforeBin + json.size() + bin.size() + padding;
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    return fail("the asset would take {} bytes; a GLB holds 4 GiB: bake fewer clips or at a lower rate", size);
  }
  std::vector<std::byte> out;
  out.reserve(size);
  put_u32(out, format::kMagic);
  put_u32(out, 2);
  put_u32(out, size);
  put_u32(out, json.size());
  put_u32(out, format::kChunkJson);
  put(out, std::as_bytes(std::span(json)));
  put_u32(out, bin.size() + padding);
  put_u32(out, format::kChunkBin);
  put(out, bin);
  out.resize(size);
  const auto digits = find_digits(out);
  if (!digits) return fail("the JSON has no place for the hash");
  const std::string hash = glb_hash(out, *digits);
  std::copy(hash.begin(), hash.end(), reinterpret_cast<char*>(out.data() + *digits));
  return out;
}

}  // namespace throng
