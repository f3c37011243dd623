#pragma once
// How values are written in the words of an animation texture: which encodings there are, and how much room each needs.
// What the bits mean is in bone_codecs.h and vertex_codecs.h; where they lie, in layout.h.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "throng/shaders/encodings.h"

namespace throng {

// Bone mode has an item a column, vertex mode an item a vertex.
enum class Encoding : std::uint8_t {
  q16 = gpu::kEncodingQ16,    // SNORM16 quaternion, UNORM16 pivot in the clip's box, UNORM16 scale
  x16 = gpu::kEncodingX16,    // smallest-three quaternion of 18 bits, position 20 bits, scale 12 bits
  q12 = gpu::kEncodingQ12,    // smallest-three of 15 bits, position 16 bits; one scale a clip
  q8 = gpu::kEncodingQ8,      // smallest-three of 11 bits, position 10/10/9 in the column's box; one scale a clip
  rows = gpu::kEncodingRows,  // three matrix rows of SNORM16, pivot UNORM16: scale, shear, mirrored
  half_quaternion = gpu::kEncodingHalfQuaternion,  // the documents' 2 × RGBA16F: quaternion; translation and scale
  half_rows = gpu::kEncodingHalfRows,              // the documents' 3 × RGBA16F: the upper matrix rows
  local8 = gpu::kEncodingLocal8,                   // parent-relative SNORM16 quaternions; needs a pose pass
  v8 = gpu::kEncodingV8,                           // position 14/14/14 in the clip's box, octahedral normal 11/11
  half_vertex = gpu::kEncodingHalfVertex,          // the documents' 2 × RGBA16F: position, normal (tangent)
  rgbm = gpu::kEncodingRgbm,                       // RGBA8 with a shared multiplier: position, normal (tangent)
};

inline constexpr std::array kEncodings{Encoding::q16,         Encoding::x16,    Encoding::q12,
                                       Encoding::q8,          Encoding::rows,   Encoding::half_quaternion,
                                       Encoding::half_rows,   Encoding::local8, Encoding::v8,
                                       Encoding::half_vertex, Encoding::rgbm};

// As users and files spell it.
constexpr std::string_view name_of(Encoding encoding) {
  constexpr std::array<std::string_view, kEncodings.size()> kNames{
      "q16", "x16", "q12", "q8", "rows", "half-quaternion", "half-rows", "local8", "v8", "half-vertex", "rgbm"};
  return kNames[static_cast<std::size_t>(encoding)];
}

constexpr std::optional<Encoding> encoding_named(std::string_view name) {
  for (const Encoding encoding : kEncodings)
    if (name_of(encoding) == name) return encoding;
  return std::nullopt;
}

constexpr bool is_vertex_encoding(Encoding encoding) { return encoding >= Encoding::v8; }

// Whether the texels are the half floats of the source documents, for shaders that expect them: always 8 bytes each.
constexpr bool is_half(Encoding encoding) {
  return encoding == Encoding::half_quaternion || encoding == Encoding::half_rows || encoding == Encoding::half_vertex;
}

// 32-bit words of one item; `tangents` counts in vertex mode only.
constexpr std::uint32_t words_per_item(Encoding encoding, bool tangents) {
  constexpr std::array<std::uint32_t, kEncodings.size()> kWords{4, 4, 3, 2, 6, 4, 6, 2, 2, 4, 2};
  constexpr std::array<std::uint32_t, kEncodings.size()> kTangentWords{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1};
  const auto i = static_cast<std::size_t>(encoding);
  return kWords[i] + (tangents ? kTangentWords[i] : 0);
}

// Words before the first item of a frame: the origin that q8 positions count from, three floats and an unused word.
constexpr std::uint32_t header_words(Encoding encoding) { return encoding == Encoding::q8 ? 4 : 0; }

constexpr std::uint64_t words_per_frame(Encoding encoding, std::uint32_t items, bool tangents) {
  return header_words(encoding) + std::uint64_t{items} * words_per_item(encoding, tangents);
}

// Rows (four floats each; what is not named is 0) of one clip in the asset's table:
//   bones: row c is column c's pivot (xyz; the documents' layouts: 0); behind them, for q8, rows columns + 2c and
//   columns + 2c + 1 are the minimum and the size (xyz) of column c's position box;
//   local8: rows 2t and 2t + 1 are translation slot t's minimum and size (xyz; w: of the scale);
//   vertices: none.
constexpr std::uint32_t table_rows(Encoding encoding, std::uint32_t columns, std::uint32_t translation_slots) {
  if (is_vertex_encoding(encoding)) return 0;
  if (encoding == Encoding::local8) return 2 * translation_slots;
  return encoding == Encoding::q8 ? 3 * columns : columns;
}

}  // namespace throng
