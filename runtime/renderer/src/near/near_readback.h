// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices on their way back to the CPU: asked for, copied by an image, taken when that has finished. Never waits.

#include <optional>

#include "throng/gpu/resources.h"
#include "throng/renderer/near_character.h"

namespace throng::detail::renderer {

class NearReadbacks {
 public:
  explicit NearReadbacks(std::uint32_t most = 16) : most_(most) {}

  // With `tangents`, those are behind the vertices in what is copied.
  Result<std::uint64_t> request(GpuDevice& gpu, CharacterId character, const PieceRef& piece,
                                std::uint32_t vertex_count, bool tangents);

  // What the next image is to copy. `from`: the first of its vertices in the pool; none: it cannot be found any more.
  struct Waiting {
    CharacterId character = {};
    PieceRef piece = {};
    VkBuffer to = VK_NULL_HANDLE;
    std::uint32_t vertex_count = 0;
    bool tangents = false;
    std::optional<std::uint32_t> from = {};
  };
  std::vector<Waiting> waiting() const;

  // All that wait were recorded by that image: `found` says which of them there was something to copy for.
  void recorded(std::uint64_t image, std::span<const Waiting> found);
  // Call when an image is never submitted: what it was to copy waits again.
  void dropped(std::uint64_t image);

  // The readbacks of images up to `finished`; `now` is the last one that was recorded.
  std::vector<VertexReadback> take(std::uint64_t finished, std::uint64_t now);

 private:
  struct Request {
    VertexReadback result;
    Buffer buffer;
    std::uint32_t vertex_count = 0;
    bool tangents = false;
    std::uint64_t image = 0;  // 0: it waits
    bool found = false;
  };

  std::uint32_t most_;
  std::uint64_t last_ = 0;
  std::vector<Request> requests_;
  std::vector<Buffer> free_;
};

}  // namespace throng::detail::renderer
