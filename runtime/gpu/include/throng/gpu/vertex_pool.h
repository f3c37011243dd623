// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where compute passes put the vertices they skinned, for every pass that draws them: position and normal in sixteen
// bytes (shaders/include/throng/shaders/passes/pool.glsl), and a tangent in four where any model has them.

#include "throng/gpu/resources.h"

namespace throng {

class VertexPool {
 public:
  static constexpr VkDeviceSize kVertexBytes = 16;
  static constexpr VkDeviceSize kTangentBytes = 4;

  VertexPool() = default;
  // Room for that many vertices, with tangents where they are wanted.
  static Result<VertexPool> create(GpuDevice& gpu, std::uint64_t vertices, bool with_tangents);
  // The most vertices that a device can bind.
  static std::uint64_t most(const VkPhysicalDeviceLimits& limits) {
    return limits.maxStorageBufferRange / kVertexBytes;
  }

  std::uint64_t room() const { return room_; }  // vertices
  // Whether there is room for that many, and for their tangents where they are wanted.
  bool holds(std::uint64_t vertices, bool with_tangents) const {
    return vertices <= room_ && (with_tangents_ || !with_tangents);
  }
  const Buffer& vertices() const { return vertices_; }  // the buffer of positions and normals
  const Buffer& tangents() const { return tangents_; }  // of no use where it was made without

 private:
  std::uint64_t room_ = 0;
  bool with_tangents_ = false;
  Buffer vertices_;
  Buffer tangents_;
};

}  // namespace throng
