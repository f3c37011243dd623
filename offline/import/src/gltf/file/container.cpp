// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/container.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using import::Fault;
using import::Mender;

constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kChunkHeaderSize = 8;
constexpr std::size_t kChunkAlignment = 4;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Far above anything an exporter writes, far below what recursion could not stand.
constexpr int kMaxNesting = 128;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Chunk {
  std::uint32_t type;
  std::span<const std::byte> bytes;
};

Result<Chunk> next_chunk(ByteReader& reader, Mender& mender) {
  if (reader.remaining() < kChunkHeaderSize) return fail("the GLB ends inside a chunk header");
  const std::uint32_t length = *reader.u32();
  const std::uint32_t type = *reader.u32();
  if (length % kChunkAlignment != 0) {
    THRONG_CHECK(mender.forgive(Fault::chunk_length, "a GLB chunk is {} bytes long, not a multiple of four", length));
  }
  auto bytes = reader.take(length);
  if (!bytes) return fail("a GLB chunk of {} bytes runs past the end of the file", length);
  return Chunk{type, *bytes};
}

// The bytes between the header and the declared end of the GLB.
Result<std::span<const std::byte>> glb_body(const SharedBytes& file, std::vector<std::string>& notes) {
  ByteReader reader(file.span());
  if (reader.remaining() < kHeaderSize) return fail("the GLB ends inside its header");
  (void)reader.u32();
  const std::uint32_t version = *reader.u32();
  const std::uint32_t length = *reader.u32();
  if (version != 2) return fail("GLB version {}; only version 2 is supported", version);
  if (length < kHeaderSize + kChunkHeaderSize) return fail("the GLB declares a length of {} bytes, too few", length);
  if (length > file.size()) {
    return fail("the GLB declares {} bytes but the file has {}; it is cut short", length, file.size());
  }
  if (length < file.size())
    notes.push_back(in_number(file.size() - length, "[byte|bytes] after the end of the GLB ignored"));
  return file.span().subspan(kHeaderSize, length - kHeaderSize);
}

Result<Container> open_glb(const SharedBytes& file, Mender& mender) {
  Container container;
  THRONG_TRY(auto body, glb_body(file, container.notes));
  ByteReader reader(body);
  for (std::size_t index = 0; reader.remaining() > 0; ++index) {
    THRONG_TRY(auto chunk, next_chunk(reader, mender));
    if (index == 0) {
      if (chunk.type != kJsonChunk) return fail("the first GLB chunk is not JSON");
      if (chunk.bytes.empty()) return fail("the JSON chunk of the GLB is empty");
      container.json = as_text(chunk.bytes);
    } else if (chunk.type == kJsonChunk || (chunk.type == kBinChunk && container.binary)) {
      return fail("the GLB has two {} chunks", chunk.type == kJsonChunk ? "JSON" : "BIN");
    } else if (chunk.type == kBinChunk) {
      if (index != 1) return fail("the BIN chunk of the GLB is not its second chunk");
      container.binary = part_of(file, chunk.bytes);
    } else {
      container.notes.push_back(fmt::format("GLB chunk of unknown type {:#010x} ignored", chunk.type));
    }
  }
  return container;
}

// Comparing and freeing a JSON document recurse; a hostile file must not choose how deep.
bool nested_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxNesting) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

std::string position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last_newline = before.rfind('\n');
  const std::size_t column = before.size() - (last_newline == std::string_view::npos ? 0 : last_newline + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

constexpr std::string_view kNoNumbers[] = {"NaN", "-NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf"};

// What other languages print for numbers that are none, where JSON wants a value.
std::string_view no_number_at(std::string_view text) {
  for (const std::string_view word : kNoNumbers) {
    const bool ends = text.size() <= word.size() || !std::isalnum(static_cast<unsigned char>(text[word.size()]));
    if (text.starts_with(word) && ends) return word;
  }
  return {};
}

// The text with null in the place of each of them; whoever wants a number there says so.
Result<std::string> without_no_numbers(std::string_view text, Mender& mender) {
  std::string plain;
  plain.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view word = in_string ? std::string_view() : no_number_at(text.substr(i));
    if (!word.empty()) {
      // Where it is is counted from the beginning: only for the one that is told.
      THRONG_CHECK(mender.is_strict() ? fail("not valid JSON at {}: {} is no number", position(text, i + 1), word)
                                      : mender.forgive(Fault::no_number, "not valid JSON"));
      plain += "null";
      i += word.size() - 1;
      continue;
    }
    if (text[i] == '"') in_string = !in_string;
    plain += text[i];
    if (in_string && text[i] == '\\' && i + 1 < text.size()) plain += text[++i];
  }
  return plain;
}

}  // namespace

SharedBytes part_of(const SharedBytes& whole, std::span<const std::byte> part) {
  return {std::make_shared<SharedBytes>(whole), part};
}

Format sniff(std::span<const std::byte> bytes) {
  std::string_view text = as_text(bytes);
  if (text.starts_with("glTF")) return Format::glb;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? Format::gltf : Format::unknown;
}

Result<Container> open_container(const SharedBytes& file, Mender& mender) {
  if (sniff(file.span()) == Format::glb) return open_glb(file, mender);
  Container container;
  container.json = as_text(file.span());
  return container;
}

Result<std::string_view> without_byte_order_mark(std::string_view text, Mender& mender) {
  if (!text.starts_with(kByteOrderMark)) return text;
  THRONG_CHECK(
      mender.forgive(Fault::byte_order_mark,
                     "the JSON starts with a byte-order mark, which glTF forbids; save it as UTF-8 without one"));
  return text.substr(kByteOrderMark.size());
}

Result<nlohmann::json> parse_json(std::string_view text, Mender& mender) {
  if (nlohmann::json::accept(text)) return parse_json(text);
  THRONG_TRY(const std::string plain, without_no_numbers(text, mender));
  return plain == text ? parse_json(text) : parse_json(plain);
}

Result<nlohmann::json> parse_json(std::string_view text) {
  if (nested_too_deep(text)) return fail("the JSON is nested more than {} levels deep", kMaxNesting);
  try {
    auto json = nlohmann::json::parse(text);
    if (!json.is_object()) return fail("the JSON is not an object");
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    return fail("not valid JSON at {}", position(text, error.byte));
  } catch (const nlohmann::json::exception&) {
    return fail("the JSON has a number too large to represent");
  }
}

}  // namespace throng::detail::gltf
