// SPDX-License-Identifier: Apache-2.0
#pragma once
// Frames of the vertex bake: every vertex of a pose, and two items for each socket, as words.

#include "throng/character/codecs/vertex_codecs.h"
#include "vertices/vertex_skinner.h"

namespace throng::detail::bake {

class VertexFrames {
 public:
  VertexFrames(const VertexSkinner& skinner, Encoding encoding)
      : skinner_(skinner), encoding_(encoding), tangents_(skinner.has_tangents()) {}

  const VertexSkinner& skinner() const { return skinner_; }
  Encoding encoding() const { return encoding_; }
  bool tangents() const { return tangents_; }
  std::uint32_t item_count() const;
  std::uint64_t words_per_frame() const;

  // The box around every vertex and socket.
  Bounds box(const SkinPose& pose) const;

  // `words` holds words_per_frame() of them.
  void encode(const SkinPose& pose, const ClipRange& range, std::span<std::uint32_t> words) const;

 private:
  void encode_block(const SkinnedBlock& block, std::uint32_t count, const ClipRange& range,
                    std::span<std::uint32_t> words) const;
  void encode_socket(const glm::dmat4& model_from_socket, const ClipRange& range, std::span<std::uint32_t> words) const;

  const VertexSkinner& skinner_;
  Encoding encoding_;
  bool tangents_;
};

// What a clip's positions are measured in: the box rounded outwards to floats, as shaders read it.
ClipRange range_of(const Bounds& box);

}  // namespace throng::detail::bake
