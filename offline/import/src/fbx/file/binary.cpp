// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/binary.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <string_view>

#include "fbx/file/container.h"
#include "throng/base/bytes.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

constexpr std::uint32_t kLongOffsetsSince = 7500;
constexpr std::size_t kMostDeflated = 1032;  // bytes that one deflated byte can stand for

// Arrays are read where somebody asks for them; all others, as large as they may be, are passed over.
constexpr std::string_view kNeededArrays[] = {
    "Vertices", "PolygonVertexIndex", "Normals",          "NormalsIndex",   "UV",          "UVIndex",
    "Colors",   "ColorIndex",         "Materials",        "Indexes",        "Weights",     "Transform",
    "Matrix",   "TransformLink",      "KeyTime",          "KeyAttrFlags",   "FullWeights", "BlendWeights",
    "Key",      "KeyValueFloat",      "KeyAttrDataFloat", "KeyAttrRefCount"};

// Elements that hold others. Only those that do not say where they end are looked up here.
constexpr std::string_view kHolders[] = {"FBXHeaderExtension",
                                         "GlobalSettings",
                                         "Documents",
                                         "Document",
                                         "References",
                                         "Definitions",
                                         "ObjectType",
                                         "Objects",
                                         "PropertyTemplate",
                                         "Properties70",
                                         "Properties60",
                                         "Model",
                                         "Geometry",
                                         "NodeAttribute",
                                         "Material",
                                         "Texture",
                                         "LayeredTexture",
                                         "Video",
                                         "Deformer",
                                         "Pose",
                                         "PoseNode",
                                         "AnimationStack",
                                         "AnimationLayer",
                                         "AnimationCurveNode",
                                         "AnimationCurve",
                                         "Layer",
                                         "LayerElement",
                                         "Connections",
                                         "Takes",
                                         "Take",
                                         "Channel",
                                         "Shape",
                                         "SceneInfo",
                                         "MetaData",
                                         "OtherFlags",
                                         "CreationTimeStamp",
                                         "Constraint",
                                         "Pre-Extrapolation",
                                         "Post-Extrapolation"};

bool holds_others(std::string_view name) {
  return std::find(std::begin(kHolders), std::end(kHolders), name) != std::end(kHolders) ||
         name.starts_with("LayerElement");
}

struct Reader {
  std::span<const std::byte> bytes;  // the whole file: offsets count from its start
  import::Mender& mender;
  import::Budget& budget;
  std::size_t at = 0;
  bool long_offsets = false;
  bool big_endian = false;

  std::size_t left(std::size_t end) const { return end - at; }
};

template <class T>
T number_at(const std::byte* bytes, bool big_endian) {
  static_assert(std::endian::native == std::endian::little);
  std::array<std::byte, sizeof(T)> ordered;
  std::memcpy(ordered.data(), bytes, sizeof(T));
  if (big_endian) std::reverse(ordered.begin(), ordered.end());
  return std::bit_cast<T>(ordered);
}

template <class T>
Result<T> take(Reader& reader, std::size_t end) {
  if (reader.left(end) < sizeof(T)) return fail("is cut short at byte {}", reader.at);
  const T value = number_at<T>(reader.bytes.data() + reader.at, reader.big_endian);
  reader.at += sizeof(T);
  return value;
}

Result<std::span<const std::byte>> take_bytes(Reader& reader, std::size_t count, std::size_t end) {
  if (reader.left(end) < count) return fail("is cut short at byte {}: {} bytes are missing", reader.at, count);
  const auto bytes = reader.bytes.subspan(reader.at, count);
  reader.at += count;
  return bytes;
}

Result<std::vector<std::byte>> inflate_array(std::span<const std::byte> deflated, std::size_t size) {
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
std::vector<To> converted(std::span<const std::byte> bytes, bool big_endian) {
  std::vector<To> values(bytes.size() / sizeof(From));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<To>(number_at<From>(bytes.data() + i * sizeof(From), big_endian));
  }
  return values;
}

std::size_t entry_size(char type) {
  if (type == 'd' || type == 'l') return 8;
  if (type == 'f' || type == 'i') return 4;
  return 1;
}

