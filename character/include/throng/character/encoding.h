// SPDX-License-Identifier: Apache-2.0
#pragma once
// How values are written in the words of frames: which encodings there are, and how much room each needs.
// What the bits mean is in bone_codecs.h and vertex_codecs.h; where they lie, in layout.h.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "throng/shaders/shared/encodings.h"

namespace throng {

// Bone mode has an item a column, vertex mode an item a vertex.
enum class Encoding : std::uint8_t {
  q16 = gpu::kEncodingQ16,    // SNORM16 quaternion, UNORM16 pivot in the clip's box, UNORM16 scale
  x16 = gpu::kEncodingX16,    // smallest-three quaternion of 18 bits, position 20 bits, scale 12 bits
  q12 = gpu::kEncodingQ12,    // smallest-three of 15 bits, position 16 bits; one scale a clip
  q8 = gpu::kEncodingQ8,      // smallest-three of 11 bits, position 10/10/9 in the column's box; one scale a clip
  rows = gpu::kEncodingRows,  // three matrix rows of SNORM16, pivot UNORM16: scale, shear, mirrored
  half_quaternion = gpu::kEncodingHalfQuaternion,  // the classic 2 × RGBA16F: quaternion; translation and scale
  half_rows = gpu::kEncodingHalfRows,              // the classic 3 × RGBA16F: the upper matrix rows
  local8 = gpu::kEncodingLocal8,                   // parent-relative SNORM16 quaternions; needs a pose pass
  v8 = gpu::kEncodingV8,                           // position 14/14/14 in the clip's box, octahedral normal 11/11
  half_vertex = gpu::kEncodingHalfVertex,          // the classic 2 × RGBA16F: position, normal (tangent)
  rgbm = gpu::kEncodingRgbm,                       // RGBA8 with a shared multiplier: position, normal (tangent)
  localv = gpu::kEncodingLocalv,                   // parent-relative, in bits as each needs; outside of the texture
};

// All encodings, in the order of their numbers.
inline constexpr std::array kEncodings{Encoding::q16,         Encoding::x16,    Encoding::q12,
                                       Encoding::q8,          Encoding::rows,   Encoding::half_quaternion,
                                       Encoding::half_rows,   Encoding::local8, Encoding::v8,
                                       Encoding::half_vertex, Encoding::rgbm,   Encoding::localv};

// What an item of a frame is.
enum class ItemKind : std::uint8_t {
  bone,     // what a column does: rotation, position, scale
  affine,   // what a column does: any matrix
  slot,     // a rotation or a translation of a link relative to its parent; needs a pose pass
  vertex,   // where a vertex is
  channel,  // bits of a slot, which lie outside of the texture (channels.h); needs a pose pass
};

// The bits of an item's words that hold its scale.
struct ScaleField {
  std::uint32_t word = 0;
  std::uint32_t mask = 0;
  std::uint32_t sign = 0;  // of them: set where the scale is negative, and mirrors
};

// What is to be known of an encoding: its name, what it can say, and its room.
struct EncodingInfo {
  Encoding encoding = Encoding::q16;
  std::string_view name;   // as users and files spell it
  std::string_view holds;  // what movements it can say, for messages
  ItemKind kind = ItemKind::bone;
  std::uint32_t words = 0;          // of one item
  std::uint32_t tangent_words = 0;  // more of them, where a vertex has an animated tangent
  std::uint32_t header_words = 0;   // before the first item of a frame: the origin that positions count from
  bool pivots = false;              // a row of the table for each column: its pivot
  bool column_boxes = false;        // two more for each column: the box its positions are measured in
  bool slot_boxes = false;          // two for each translation slot: the box it is measured in
  // How many words a texel has in the classic layouts, which start a row with every frame: 2 (RGBA16F) or 1 (RGBA8). 0:
  // the atlas decides.
  std::uint32_t texel_words = 0;
  bool half = false;           // texels are half floats: RGBA16F
  bool signed_fields = false;  // its fields of 16 bits have their 0 in the middle
  bool one_scale = false;      // all columns of a clip have the same scale: ClipRange::scale_max
  std::optional<ScaleField> scale = {};
};

// Everything that code asks of an encoding, it asks this.
const EncodingInfo& info_of(Encoding encoding);

inline std::string_view name_of(Encoding encoding) { return info_of(encoding).name; }  // as users and files spell it
std::optional<Encoding> encoding_named(std::string_view name);  // the encoding of that name; nothing when there is none

// Whether its items are vertices.
inline bool is_vertex_encoding(Encoding encoding) { return info_of(encoding).kind == ItemKind::vertex; }
// Whether its words lie outside of the texture, in as many bits as each channel needs (channels.h).
inline bool is_channel_encoding(Encoding encoding) { return info_of(encoding).kind == ItemKind::channel; }
// Whether its items are relative to parents: a pose pass composes the chains of a skeleton.
inline bool is_linked_encoding(Encoding encoding) {
  return info_of(encoding).kind == ItemKind::slot || is_channel_encoding(encoding);
}
// Whether its items are matrices: any scale and shear.
inline bool is_affine_encoding(Encoding encoding) { return info_of(encoding).kind == ItemKind::affine; }
// Whether its words are half floats, for RGBA16F textures.
inline bool is_half(Encoding encoding) { return info_of(encoding).half; }

// 32-bit words of one item; `tangents` counts in vertex mode only.
inline std::uint32_t words_per_item(Encoding encoding, bool tangents) {
  const EncodingInfo& info = info_of(encoding);
  return info.words + (tangents ? info.tangent_words : 0);
}

// Words before the first item of a frame.
inline std::uint32_t header_words(Encoding encoding) { return info_of(encoding).header_words; }

// Words of a frame of that many items, header included.
inline std::uint64_t words_per_frame(Encoding encoding, std::uint32_t items, bool tangents) {
  return header_words(encoding) + std::uint64_t{items} * words_per_item(encoding, tangents);
}

// Rows (four floats each; what is not named is 0) of one clip in the character's table:
//   bones: row c is column c's pivot (xyz; the half-float layouts: 0); behind them, for q8, rows columns + 2c and
//   columns + 2c + 1 are the minimum and the size (xyz) of column c's position box;
//   local8: rows 2t and 2t + 1 are translation slot t's minimum and size (xyz; w: of the scale);
//   vertices: none.
std::uint32_t table_rows(Encoding encoding, std::uint32_t columns, std::uint32_t translation_slots);

}  // namespace throng
