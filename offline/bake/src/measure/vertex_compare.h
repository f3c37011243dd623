// SPDX-License-Identifier: Apache-2.0
#pragma once
// Frames of the vertex bake beside what the source's curves say, in double.

#include "measure/compare_frame.h"
#include "vertices/vertex_frames.h"

namespace throng::detail::bake {

class VertexCompare {
 public:
  // Vertices in the order of `frames`; all must outlive this.
  VertexCompare(const Model& source, const std::vector<VertexOrigin>& origins, const VertexFrames& frames)
      : source_(source), origins_(origins), frames_(frames) {}

  struct ClipInputs {
    const ClipPlan& plan;
    const ClipRange& range;
    const std::vector<Corner>& corners;  // of the plan's clip
  };

  struct Interval {
    std::uint32_t frame = 0;
    std::span<const std::uint32_t> from;  // the frame's words
    std::span<const std::uint32_t> to;    // the next frame's words; not read behind the last of a clip that ends
  };

  // Adds one frame and the interval to the next to `result`: positions as looks.h says (between frames every
  // `stride`th vertex in turn), normals half-way.
  void add(const ClipInputs& clip, const Interval& interval, std::size_t stride, CompareResult& result) const;

  // The name of the first bone that a vertex follows.
  const std::string& bone_of(std::uint32_t vertex) const;

 private:
  struct Moment;
  struct Decoded;
  struct Peak;

  Moment moment_at(const ClipInputs& clip, std::uint32_t frame, const Look& look, bool with_normals) const;
  std::vector<Moment> moments_of(const ClipInputs& clip, std::uint32_t frame) const;
  void decode(const SkinBlock& block, const ClipRange& range, std::span<const std::uint32_t> words, Decoded& out) const;
  glm::dvec3 morphed(const Moment& moment, const VertexOrigin& origin, glm::dvec3 value,
                     std::vector<glm::vec3> MorphTarget::*channel) const;
  // What the decoded position is off by.
  glm::dvec3 compare_vertex(const Moment& moment, std::uint32_t vertex, const glm::dvec3& position,
                            const glm::dvec3& normal, CompareResult& result) const;
  void compare_block(const SkinBlock& block, const std::vector<Moment>& moments, const Decoded& from, const Decoded& to,
                     std::size_t first, std::size_t stride, Peak& peak, CompareResult& result) const;

  const Model& source_;
  const std::vector<VertexOrigin>& origins_;
  const VertexFrames& frames_;
};

}  // namespace throng::detail::bake
