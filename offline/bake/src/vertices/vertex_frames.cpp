// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_frames.h"

#include <limits>

#include "bone_frames/encode_clip.h"
#include "mesh/source_mesh.h"
#include "throng/model/tangents.h"
#include "vertices/v8_block.h"

namespace throng::detail::bake {
namespace {

glm::dvec3 to_dvec3(Float4 v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

VertexSample sample_of(const SkinnedBlock& block, std::uint32_t i, bool tangents) {
  VertexSample sample;
  std::size_t without_direction = 0;
  sample.position = to_dvec3(block.positions[i]);
  sample.normal = unit_or_up(to_dvec3(block.normals[i]), without_direction);
  if (!tangents) return sample;
  const Float4 tangent = block.tangents[i];
  sample.tangent =
      orthonormal_tangent(sample.normal, {to_dvec3(tangent), static_cast<double>(tangent[3])}, without_direction);
  return sample;
}

// The direction of an axis of a socket.
glm::dvec3 axis_of(const glm::dmat4& model_from_socket, int axis) {
  std::size_t without_direction = 0;
  return unit_or_up(glm::dvec3(model_from_socket[axis]), without_direction);
}

}  // namespace

std::uint32_t VertexFrames::item_count() const {
  return skinner_.vertex_count() + 2 * static_cast<std::uint32_t>(skinner_.sockets().size());
}

std::uint64_t VertexFrames::words_per_frame() const {
  return throng::words_per_frame(encoding_, item_count(), tangents_);
}

Bounds VertexFrames::box(const SkinPose& pose) const {
  constexpr float kFar = std::numeric_limits<float>::infinity();
  Float4 low = splat(kFar);
  Float4 high = splat(-kFar);
  SkinnedBlock skinned{};
  for (const SkinBlock& block : skinner_.blocks()) {
    skinner_.positions(pose, block, skinned);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      low = least(skinned.positions[i], low);
      high = greatest(skinned.positions[i], high);
    }
  }
  Bounds bounds{to_dvec3(low), to_dvec3(high)};
  for (const glm::dmat4& socket : pose.sockets) bounds.add(glm::dvec3(socket[3]));
  return bounds;
}

void VertexFrames::encode(const SkinPose& pose, const ClipRange& range, std::span<std::uint32_t> words) const {
  const std::size_t item_words = words_per_item(encoding_, tangents_);
  const V8Box box(range);
  SkinnedBlock skinned{};
  for (const SkinBlock& block : skinner_.blocks()) {
    skinner_.everything(pose, block, skinned);
    const auto here = words.subspan(block.first * item_words, block.count * item_words);
    if (encoding_ == Encoding::v8 && !tangents_) {
      encode_v8_block(box, skinned, block.count, here.data());
    } else {
      encode_block(skinned, block.count, range, here);
    }
  }
  auto behind = words.subspan(skinner_.vertex_count() * item_words);
  for (std::size_t i = 0; i < pose.sockets.size(); ++i) {
    encode_socket(pose.sockets[i], range, behind.subspan(2 * i * item_words, 2 * item_words));
  }
}

void VertexFrames::encode_block(const SkinnedBlock& block, std::uint32_t count, const ClipRange& range,
                                std::span<std::uint32_t> words) const {
  const std::size_t item_words = words_per_item(encoding_, tangents_);
  for (std::uint32_t i = 0; i < count; ++i) {
    encode_vertex(encoding_, sample_of(block, i, tangents_), range, tangents_,
                  words.subspan(i * item_words, item_words));
  }
}

void VertexFrames::encode_socket(const glm::dmat4& model_from_socket, const ClipRange& range,
                                 std::span<std::uint32_t> words) const {
  const std::size_t item_words = words_per_item(encoding_, tangents_);
  // A mirrored socket has a negative scale along x: see mesh_from_socket.
  const double side = glm::determinant(glm::dmat3(model_from_socket)) < 0.0 ? -1.0 : 1.0;
  VertexSample sample;
  sample.position = glm::dvec3(model_from_socket[3]);
  sample.normal = axis_of(model_from_socket, 2);
  encode_vertex(encoding_, sample, range, tangents_, words.first(item_words));
  sample.normal = side * axis_of(model_from_socket, 0);
  encode_vertex(encoding_, sample, range, tangents_, words.subspan(item_words));
}

ClipRange range_of(const Bounds& box) {
  ClipRange range;
  for (int axis = 0; axis < 3; ++axis) {
    range.pivot_min[axis] = static_cast<double>(float_below(box.min[axis]));
    range.pivot_size[axis] = static_cast<double>(float_above(box.max[axis] - range.pivot_min[axis]));
  }
  return range;
}

}  // namespace throng::detail::bake
