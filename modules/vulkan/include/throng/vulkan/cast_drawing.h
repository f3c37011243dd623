#pragma once
// Hands the near characters of a Cast to a SkinnedRenderer, image by image: who came near is added, who went away is
// removed, all are posed. The far ones are drawn by a CrowdRenderer from Cast::crowd().
//
//   CastDrawing drawing({skinned_knight});       what SkinnedRenderer::add_model gave for each model of the cast, in
//   order cast.update(now, view);  …IK… drawing.update(cast, skinned); crowd_renderer.update(cast.crowd());

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/base/result.h"
#include "throng/cast/cast.h"
#include "throng/vulkan/skinned_renderer.h"

namespace throng {

class CastDrawing {
 public:
  explicit CastDrawing(std::vector<std::uint32_t> skinned_models) : skinned_models_(std::move(skinned_models)) {}

  // Refused in words: a model of the cast that was not told of, and what SkinnedRenderer refuses; the others are drawn.
  Result<void> update(const Cast& cast, SkinnedRenderer& renderer);

  // The skinned character that stands for it while it is near: to dress it, or to read its vertices.
  std::optional<CharacterId> find(ActorId actor) const;

 private:
  struct Shown {
    ActorId actor = {};
    CharacterId character = {};
    bool still_near = false;
  };

  std::vector<std::uint32_t> skinned_models_;
  std::vector<Shown> shown_;
};

}  // namespace throng
