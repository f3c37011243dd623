// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices as vertex mode stores them, four at a time, in float.

#include <span>

#include "throng/math/simd/float4.h"
#include "throng/playback/deform.h"

namespace throng::detail::playback {

using namespace simd;

struct Items4 {
  Vectors4 position;
  Vectors4 normal;
  Vectors4 tangent;
  Float4 side;  // of the tangent
};

// The frames that a play is between, in the clip that comes and, while they fade, in the one that goes.
class ItemFrames {
 public:
  ItemFrames(const Character& model, const PlayRecord& play, Ticks now);

  // Four items from `first` on; where there are fewer, the last again.
  Items4 items(std::size_t first) const;

 private:
  struct Pair {
    Encoding encoding = Encoding::v8;
    glm::vec3 box_min{0.0f};
    glm::vec3 box_size{0.0f};
    const std::uint32_t* from = nullptr;
    const std::uint32_t* to = nullptr;
    float blend = 0.0f;
  };

  static Pair pair_of(const Character& model, const TrackRecord& track, Ticks now);
  Items4 items_of(const Pair& pair, std::size_t first) const;
  Items4 decode(const Pair& pair, const std::uint32_t* frame, std::size_t first) const;

  Pair current_;
  Pair previous_;
  float weight_ = 1.0f;
  bool tangents_ = false;
  std::size_t count_ = 0;
};

void deform_items(const Character& model, const PlayRecord& play, Ticks now, const InstanceRecord* placed,
                  const Deformer::Output& out);

}  // namespace throng::detail::playback
