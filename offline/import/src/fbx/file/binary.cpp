// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/binary.h"

#include <zlib.h>

#include <bit>
#include <cstring>

#include "fbx/file/container.h"
#include "throng/base/bytes.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

constexpr std::uint32_t kLongOffsetsSince = 7500;
constexpr std::size_t kMostDeflated = 1032;  // bytes that one deflated byte can stand for

struct Reader {
  std::span<const std::byte> bytes;  // the whole file: offsets count from its start
  std::size_t at = 0;
  bool long_offsets = false;
  std::size_t values = 0;  // so far, against kMostValues

  std::size_t left(std::size_t end) const { return end - at; }
};

template <class T>
T number_at(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T>
Result<T> take(Reader& reader, std::size_t end) {
  static_assert(std::endian::native == std::endian::little);
  if (reader.left(end) < sizeof(T)) return fail("is cut short at byte {}", reader.at);
  const T value = number_at<T>(reader.bytes.data() + reader.at);
  reader.at += sizeof(T);
  return value;
}

Result<std::span<const std::byte>> take_bytes(Reader& reader, std::size_t count, std::size_t end) {
  if (reader.left(end) < count) return fail("is cut short at byte {}: {} bytes are missing", reader.at, count);
  const auto bytes = reader.bytes.subspan(reader.at, count);
  reader.at += count;
  return bytes;
}

Result<void> count_values(Reader& reader, std::size_t count) {
  reader.values += count;
  if (count > kMostValues || reader.values > kMostValues) return fail("has more than {} values", kMostValues);
  return {};
}

Result<std::vector<std::byte>> inflate_array(std::span<const std::byte> deflated, std::size_t size) {
  if (size / kMostDeflated > deflated.size() + 1) return fail("is an array of {} bytes in {}", size, deflated.size());
  std::vector<std::byte> plain(size);
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return fail("cannot be inflated: no memory");
  // zlib's interface lacks a const; it does not write its input.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(deflated.data()));
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(size);
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  if (!whole) return fail("has a deflated array that is damaged");
  return plain;
}

template <class From, class To>
std::vector<To> converted(std::span<const std::byte> bytes) {
  std::vector<To> values(bytes.size() / sizeof(From));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<To>(number_at<From>(bytes.data() + i * sizeof(From)));
  }
  return values;
}

std::size_t entry_size(char type) {
  if (type == 'd' || type == 'l') return 8;
  if (type == 'f' || type == 'i') return 4;
  return 1;
}

Value array_of(char type, std::span<const std::byte> bytes) {
  if (type == 'd') return converted<double, double>(bytes);
  if (type == 'f') return converted<float, double>(bytes);
  if (type == 'l') return converted<std::int64_t, std::int64_t>(bytes);
  if (type == 'i') return converted<std::int32_t, std::int64_t>(bytes);
  return converted<std::uint8_t, std::int64_t>(bytes);
}

Result<Value> read_array(Reader& reader, char type, std::size_t end) {
  const std::size_t start = reader.at;
  const auto count = take<std::uint32_t>(reader, end);
  const auto encoding = take<std::uint32_t>(reader, end);
  const auto length = take<std::uint32_t>(reader, end);
  if (!count || !encoding || !length) return fail("is cut short at byte {}", start);
  THRONG_TRY(auto stored, take_bytes(reader, *length, end));
  THRONG_CHECK(count_values(reader, *count));
  const std::size_t size = *count * entry_size(type);
  if (*encoding == 1) {
    auto plain = inflate_array(stored, size);
    if (!plain) return fail("{} at byte {}", plain.error().message, start);
    return array_of(type, *plain);
  }
  if (*encoding != 0) return fail("has an array of the unknown encoding {} at byte {}", *encoding, start);
  if (size != *length) return fail("has an array of {} bytes in {} at byte {}", size, *length, start);
  return array_of(type, stored);
}

template <class T, class As>
Result<Value> read_number(Reader& reader, std::size_t end) {
  const auto number = take<T>(reader, end);
  if (!number) return fail(Error{number.error()});
  return Value(static_cast<As>(*number));
}

Result<Value> read_text(Reader& reader, std::size_t end) {
  const auto length = take<std::uint32_t>(reader, end);
  if (!length) return fail(Error{length.error()});
  const auto text = take_bytes(reader, *length, end);
  if (!text) return fail(Error{text.error()});
  return Value(std::string(reinterpret_cast<const char*>(text->data()), text->size()));
}