Value array_of(char type, std::span<const std::byte> bytes, bool big_endian) {
  if (type == 'd') return converted<double, double>(bytes, big_endian);
  if (type == 'f') return converted<float, double>(bytes, big_endian);
  if (type == 'l') return converted<std::int64_t, std::int64_t>(bytes, big_endian);
  if (type == 'i') return converted<std::int32_t, std::int64_t>(bytes, big_endian);
  return converted<std::uint8_t, std::int64_t>(bytes, big_endian);
}

Result<Value> read_array(Reader& reader, char type, bool needed, std::size_t end) {
  const std::size_t start = reader.at;
  const auto count = take<std::uint32_t>(reader, end);
  const auto encoding = take<std::uint32_t>(reader, end);
  const auto length = take<std::uint32_t>(reader, end);
  if (!count || !encoding || !length) return fail("is cut short at byte {}", start);
  THRONG_TRY(auto stored, take_bytes(reader, *length, end));
  if (!needed) return Value(std::vector<double>());
  const std::size_t size = *count * entry_size(type);
  THRONG_CHECK(reader.budget.spend(sizeof(double), *count, "arrays"));
  if (*encoding == 1) {
    if (size / kMostDeflated > stored.size() + 1) {
      return fail("is an array of {} bytes in {} at byte {}", size, stored.size(), start);
    }
    THRONG_CHECK(reader.budget.spend(size, "deflated arrays"));
    auto plain = inflate_array(stored, size);
    if (!plain) return fail("{} at byte {}", plain.error().message, start);
    return array_of(type, *plain, reader.big_endian);
  }
  if (*encoding != 0) return fail("has an array of the unknown encoding {} at byte {}", *encoding, start);
  if (size != *length) return fail("has an array of {} bytes in {} at byte {}", size, *length, start);
  return array_of(type, stored, reader.big_endian);
}

template <class T, class As>
Result<Value> read_number(Reader& reader, std::size_t end) {
  THRONG_TRY(const T number, take<T>(reader, end));
  return Value(static_cast<As>(number));
}

Result<Value> read_text(Reader& reader, std::size_t end) {
  THRONG_TRY(const std::uint32_t length, take<std::uint32_t>(reader, end));
  THRONG_TRY(const auto text, take_bytes(reader, length, end));
  return Value(std::string(reinterpret_cast<const char*>(text.data()), text.size()));
}

bool is_array(char type) { return std::string_view("fdlibc").find(type) != std::string_view::npos; }
bool is_known(char type) { return std::string_view("YCBZILFDSRfdlibc").find(type) != std::string_view::npos; }

