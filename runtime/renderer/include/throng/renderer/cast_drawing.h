// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hands a Cast to a CharacterRenderer, image by image: who came near is added there, who went away is removed, all near
// ones are posed, and what changed in the crowd of far ones is taken over.
//
//   cast.add(knight, graph);                 // once, in any order
//   renderer.add(knight);
//   CastDrawing drawing;
//
//   cast.update(now, view);                  // every image; then IK on cast.near_actors()
//   drawing.update(cast, renderer);

#include <optional>
#include <vector>

#include "throng/base/result.h"
#include "throng/cast/cast.h"
#include "throng/renderer/character_renderer.h"

namespace throng {

class CastDrawing {
 public:
  // Hands on what changed in the cast. Refused, the first of them is the error: a model of the cast whose character was
  // not added to the renderer, and what CharacterRenderer refuses. The others are drawn; who had a pose keeps it, and
  // who never had one is not shown.
  Result<void> update(const Cast& cast, CharacterRenderer& renderer);

  // The near character that stands for it while it is near: to dress it, or to read its vertices.
  std::optional<CharacterId> find(ActorId actor) const;

 private:
  struct Drawn {
    ActorId actor = {};
    CharacterId character = {};
    bool still_near = false;
    bool posed = false;  // ever
    PartMask worn = {};  // as its look said last
  };

  static Result<void> dress(Drawn& one, const NearActor& actor, const Cast& cast, CharacterRenderer& renderer);

  std::vector<Drawn> drawn_;
};

}  // namespace throng
