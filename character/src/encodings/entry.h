// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that is known of one encoding. Each has a file of its own here that defines its entry; list.cpp names them all,
// and everybody else asks the list.

#include <span>
#include <string_view>

#include "throng/character/codecs/bone_codecs.h"
#include "throng/character/codecs/vertex_codecs.h"
#include "throng/character/encoding.h"

namespace throng::detail::character {

using Words = std::span<std::uint32_t>;
using ConstWords = std::span<const std::uint32_t>;

// The functions of the kinds that an encoding is not of are null.
struct EncodingEntry {
  EncodingInfo info;

  // ItemKind::bone
  void (*encode_bone)(const BoneSample& sample, const ClipRange& range, Words words) = nullptr;
  BoneSample (*decode_bone)(ConstWords words, const ClipRange& range) = nullptr;

  // ItemKind::affine
  void (*encode_affine)(const AffineSample& sample, const ClipRange& range, Words words) = nullptr;
  AffineSample (*decode_affine)(ConstWords words, const ClipRange& range) = nullptr;

  // ItemKind::vertex
  void (*encode_vertex)(const VertexSample& sample, const ClipRange& range, bool tangents, Words words) = nullptr;
  VertexSample (*decode_vertex)(ConstWords words, const ClipRange& range, bool tangents) = nullptr;

  // What is wrong with the words of a frame, or nothing. Null: whatever the bits, they say something that can be drawn.
  // `rotations`: how many of the items are rotations.
  std::string_view (*refuse_frame)(ConstWords frame, std::size_t rotations) = nullptr;
};

const EncodingEntry& entry_of(Encoding encoding);

}  // namespace throng::detail::character