Result<Value> read_value(Reader& reader, std::size_t end) {
  const auto type = take<char>(reader, end);
  if (!type) return fail(Error{type.error()});
  THRONG_CHECK(count_values(reader, 1));
  switch (*type) {
    case 'Y':
      return read_number<std::int16_t, std::int64_t>(reader, end);
    case 'C':
    case 'B':
      return read_number<std::uint8_t, std::int64_t>(reader, end);
    case 'I':
      return read_number<std::int32_t, std::int64_t>(reader, end);
    case 'L':
      return read_number<std::int64_t, std::int64_t>(reader, end);
    case 'F':
      return read_number<float, double>(reader, end);
    case 'D':
      return read_number<double, double>(reader, end);
    case 'S':
    case 'R':
      return read_text(reader, end);
    case 'f':
    case 'd':
    case 'l':
    case 'i':
    case 'b':
    case 'c':
      return read_array(reader, *type, end);
    default:
      return fail("has a value of the unknown type {} at byte {}", static_cast<int>(*type), reader.at - 1);
  }
}

struct Head {
  std::uint64_t end = 0;
  std::uint64_t values = 0;
  std::uint64_t values_size = 0;
  std::string name;

  bool null() const { return end == 0 && values == 0 && values_size == 0 && name.empty(); }
};

Result<std::uint64_t> take_offset(Reader& reader, std::size_t end) {
  if (reader.long_offsets) return take<std::uint64_t>(reader, end);
  const auto offset = take<std::uint32_t>(reader, end);
  if (!offset) return fail(Error{offset.error()});
  return *offset;
}

Result<Head> read_head(Reader& reader, std::size_t end) {
  const auto end_offset = take_offset(reader, end);
  const auto values = take_offset(reader, end);
  const auto values_size = take_offset(reader, end);
  const auto name_length = take<std::uint8_t>(reader, end);
  if (!end_offset || !values || !values_size || !name_length) return fail("is cut short at byte {}", reader.at);
  const auto name = take_bytes(reader, *name_length, end);
  if (!name) return fail(Error{name.error()});
  return Head{*end_offset, *values, *values_size,
              std::string(reinterpret_cast<const char*>(name->data()), name->size())};
}

Result<void> read_values(Reader& reader, const Head& head, std::size_t end, Element& element) {
  if (head.values_size > reader.left(end)) {
    return fail("has an element at byte {} whose values are longer than it", reader.at);
  }
  const std::size_t values_end = reader.at + static_cast<std::size_t>(head.values_size);
  if (head.values > head.values_size) return fail("has {} values in {} bytes", head.values, head.values_size);
  for (std::uint64_t i = 0; i < head.values; ++i) {
    THRONG_TRY(auto value, read_value(reader, values_end));
    element.values.push_back(std::move(value));
  }
  if (reader.at != values_end) return fail("has values that end at byte {}, not at {}", reader.at, values_end);
  return {};
}

Result<void> read_children(Reader& reader, std::size_t end, int depth, Element& parent);

Result<Element> read_element(Reader& reader, Head head, std::size_t end, int depth) {
  if (head.end > end || head.end < reader.at) {
    return fail("has an element at byte {} that ends at {}, outside the {} there are", reader.at, head.end, end);
  }
  if (depth >= kDeepest) return fail("has elements nested more than {} deep", kDeepest);
  const auto own_end = static_cast<std::size_t>(head.end);
  Element element{.name = std::move(head.name), .values = {}, .children = {}};
  THRONG_CHECK(read_values(reader, head, own_end, element));
  if (reader.at < own_end) {
    THRONG_CHECK(read_children(reader, own_end, depth + 1, element));
    if (reader.at != own_end) return fail("has an element that ends at byte {}, not at {}", reader.at, own_end);
  }
  return element;
}

// Up to the null record.
Result<void> read_children(Reader& reader, std::size_t end, int depth, Element& parent) {
  while (true) {
    THRONG_TRY(auto head, read_head(reader, end));
    if (head.null()) return {};
    THRONG_CHECK(count_values(reader, 1));
    THRONG_TRY(auto element, read_element(reader, std::move(head), end, depth));
    parent.children.push_back(std::move(element));
  }
}

}  // namespace

Result<Element> read_binary(std::span<const std::byte> bytes, std::uint32_t version) {
  constexpr std::size_t kHeadSize = 27;
  Reader reader{.bytes = bytes, .at = kHeadSize, .long_offsets = version >= kLongOffsetsSince, .values = 0};
  if (bytes.size() < kHeadSize) return fail("is cut short at byte {}", bytes.size());
  Element root;
  THRONG_CHECK(read_children(reader, bytes.size(), 0, root));
  return root;
}

}  // namespace throng::detail::fbx
