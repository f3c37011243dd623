// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hands the near characters of a Cast to a SkinnedRenderer, image by image: who came near is added, who went away is
// removed, all are posed. The far ones are drawn by a CrowdRenderer from Cast::crowd().
//
//   cast.add(knight, graph);                 // once, in any order
//   skinned.add_model(knight);
//   CastDrawing drawing;
//
//   cast.update(now, view);                  // every image; then IK on cast.near_actors()
//   drawing.update(cast, skinned);
//   crowd_renderer.update(cast.crowd());

#include <cstdint>
#include <optional>
#include <vector>

#include "throng/base/result.h"
#include "throng/cast/cast.h"
#include "throng/renderer/skinned_renderer.h"

namespace throng {

class CastDrawing {
 public:
  // Refused, the first of them is the error: a model of the cast whose character was not added to the renderer, and
  // what SkinnedRenderer refuses.
  // The others are drawn; who had a pose keeps it, and who never had one is not shown.
  Result<void> update(const Cast& cast, SkinnedRenderer& renderer);

  // The skinned character that stands for it while it is near: to dress it, or to read its vertices.
  std::optional<CharacterId> find(ActorId actor) const;

 private:
  struct Shown {
    ActorId actor = {};
    CharacterId character = {};
    bool still_near = false;
    bool posed = false;  // ever
  };

  std::vector<Shown> shown_;
};

}  // namespace throng