Result<Value> read_value(Reader& reader, char type, bool needed, std::size_t end) {
  switch (type) {
    case 'Y':
      return read_number<std::int16_t, std::int64_t>(reader, end);
    case 'C':
    case 'B':
    case 'Z':
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
    default:
      return read_array(reader, type, needed, end);
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
  return take<std::uint32_t>(reader, end);
}

Result<Head> read_head(Reader& reader, std::size_t end) {
  const auto end_offset = take_offset(reader, end);
  const auto values = take_offset(reader, end);
  const auto values_size = take_offset(reader, end);
  const auto name_length = take<std::uint8_t>(reader, end);
  if (!end_offset || !values || !values_size || !name_length) return fail("is cut short at byte {}", reader.at);
  THRONG_TRY(const auto name, take_bytes(reader, *name_length, end));
  return Head{*end_offset, *values, *values_size, std::string(reinterpret_cast<const char*>(name.data()), name.size())};
}

bool is_needed(std::string_view name) {
  return std::find(std::begin(kNeededArrays), std::end(kNeededArrays), name) != std::end(kNeededArrays);
}

// One after the other, up to one whose type is unknown: nobody can tell how long it is.
Result<void> take_values(Reader& reader, const Head& head, std::size_t end, Element& element) {
  const bool needed = is_needed(element.name);
  for (std::uint64_t i = 0; i < head.values; ++i) {
    THRONG_CHECK(reader.budget.spend(kBytesOfValue, "values"));
    THRONG_TRY(const char type, take<char>(reader, end));
    if (!is_known(type)) {
      reader.at = end;
      return reader.mender.forgive(import::Fault::value_type,
                                   "has a value of the unknown type {} in the {} bytes before {}",
                                   static_cast<int>(type), head.values_size, end);
    }
    auto value = read_value(reader, type, needed, end);
    if (!value && !needed && is_array(type)) {
      reader.at = end;
      return reader.mender.forgive(import::Fault::array, std::move(value).error());
    }
    if (!value) return fail(std::move(value));
    element.values.push_back(std::move(*value));
  }
  return {};
}

Result<void> read_values(Reader& reader, const Head& head, std::size_t end, Element& element) {
  std::uint64_t size = head.values_size;
  if (size > reader.left(end)) {
    THRONG_CHECK(reader.mender.forgive(import::Fault::values_end,
                                       "has an element at byte {} whose values are longer than it", reader.at));
    size = reader.left(end);
  }
  const std::size_t values_end = reader.at + static_cast<std::size_t>(size);
  if (head.values > size) return fail("has {} values in {} bytes", head.values, size);
  THRONG_CHECK(take_values(reader, head, values_end, element));
  if (reader.at == values_end) return {};
  THRONG_CHECK(reader.mender.forgive(import::Fault::values_end, "has values that end at byte {}, not at {}", reader.at,
                                     values_end));
  reader.at = values_end;
  return {};
}

Result<void> read_children(Reader& reader, std::size_t end, int depth, Element& parent);

// Where no end is told, values tell their own, and children end with a null record.
Result<Element> read_endless_element(Reader& reader, Head head, std::size_t end, int depth) {
  THRONG_CHECK(reader.mender.forgive(
      import::Fault::end_offset, "has an element at byte {} that ends at 0, outside the {} there are", reader.at, end));
  Element element{.name = std::move(head.name), .values = {}, .children = {}};
  THRONG_CHECK(read_values(reader, head, end, element));
  if (holds_others(element.name)) {
    THRONG_CHECK(read_children(reader, end, depth + 1, element));
  }
  return element;
}

Result<Element> read_element(Reader& reader, Head head, std::size_t end, int depth) {
  if (depth >= kDeepest) return fail("has elements nested more than {} deep", kDeepest);
  if (head.end == 0) return read_endless_element(reader, std::move(head), end, depth);
  if (head.end > end || head.end < reader.at) {
    return fail("has an element at byte {} that ends at {}, outside the {} there are", reader.at, head.end, end);
  }
  const auto own_end = static_cast<std::size_t>(head.end);
  Element element{.name = std::move(head.name), .values = {}, .children = {}};
  THRONG_CHECK(read_values(reader, head, own_end, element));
  if (reader.at < own_end) {
    THRONG_CHECK(read_children(reader, own_end, depth + 1, element));
    if (reader.at != own_end) {
      THRONG_CHECK(reader.mender.forgive(import::Fault::values_end, "has an element that ends at byte {}, not at {}",
                                         reader.at, own_end));
      reader.at = own_end;
    }
  }
  return element;
}

// Up to the null record.
Result<void> read_children(Reader& reader, std::size_t end, int depth, Element& parent) {
  while (true) {
    THRONG_TRY(auto head, read_head(reader, end));
    if (head.null()) return {};
    THRONG_CHECK(reader.budget.spend(kBytesOfElement, "elements"));
    THRONG_TRY(auto element, read_element(reader, std::move(head), end, depth));
    parent.children.push_back(std::move(element));
  }
}

}  // namespace

Result<Element> read_binary(std::span<const std::byte> bytes, const BinaryLayout& layout, import::Mender& mender,
                            import::Budget& budget) {
  constexpr std::size_t kHeadSize = 27;
  if (bytes.size() < kHeadSize) return fail("is cut short at byte {}", bytes.size());
  Reader reader{.bytes = bytes,
                .mender = mender,
                .budget = budget,
                .at = kHeadSize,
                .long_offsets = layout.version >= kLongOffsetsSince,
                .big_endian = layout.big_endian};
  Element root;
  THRONG_CHECK(read_children(reader, bytes.size(), 0, root));
  return root;
}

}  // namespace throng::detail::fbx
